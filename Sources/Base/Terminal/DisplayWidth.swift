internal import Octets

/// How many columns of a terminal text takes, and text cut to fit.
package enum DisplayWidth {
  /// The columns that the text takes: two for a wide character of East Asia or an emoji, none for
  /// a combining mark, else one.
  package static func columns(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text if it fits, else its beginning and `…`, never wider than `width` columns.
  package static func cut(_ text: String, to width: Int) -> String {
    guard columns(of: text) > width else { return text }
    guard width > 0 else { return "" }
    var result = String.UnicodeScalarView()
    var used = 1
    for scalar in text.unicodeScalars {
      used += columns(of: scalar)
      guard used <= width else { break }
      result.append(scalar)
    }
    return String(result) + "…"
  }

  /// The text with spaces behind it up to `width` columns; longer text as it is.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  /// The blocks of East Asian Wide and Fullwidth characters (Unicode TR 11), in broad strokes.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

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
