package import MailModel
internal import Octets

/// Makes names of the server out of names as people write them.
package struct MailboxNaming {
  /// What stands between the levels of a name; nil where there are none.
  package let delimiter: UInt8?
  private let isBelowInbox: Bool
  private let names: MailboxNames

  /// Takes the server's ways from its list of mailboxes, which are called by these names here.
  package init(_ mailboxes: [ServerMailbox], _ names: MailboxNames) {
    self.names = names
    delimiter = mailboxes.lazy.compactMap(\.delimiter).first
    let others = mailboxes.filter { !$0.name.isInbox }
    let prefix = Array("INBOX".utf8) + [delimiter ?? ASCII.slash]
    isBelowInbox = !others.isEmpty && others.allSatisfy { $0.name.wire.starts(with: prefix) }
  }

  /// The name on the server for the levels of a path here; nil where the server could not hold it, since
  /// a level contains the server's own delimiter or a control character, or is not UTF-8.
  ///
  /// Servers refuse control characters (RFC 9051 §5.1), and some break lines of their answers with those.
  package func name(for path: [[UInt8]]) -> MailboxName? {
    let components = levels(for: path)
    guard !components.joined().contains(where: { $0 < ASCII.space || $0 == ASCII.delete }) else {
      return nil
    }
    guard let delimiter else {
      return components.count == 1 ? MailboxName(decoded: components[0]) : nil
    }
    guard components.allSatisfy({ !$0.isEmpty && !$0.contains(delimiter) }) else { return nil }
    return MailboxName(decoded: Array(components.joined(separator: [delimiter])))
  }

  /// The levels on the server.
  ///
  /// A slash in a level is one in its name, not between two.
  private func levels(for path: [[UInt8]]) -> [[UInt8]] {
    let name = MailboxPath(components: path).joined
    let mailbox = names.mailbox(of: name)
    if mailbox == name { return path }
    if !name.isEmpty, mailbox.count > name.count, mailbox.suffix(name.count) == name[...],
      names.prefix.reduce(0, { $0 + $1.count + 1 }) == mailbox.count - name.count
    {
      return names.prefix + path
    }
    return MailboxPath(joined: mailbox).components
  }

  /// Names to try for a new mailbox, the likeliest first: some servers keep everything below INBOX.
  package func names(for path: [UInt8]) -> [MailboxName] {
    names(for: path.split(separator: ASCII.slash).map(Array.init))
  }

  /// The same for the levels of a path.
  package func names(for components: [[UInt8]]) -> [MailboxName] {
    let plain = name(for: components)
    guard names.style == .keep || names.prefix.isEmpty else { return [plain].compactMap { $0 } }
    let below = name(for: [Array("INBOX".utf8)] + components)
    return (isBelowInbox ? [below, plain] : [plain, below]).compactMap { $0 }
  }
}
