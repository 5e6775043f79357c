internal import Glibc

/// Text in the charsets of the world, turned into UTF-8 by the C library (iconv(3)).
package enum CharsetConversion {
  /// The text as UTF-8.
  ///
  /// What the charset does not know becomes U+FFFD, an octet at a time; a character that is cut off at the end does
  /// too. About 3 µs a call besides the work itself.
  ///
  /// - Parameters:
  ///   - name: what iconv calls the charset; in capitals as a rule, such as `KOI8-R`.
  ///   - octets: the text.
  /// - Returns: nil where the C library has no such charset.
  package static func utf8(_ name: String, _ octets: ArraySlice<UInt8>) -> [UInt8]? {
    guard !name.isEmpty, let converter = iconv_open("UTF-8", name),
      Int(bitPattern: converter) != -1
    else { return nil }
    defer { iconv_close(converter) }
    var input = [UInt8](octets)
    var result: [UInt8] = []
    result.reserveCapacity(input.count * 2)
    input.withUnsafeMutableBytes { convert($0, converter, &result) }
    return result
  }

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  private static func convert(
    _ input: UnsafeMutableRawBufferPointer,
    _ converter: iconv_t,
    _ result: inout [UInt8]
  ) {
    var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
    var left = input.count
    while left > 0 {
      let code = step(&next, &left, converter, &result)
      switch code {
      case EILSEQ:
        result += replacement
        next = next?.advanced(by: 1)
        left -= 1
      case EINVAL:
        result += replacement
        left = 0
      case E2BIG: continue
      default: left = 0
      }
    }
    // What the converter still holds, such as the first half of a pair.
    _ = step(nil, nil, converter, &result)
  }

  /// Converts as much as fits in a piece of output; the error number, or 0.
  private static func step(
    _ next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ left: UnsafeMutablePointer<Int>?,
    _ converter: iconv_t,
    _ result: inout [UInt8]
  ) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      var output = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      var room = buffer.count
      let count = iconv(converter, next, left, &output, &room)
      let code = count == -1 ? errno : 0
      result += UnsafeRawBufferPointer(rebasing: buffer[..<(buffer.count - room)])
      return code
    }
  }
}
