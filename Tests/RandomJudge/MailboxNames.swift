/// How a server calls the mailboxes of the model.
///
/// Where all mailboxes but INBOX are below it, folders are called without that (`NamespaceStyle`).
struct MailboxNames: Sendable {
  /// What names begin with, but that of INBOX.
  let prefix: String
  /// What stands between the levels of a name.
  let delimiter: String

  /// The model's own names.
  static let plain = MailboxNames(prefix: "", delimiter: "/")
  /// Those of a server in memory that keeps all mailboxes below INBOX.
  static let belowInbox = MailboxNames(prefix: Folders.prefix, delimiter: "/")

  /// How a mailbox is called on the wire; of modified UTF-7 only the ampersand is known.
  func wire(_ name: String) -> String {
    name == "INBOX" ? name : prefix + name.replaced("/", delimiter).replaced("&", "&-")
  }

  /// The model's name of what is called so on the wire.
  func plain(_ wire: String) -> String {
    guard !prefix.isEmpty, wire.hasPrefix(prefix) else { return wire.replaced("&-", "&") }
    return String(wire.dropFirst(prefix.count)).replaced(delimiter, "/").replaced("&-", "&")
  }
}

extension String {
  /// The text with each occurrence of something replaced.
  fileprivate func replaced(_ part: String, _ other: String) -> String {
    guard part != other, contains(part) else { return self }
    var (result, rest) = ("", self[...])
    while let place = rest.firstRange(of: part) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
