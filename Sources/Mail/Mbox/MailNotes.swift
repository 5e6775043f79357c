package import MailModel
internal import Octets

/// What a mail program keeps of a message beside its file.
package struct MailNotes: Hashable, Sendable {
  /// Flags, `.seen` among them if the message was read.
  package var flags: SystemFlags
  /// Whether it was deleted, and its file only not removed yet.
  package var isDeleted = false
  /// When it arrived, in seconds since 1970; nil where that is not kept.
  package var arrival: Int64?

  package init(flags: SystemFlags, isDeleted: Bool = false, arrival: Int64? = nil) {
    (self.flags, self.isDeleted, self.arrival) = (flags, isDeleted, arrival)
  }
}

/// The file `.mh_sequences` of a folder of MH: named lists of messages by their numbers.
package struct MHSequences: Hashable, Sendable {
  private var sequences: [[UInt8]: [ClosedRange<Int>]] = [:]

  /// Reads lines such as `unseen: 1 3-5 8`; what is none is skipped.
  package init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { continue }
      let name = line[..<colon].map { ASCII.lowercased($0) }
      let words = line[(colon + 1)...].split { $0 <= ASCII.space }
      sequences[name, default: []] += words.compactMap { Self.range($0) }
    }
  }

  private static func range(_ word: ArraySlice<UInt8>) -> ClosedRange<Int>? {
    let ends = word.split(separator: ASCII.minus, omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
      0 <= first, first <= last
    else { return nil }
    return first...last
  }

  /// What is kept of the message of a number: it was read unless it is in the list `unseen`.
  package func notes(of number: Int) -> MailNotes {
    var flags: SystemFlags = holds("unseen", number) ? [] : .seen
    if holds("flagged", number) { flags.insert(.flagged) }
    if holds("replied", number) || holds("answered", number) { flags.insert(.answered) }
    return MailNotes(flags: flags)
  }

  private func holds(_ name: StaticString, _ number: Int) -> Bool {
    sequences[[UInt8](ascii: name)]?.contains { $0.contains(number) } ?? false
  }
}

/// A file of Apple's Mail, `N.emlx`: the number of octets of a message, the message, and a property list.
package struct AppleMailFile: Hashable, Sendable {
  /// Where the message is in the file.
  package let message: Range<Int>

  /// Reads the beginning of a file of some length; nil for another kind.
  package init?(start: [UInt8], length: Int) {
    let digits = start.prefix(20).prefix { ASCII.isDigit($0) }
    let rest = start.dropFirst(digits.count).prefix { $0 == ASCII.space }
    let begin = digits.count + rest.count + 1
    guard (1...12).contains(digits.count), begin <= start.count,
      start[begin - 1] == ASCII.lineFeed
    else { return nil }
    let count = digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    guard begin + count <= length else { return nil }
    message = begin..<(begin + count)
  }

  /// The greatest property list that is read, in octets.
  package static let listLimit = 64 << 10

  /// What a property list tells of the message; one without flags tells nothing.
  package static func notes(_ list: [UInt8]) -> MailNotes? {
    guard let bits = integer(after: "<key>flags</key>", in: list) else { return nil }
    var flags: SystemFlags = []
    if bits & 1 != 0 { flags.insert(.seen) }
    if bits & 4 != 0 { flags.insert(.answered) }
    if bits & 16 != 0 { flags.insert(.flagged) }
    if bits & 64 != 0 { flags.insert(.draft) }
    if bits & 256 != 0 { flags.insert(.forwarded) }
    let arrival = integer(after: "<key>date-received</key>", in: list)
    return MailNotes(flags: flags, isDeleted: bits & 2 != 0, arrival: arrival)
  }

  /// The number in `<integer>…</integer>` behind a key.
  private static func integer(after key: StaticString, in list: [UInt8]) -> Int64? {
    let key = [UInt8](ascii: key)
    guard let start = list.indices.first(where: { list[$0...].starts(with: key) }) else {
      return nil
    }
    let rest = list[(start + key.count)...].drop { $0 <= ASCII.space }
    let tag = [UInt8](ascii: "<integer>")
    guard rest.starts(with: tag) else { return nil }
    let digits = rest.dropFirst(tag.count).prefix { ASCII.isDigit($0) }
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
