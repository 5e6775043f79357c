internal import Octets

/// Writes the value of a field as words, and breaks its lines between them (RFC 5322 §2.2.3).
struct HeaderFolder {
  /// Where a line is broken if it can be, in octets without its end.
  ///
  /// A line with an encoded word may not be longer (RFC 2047 §2).
  static let lineLimit = 76

  /// The field without the end of its last line.
  private(set) var octets: [UInt8]

  private var length: Int
  private var isAtStart = true

  /// A field of that name, without a value.
  init(name: [UInt8]) {
    octets = name + [ASCII.colon]
    length = octets.count
  }

  /// Adds a word, behind the blanks that a reader is to see before it.
  ///
  /// The first word stays in the line of the name: some programs lose what is on the next.
  mutating func add(_ word: [UInt8], after blanks: Int = 1) {
    // Whatever it was made of, a word must never begin another field.
    let word = word.map { ASCII.isControl($0) ? ASCII.space : $0 }
    if !isAtStart, blanks > 0, length + blanks + word.count > Self.lineLimit {
      octets.append(ASCII.lineFeed)
      length = 0
    }
    let space = [UInt8](repeating: ASCII.space, count: isAtStart ? 1 : blanks)
    octets += space + word
    length += space.count + word.count
    isAtStart = false
  }
}
