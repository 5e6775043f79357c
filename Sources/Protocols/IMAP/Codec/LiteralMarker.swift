internal import Octets

/// What announces a literal at the end of a line: `{123}`, `{123+}` or `~{123}`.
struct LiteralMarker {
  /// The length of the literal in octets; the largest value for anything that exceeds 64 bits.
  let size: UInt64

  /// Where the marker begins.
  let start: Int

  /// The marker that ends the line, whose line end was taken off; `nil` when none does.
  init?(endOf line: ArraySlice<UInt8>) {
    guard line.last == ASCII.closeBrace else { return nil }
    var digits = line.dropLast()
    if digits.last == ASCII.plus { digits = digits.dropLast() }
    guard let brace = digits.lastIndex(where: { !ASCII.isDigit($0) }),
      digits[brace] == ASCII.openBrace, brace + 1 < digits.endIndex
    else { return nil }
    var cursor = Cursor(digits[(brace + 1)...])
    size = cursor.decimal() ?? .max
    let isBinary = brace > line.startIndex && line[brace - 1] == ASCII.tilde
    start = isBinary ? brace - 1 : brace
  }
}
