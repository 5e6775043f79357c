internal import Octets

/// Breaks long lines between words, so that a terminal breaks none within one.
package enum LineWrap {
  /// The lines that a line becomes, without line ends.
  ///
  /// A word that is wider than a line, such as an address of a page, stays whole in a line of its own. The blanks at a break
  /// go; all others stay.
  ///
  /// - Parameters:
  ///   - line: printable text in UTF-8.
  ///   - width: the columns of a line.
  ///   - prefix: what each further line begins with, if it leaves room for text.
  /// - Returns: one line at least.
  package static func lines(
    _ line: ArraySlice<UInt8>,
    width: Int,
    prefix: [UInt8] = []
  ) -> [[UInt8]] {
    // No character takes more columns than octets.
    guard line.count > width else { return [Array(line)] }
    let prefix = columns(of: prefix[...]) * 2 <= width ? prefix : []
    var lines: [[UInt8]] = []
    var current: [UInt8] = []
    var used = 0
    var rest = line
    while !rest.isEmpty {
      let blanks = rest.prefix { $0 == ASCII.space }
      let word = rest[blanks.endIndex...].prefix { $0 != ASCII.space }
      let wordColumns = columns(of: word)
      if used > 0, used + blanks.count + wordColumns > width, !word.isEmpty {
        lines.append(current)
        current = prefix + word
        used = columns(of: prefix[...]) + wordColumns
      } else {
        current += blanks + word
        used += blanks.count + wordColumns
      }
      rest = rest[word.endIndex...]
    }
    return lines + [current]
  }

  private static func columns(of text: ArraySlice<UInt8>) -> Int {
    text.allSatisfy { $0 < 0x80 }
      ? text.count : DisplayWidth.columns(of: String(decoding: text, as: UTF8.self))
  }
}
