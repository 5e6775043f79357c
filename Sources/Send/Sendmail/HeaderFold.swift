internal import Octets

/// Folds lines of a header that are longer than any may be (RFC 5322 §2.2.3).
enum HeaderFold {
  /// Where lines are broken if there is a blank before it.
  private static let usual = 78

  /// The line, without its end, in as many lines as it takes; one that is not too long stays as it is.
  ///
  /// It is broken before blanks, which changes nothing for a reader. A very long word is broken after a comma, since a blank
  /// there changes nothing in a list of addresses. Without a comma it is cut anywhere, as other programs do.
  static func folded(_ line: ArraySlice<UInt8>, nameLength: Int) -> [UInt8] {
    guard line.count > BodyLines.limit else { return [UInt8](line) }
    var result: [UInt8] = []
    var rest = line
    // The name keeps the first word with it.
    var first = nameLength + 2
    while rest.count > usual, let end = end(of: rest, from: first) {
      result += rest[..<end] + [ASCII.lineFeed, ASCII.space]
      rest = rest[end...].drop(while: ASCII.isBlank)
      first = 1
    }
    // Nothing but blanks was left: no line may have only these.
    return rest.isEmpty ? [UInt8](result.dropLast(2)) : result + rest
  }

  /// Where the next line ends; `nil` where the rest can be one.
  private static func end(of line: ArraySlice<UInt8>, from first: Int) -> Int? {
    let blanks = line.indices.dropFirst(first).filter { index in
      ASCII.isBlank(line[index]) && !ASCII.isBlank(line[index - 1])
    }
    if let last = blanks.last(where: { $0 - line.startIndex <= usual }) { return last }
    if let next = blanks.first, next - line.startIndex < BodyLines.limit { return next }
    guard line.count >= BodyLines.limit else { return nil }
    var end = line.startIndex + BodyLines.limit - 1
    let word = line[..<end].dropFirst(first)
    if let comma = word.lastIndex(of: ASCII.comma) { return comma + 1 }
    // Not within a character of UTF-8.
    while end > line.startIndex + 900, line[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
