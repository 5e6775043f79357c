internal import MailModel
internal import Octets

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
