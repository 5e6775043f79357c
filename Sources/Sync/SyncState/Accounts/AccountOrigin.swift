package import Configuration
package import MailModel
internal import Octets
package import Platform

/// Remembers in the root whose mailboxes it mirrors, since UIDs mean nothing to another user or server.
package struct AccountOrigin {
  /// Where it is remembered: a line of user and host, percent-escaped, and a second one where labels are tags.
  package let file: Path
  /// The user and server of the configuration, in the same form.
  package let configured: [UInt8]
  /// What labels are, by the configuration.
  package let labels: LabelStyle

  /// The origin of an account's mail, in its state.
  package init(_ account: Account, store: StateStore) {
    file = store.directory.appending("origin")
    let words = ([account.user] + Self.words(account.server)).filter { !$0.isEmpty }
    labels = account.sync.labels
    configured = Array(
      words.map { PercentEscape.escape($0.utf8) { $0 <= 0x20 || $0 >= 0x7F } }
        .joined(separator: [ASCII.space])
    )
  }

  /// What is remembered; nil where nothing is.
  package func remembered() throws(SystemError) -> (origin: [UInt8], labels: LabelStyle)? {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 16) else { return nil }
    let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    let isTags = lines.dropFirst().first?.elementsEqual(Self.tags) ?? false
    return (lines.first.map { [UInt8]($0) } ?? [], isTags ? .tags : .folders)
  }

  /// Remembers what the configuration says; durable when it returns.
  package func remember() throws(SystemError) {
    let second = labels == .tags ? Self.tags + [ASCII.lineFeed] : []
    try AtomicFile.replace(file, with: configured + [ASCII.lineFeed] + second)
  }

  /// The second line where labels are tags.
  private static let tags = [UInt8](ascii: "labels tags")

  /// What names the server.
  ///
  /// TLS or not, it is the same one; this machine has several names; of a tunnel only the command is known.
  private static func words(_ server: Server?) -> [String] {
    switch server {
    case .imaps(let host, _), .startTLS(let host, _), .plain(let host, _):
      [["127.0.0.1", "::1"].contains(host) ? "localhost" : host]
    case .command(let words): words
    case nil: []
    }
  }
}

/// Tells an account's root from "another empty directory", such as the mount point of a missing disk.
///
/// The root holds a random number in a file of its own; path and number are kept in the state home too.
package struct RootIdentity {
  /// What the comparison found.
  package enum Finding: Hashable {
    /// The root is the one of the last run.
    case same(UInt64)
    /// Neither side remembers anything: the first run.
    case first
    /// The root was never seen from this state home, and says who it is (a copied or shared Maildir).
    case foreign(UInt64)
    /// The state home remembers a root at this path, and it is not there.
    case missing(remembered: Path, number: UInt64)
    /// The state home remembers another root at this path.
    case other(remembered: Path)
  }

  private let root: Path
  private let inRoot: Path
  private let remembered: Path

  /// The identity of an account's root; `memory` is the account's directory in the state home.
  package init(root: Path, store: StateStore, memory: Path) {
    self.root = root
    inRoot = store.rootIdentity
    remembered = memory.appending("root")
  }

  /// Compares root and memory; changes nothing.
  package func find() throws(SystemError) -> Finding {
    // In this order: a first run beside this one writes the root's before the memory's.
    let memory = try read(remembered)
    let here = try read(inRoot).flatMap { Hex.value($0.prefix(16)) }
    guard let memory else { return here.map(Finding.foreign) ?? .first }
    guard let id = Hex.value(memory.prefix(16)), memory.dropFirst(17).elementsEqual(root.octets)
    else { return here.map(Finding.foreign) ?? .first }
    guard let here else { return .missing(remembered: remembered, number: id) }
    return here == id ? .same(id) : .other(remembered: remembered)
  }

  /// Makes a new root known, in the root first; durable when it returns.
  package func establish(_ id: UInt64, isNew: Bool) throws(SystemError) {
    let digits = Hex.digits(id)
    if isNew { try AtomicFile.replace(inRoot, with: digits + [ASCII.lineFeed]) }
    try FileSystem.makeDirectories(remembered.parent)
    try AtomicFile.replace(
      remembered,
      with: digits + [ASCII.space] + root.octets + [ASCII.lineFeed]
    )
  }

  private func read(_ path: Path) throws(SystemError) -> [UInt8]? {
    guard let octets = try FileSystem.readFile(path, limit: 1 << 16) else { return nil }
    return Array(octets.prefix { $0 != ASCII.lineFeed })
  }
}
