package import MIME
internal import MailModel
internal import Octets
package import Platform
internal import SpoolPlan

/// The lists that a person has left by a command: a file of lines, to which each command adds one.
///
///     2026-12-02T10:00:00Z work news.example.org one-click 200
package struct UnsubscribedLists: Sendable {
  /// A list that was left.
  package struct Entry: Hashable, Sendable {
    /// In seconds since 1970.
    package let time: Int64
    package let account: String
    /// As ``UnsubscribedLists/name(of:_:)`` has it.
    package let list: [UInt8]
    /// `one-click` or `mail`.
    package let way: String
    /// The status of the answer, or the entry of the queue.
    package let result: String

    package init(time: Int64, account: String, list: [UInt8], way: String, result: String) {
      (self.time, self.account, self.list) = (time, account, list)
      (self.way, self.result) = (way, result)
    }
  }

  /// A longer file is read from its beginning only as far, in octets.
  private static let sizeLimit = 16 << 20

  private let path: Path

  /// The lists of a user, in the directory where state lies.
  package init(stateHome: Path = Environment.stateHome) {
    path = stateHome.appending("magnum/unsubscribed")
  }

  /// What a list goes by: its id, else the address of the sender, both in lower case; nil for neither.
  package static func name(of header: Header, _ decoder: CharsetDecoder) -> [UInt8]? {
    if let id = header.listID(decoder) { return id }
    let address = header.mailboxes("From", decoder).first?.address ?? []
    return address.isEmpty ? nil : address.map(ASCII.lowercased)
  }

  /// Adds a list; durable on return.
  package func add(_ entry: Entry) throws(SystemError) {
    try FileSystem.makeDirectories(path.parent)
    let isNew = try FileSystem.status(path) == nil
    let file = try Descriptor.open(path, .append)
    try file.write(all: Self.line(entry))
    try file.synchroniseData()
    if isNew { try FileSystem.synchroniseDirectory(path.parent) }
  }

  /// All lists that were left, in the order in which they were; lines that cannot be read are left out.
  package func all() throws(SystemError) -> [Entry] {
    let octets = try FileSystem.readFile(path, limit: Self.sizeLimit) ?? []
    return octets.split(separator: ASCII.lineFeed).compactMap(Self.entry)
  }

  /// When a list was left last before a moment, in seconds since 1970; nil for never.
  package static func lastTime(
    _ list: [UInt8],
    in account: String,
    before moment: Int64,
    of entries: [Entry]
  ) -> Int64? {
    entries.filter { $0.list == list && $0.account == account && $0.time < moment }
      .map(\.time).max()
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    let words = [
      Timestamp.octets(entry.time), escaped(Array(entry.account.utf8)), escaped(entry.list),
      Array(entry.way.utf8), escaped(Array(entry.result.utf8)),
    ]
    return [UInt8](words.joined(separator: [ASCII.space])) + [ASCII.lineFeed]
  }

  private static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { $0 <= ASCII.space || $0 == ASCII.delete }
  }

  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    let words = line.split(separator: ASCII.space)
    guard words.count == 5, let time = Timestamp.seconds(words[0]),
      let account = PercentEscape.unescape(words[1]), let list = PercentEscape.unescape(words[2]),
      let result = PercentEscape.unescape(words[4])
    else { return nil }
    return Entry(
      time: time,
      account: String(decoding: account, as: UTF8.self),
      list: list,
      way: String(decoding: words[3], as: UTF8.self),
      result: String(decoding: result, as: UTF8.self)
    )
  }
}
