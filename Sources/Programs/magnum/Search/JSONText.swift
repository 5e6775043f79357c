internal import Terminal

/// Strings of JSON that stand alone.
enum JSONText {
  /// The octets as a string, in quotation marks.
  static func string(_ octets: [UInt8]) -> [UInt8] {
    var line = JSONLine()
    line.add("", String(decoding: octets, as: UTF8.self))
    // {"":"…"} and a line end.
    return Array(line.octets.dropFirst(4).dropLast(2))
  }
}
