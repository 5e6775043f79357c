internal import Octets

/// The octets of a source in base64, in lines that end with LF (RFC 2045 §6.8); encoded as they are read.
struct Base64Lines: OctetSource {
  /// How many octets a line holds, and how many it has with its end.
  private static let (held, length) = (57, 77)

  private let octets: any OctetSource

  init(_ octets: any OctetSource) {
    self.octets = octets
  }

  var count: Int {
    (octets.count + 2) / 3 * 4 + (octets.count + Self.held - 1) / Self.held
  }

  func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let first = range.lowerBound / Self.length
    let end = (range.upperBound - 1) / Self.length + 1
    let source = first * Self.held..<min(octets.count, end * Self.held)
    let lines = Self.lines(try octets.octets(in: source))
    let offset = range.lowerBound - first * Self.length
    return lines[offset..<offset + range.count]
  }

  /// Octets from the beginning of a line on, encoded.
  private static func lines(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    let digits = Base64.encode(octets)
    var lines: [UInt8] = []
    lines.reserveCapacity(digits.count + digits.count / (length - 1) + 1)
    var rest = digits[...]
    while !rest.isEmpty {
      lines += rest.prefix(length - 1)
      lines.append(ASCII.lineFeed)
      rest = rest.dropFirst(length - 1)
    }
    return lines
  }
}
