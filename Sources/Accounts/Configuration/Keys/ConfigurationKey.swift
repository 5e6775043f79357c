internal import MailModel

/// A key of the configuration file: all that the program knows about it.
///
/// Reading, refusals, suggestions and the check of the manual page against the program all work
/// from the table in `ConfigurationKey+Table.swift`.
struct ConfigurationKey: Sendable {
  /// Puts the value where it belongs; throws when it is not one that the key takes.
  typealias Reader = @Sendable (KeyValue, inout AccountDraft) throws(Mistake) -> Void

  let name: String
  let section: KeySection
  let kind: KeyKind
  let group: KeyGroup?

  /// Whether the key means something only in an account with a server.
  let needsServer: Bool

  let read: Reader

  /// A key that is read.
  init(
    _ name: String,
    in section: KeySection,
    _ kind: KeyKind,
    group: KeyGroup? = nil,
    needsServer: Bool = false,
    read: @escaping Reader
  ) {
    self.name = name
    self.section = section
    self.kind = kind
    self.group = group
    self.needsServer = needsServer
    self.read = read
  }

  /// The key of that name in a section of that kind; `nil` when there is none.
  static func named(_ name: String, in section: KeySection) -> ConfigurationKey? {
    all.first { $0.section == section && $0.name == name }
  }
}

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
