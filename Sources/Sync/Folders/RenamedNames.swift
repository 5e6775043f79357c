internal import MailModel

/// What mailboxes are called while some above them are renamed, one after the other (RFC 9051 §6.3.6).
struct RenamedNames {
  private let delimiter: UInt8?
  private var renames: [(old: [UInt8], new: [UInt8])] = []

  /// No mailbox was renamed yet.
  init(delimiter: UInt8?) {
    self.delimiter = delimiter
  }

  /// What a mailbox is called by now.
  func name(of name: MailboxName) -> MailboxName {
    var wire = name.wire
    for (old, new) in renames where wire.starts(with: old) {
      wire = new + wire.dropFirst(old.count)
    }
    return MailboxName(wire: wire)
  }

  /// A mailbox was renamed, with all below it.
  mutating func rename(_ old: MailboxName, to new: MailboxName) {
    guard let delimiter, old != new else { return }
    renames.append((old.wire + [delimiter], new.wire + [delimiter]))
  }
}
