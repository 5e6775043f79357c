internal import Octets

/// Text files with a title line on top and a checksum line at the end.
enum TextFile {
  private static let end = Array("end ".utf8)
  private static let checksumLength = 8

  /// The octets followed by the line that seals them.
  static func seal(_ octets: [UInt8]) -> [UInt8] {
    octets + end + checksum(octets) + [ASCII.lineFeed]
  }

  /// What stands between title and seal, each line with its line end.
  ///
  /// - Throws: `StateError` when title or checksum are not right.
  static func open(
    _ octets: [UInt8],
    title: [UInt8]
  ) throws(StateError) -> ArraySlice<UInt8> {
    guard octets.starts(with: title + [ASCII.lineFeed]) else {
      throw StateError(line: 1, problem: kindProblem(octets, title))
    }
    let sealLength = end.count + checksumLength + 1
    guard octets.count >= title.count + 1 + sealLength, octets.last == ASCII.lineFeed else {
      throw StateError(problem: .truncated)
    }
    let bodyEnd = octets.count - sealLength
    let body = octets[..<bodyEnd]
    guard octets[bodyEnd...].starts(with: end) else { throw StateError(problem: .truncated) }
    guard octets[(bodyEnd + end.count)...].dropLast().elementsEqual(checksum(body)) else {
      throw StateError(problem: .checksum)
    }
    return body[(title.count + 1)...]
  }

  /// The checksum of octets as 8 hexadecimal digits.
  static func checksum(_ octets: some Collection<UInt8>) -> [UInt8] {
    Array(Hex.digits(UInt64(CRC32C.of(octets))).suffix(checksumLength))
  }

  private static func kindProblem(_ octets: [UInt8], _ title: [UInt8]) -> StateError.Problem {
    let kind = title.prefix { $0 != ASCII.space }
    return octets.starts(with: kind) ? .unknownVersion : .wrongKind
  }
}
