internal import Octets

/// What a store of mbsync on a server calls mailboxes, and what Magnum calls them: decoded, with slashes between the levels.
struct MbsyncNames {
  /// What stands before the names of the store; empty where that is nothing, or the server's own prefix.
  let prefix: String
  /// Whether the server's prefix is part of the names of folders; nil where the default is right.
  let namespace: String?
  /// The directive `Path`, where names of folders lack what it says.
  let path: Directive?
  private let delimiter: UInt8?
  /// The name that `MapInbox` gives the inbox.
  private let inbox: String?

  /// Takes what a store says.
  init(_ set: inout DirectiveSet) {
    let path = set.takeLast("Path").flatMap { $0.value.isEmpty ? nil : $0 }
    let ending = path?.value.utf8.last.flatMap { [ASCII.dot, ASCII.slash].contains($0) ? $0 : nil }
    let delimiter = set.takeLast("PathDelimiter").flatMap { $0.value.utf8.first } ?? ending
    self.delimiter = delimiter
    let keeps = set.takeLast("UseNamespace").map { !MbsyncServer.isYes($0.value) } ?? false
    inbox = set.takeLast("MapInbox")?.value
    let text = path.map { Self.decoded($0.value, delimiter) } ?? ""
    let isBelowInbox = text.utf8.prefix(6).equalsCaseless("INBOX/".utf8) && text.utf8.count == 6
    self.path = isBelowInbox ? nil : path
    prefix = isBelowInbox ? "INBOX/" : text
    namespace = path != nil ? (isBelowInbox ? "hide" : nil) : keeps ? "keep" : nil
  }

  /// A name of the store as Magnum has it.
  ///
  /// On a server whose levels are divided by dots, a dot divides them in every name.
  func decoded(_ name: String) -> String {
    let name = Self.decoded(name, delimiter)
    return name == inbox ? "INBOX" : name
  }

  /// The mailbox of a name of the store.
  func mailbox(_ name: String) -> String {
    let name = decoded(name)
    if name.utf8.equalsCaseless("INBOX".utf8) { return "INBOX" }
    let start = Array("INBOX/".utf8)
    if prefix == "INBOX/", name.utf8.count > 6, name.utf8.prefix(6).equalsCaseless(start) {
      return name
    }
    return prefix + name
  }

  private static func decoded(_ name: String, _ delimiter: UInt8?) -> String {
    let octets = name.utf8.map { $0 == delimiter ? ASCII.slash : $0 }
    return ModifiedUTF7.decode(octets).flatMap { String(validating: $0, as: UTF8.self) }
      ?? String(decoding: octets, as: UTF8.self)
  }
}
