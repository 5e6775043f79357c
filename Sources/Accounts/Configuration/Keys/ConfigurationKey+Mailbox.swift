internal import MailModel

extension ConfigurationKey {
  /// The keys of `[account.NAME.mailbox."PATTERN"]`: those of the section `sync` that can differ between mailboxes.
  static let mailbox: [ConfigurationKey] = [
    mailboxKey("direction") { value, mailbox throws(Mistake) in
      mailbox.direction = try value.choice(SyncDirection.self)
    },
    mailboxKey("on-local-delete") { value, mailbox throws(Mistake) in
      mailbox.localDeletion = try value.choice(LocalDeletion.self)
    },
    mailboxKey("on-remote-delete") { value, mailbox throws(Mistake) in
      mailbox.remoteDeletion = try value.choice(RemoteDeletion.self)
    },
    mailboxKey("expunge") { value, mailbox throws(Mistake) in
      mailbox.expunge = try value.choice(ExpungePolicy.self)
    },
    mailboxKey("create") { value, mailbox throws(Mistake) in
      mailbox.create = try value.choice(FolderSide.self)
    },
    mailboxKey("remove") { value, mailbox throws(Mistake) in
      mailbox.remove = try value.choice(FolderSide.self)
    },
  ]

  private static func mailboxKey(
    _ name: String,
    read: @escaping @Sendable (KeyValue, inout MailboxSettings) throws(Mistake) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: .mailbox, .string, needsServer: true) {
      value,
      draft throws(Mistake) in
      // The section that is read was opened last.
      guard let last = draft.sync.mailboxes.indices.last else { return }
      try read(value, &draft.sync.mailboxes[last])
    }
  }
}
