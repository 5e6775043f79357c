internal import Octets

/// Ranges as queries have them: `from..to`.
enum RangeText {
  /// The texts on both sides of the dots, one of which may be empty; nil where there are no dots, or nothing else.
  static func bounds(of text: [UInt8]) -> (low: ArraySlice<UInt8>, high: ArraySlice<UInt8>)? {
    let dot = UInt8(ascii: ".")
    let dots = text.indices.dropLast().first { text[$0] == dot && text[$0 + 1] == dot }
    guard let dots, text.count > 2 else { return nil }
    return (text[..<dots], text[(dots + 2)...])
  }
}
