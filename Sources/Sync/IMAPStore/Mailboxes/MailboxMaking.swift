internal import MailStore
internal import IMAP
internal import MailModel
internal import Octets

/// Makes a mailbox for a special use (RFC 6154 §3).
struct MailboxMaking {
  private let connection: Connection
  private let use: [UInt8]

  init(_ connection: Connection, for role: MailboxRole) {
    self.connection = connection
    use = ListEntry.attribute(for: role)
  }

  /// Makes a mailbox of the first of these names that the server takes; nil where it takes none.
  func first(of names: [MailboxName]) throws(SyncFailure) -> MailboxName? {
    let canMark = connection.capabilities.contains("CREATE-SPECIAL-USE")
    for name in names {
      let mark = canMark && !use.isEmpty ? use : nil
      let response = try connection.perform(.create(name, specialUse: mark))
      // Another client may have been faster.
      guard response.kind == .ok || response.code == .alreadyExists else { continue }
      _ = try connection.perform(.subscribe(name))
      return name
    }
    return nil
  }
}
