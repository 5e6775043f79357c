internal import MailModel
internal import Octets

// The commands that change the server.
extension CommandEncoder {
  mutating func named(_ name: StaticString, _ mailbox: MailboxName) {
    word(name)
    spaced { $0.string(mailbox.wire) }
  }

  mutating func transfer(_ name: StaticString, _ uids: UIDSet, _ mailbox: MailboxName) {
    word(name)
    spaced { $0.messages(.uids(uids)) }
    spaced { $0.string(mailbox.wire) }
  }

  mutating func create(_ mailbox: MailboxName, _ use: [UInt8]?) {
    named("CREATE", mailbox)
    guard let use else { return }
    word("(USE (")
    atom(use)
    raw("))")
  }

  mutating func store(
    _ uids: UIDSet,
    _ change: FlagChange,
    _ since: UInt64?,
    isSilent: Bool
  ) {
    word("UID STORE")
    spaced { $0.messages(.uids(uids)) }
    if let since {
      word("(UNCHANGEDSINCE ")
      raw([UInt8](decimal: since) + [ASCII.closeParenthesis])
    }
    store(change, isSilent: isSilent)
  }

  mutating func store(_ uids: UIDSet, _ label: [UInt8], isAdding: Bool) {
    word("UID STORE")
    spaced { $0.messages(.uids(uids)) }
    word(isAdding ? "+X-GM-LABELS.SILENT (" : "-X-GM-LABELS.SILENT (")
    // Those of the server are atoms; quoted, the backslash would be one of a name.
    if label.first == ASCII.backslash {
      raw([ASCII.backslash])
      atom(Array(label.dropFirst()))
    } else {
      string(label)
    }
    raw(")")
  }

  mutating func store(_ change: FlagChange, isSilent: Bool) {
    switch change {
    case .adding(let flags): store("+FLAGS", flags, isSilent: isSilent)
    case .removing(let flags): store("-FLAGS", flags, isSilent: isSilent)
    }
  }

  mutating func store(_ name: StaticString, _ flags: [Flag], isSilent: Bool) {
    word(name)
    if isSilent { raw(".SILENT") }
    spaced { $0.flags(flags.filter(\.isStorable)) }
  }

  private mutating func flags(_ flags: [Flag]) {
    joined(flags) { $0.raw($1.wire) }
  }

  mutating func append(_ messages: [AppendMessage], to mailbox: MailboxName) {
    precondition(!messages.isEmpty, "APPEND cannot append nothing")
    named("APPEND", mailbox)
    for (index, message) in messages.enumerated() { append(message, at: index) }
  }

  private mutating func append(_ message: AppendMessage, at index: Int) {
    let flags = message.flags.filter(\.isStorable)
    if !flags.isEmpty { spaced { $0.flags(flags) } }
    if let date = message.internalDate {
      spaced { $0.raw([ASCII.quote] + InternalDate.dateTime(date) + [ASCII.quote]) }
    }
    spaced { $0.message(at: index, size: message.size) }
  }
}
