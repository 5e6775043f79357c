package import MailModel
internal import Octets

/// Makes names of the server out of names as people write them.
package struct MailboxNaming {
  /// What stands between the levels of a name; nil where there are none.
  package let delimiter: UInt8?
  private let isBelowInbox: Bool

  /// Takes the server's ways from its list of mailboxes.
  package init(_ mailboxes: [ServerMailbox]) {
    delimiter = mailboxes.lazy.compactMap(\.delimiter).first
    let others = mailboxes.filter { !$0.name.isInbox }
    let prefix = Array("INBOX".utf8) + [delimiter ?? ASCII.slash]
    isBelowInbox = !others.isEmpty && others.allSatisfy { $0.name.wire.starts(with: prefix) }
  }

  /// The name for a path with slashes between its levels; nil where the server could not hold it, since
  /// a level contains the server's own delimiter or a control character, or is not UTF-8.
  ///
  /// Servers refuse control characters (RFC 9051 §5.1), and some break lines of their answers with those.
  package func name(for components: [[UInt8]]) -> MailboxName? {
    guard !components.joined().contains(where: { $0 < ASCII.space || $0 == ASCII.delete }) else {
      return nil
    }
    guard let delimiter else {
      return components.count == 1 ? MailboxName(decoded: components[0]) : nil
    }
    guard components.allSatisfy({ !$0.isEmpty && !$0.contains(delimiter) }) else { return nil }
    return MailboxName(decoded: Array(components.joined(separator: [delimiter])))
  }

  /// Names to try for a new mailbox, the likeliest first: some servers keep everything below INBOX.
  package func names(for path: [UInt8]) -> [MailboxName] {
    names(for: path.split(separator: ASCII.slash).map(Array.init))
  }

  /// The same for the levels of a path.
  package func names(for components: [[UInt8]]) -> [MailboxName] {
    let plain = name(for: components)
    let below = name(for: [Array("INBOX".utf8)] + components)
    return (isBelowInbox ? [below, plain] : [plain, below]).compactMap { $0 }
  }
}
