/// The base64 encoding with padding (RFC 4648 §4).
package enum Base64 {
  private static let alphabet = [UInt8](
    ascii: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  )

  /// Whether the octet is a digit of base64; `=` is padding.
  package static func isDigit(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.plus || octet == ASCII.slash
  }

  /// The octets in base64, padded with `=` to a multiple of four.
  package static func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
    var result = encodeUnpadded([UInt8](octets), alphabet: alphabet)
    while result.count % 4 != 0 { result.append(ASCII.equals) }
    return result
  }

  /// The octets in base64, in lines of 76 digits that end with LF (RFC 2045 §6.8).
  package static func encodeLines(_ octets: some Collection<UInt8>) -> [UInt8] {
    let length = 76
    let digits = encode(octets)
    var lines: [UInt8] = []
    lines.reserveCapacity(digits.count + digits.count / length + 1)
    var rest = digits[...]
    while !rest.isEmpty {
      lines += rest.prefix(length)
      lines.append(ASCII.lineFeed)
      rest = rest.dropFirst(length)
    }
    return lines
  }

  /// The octets that the base64 text stands for.
  ///
  /// `nil` when the text is not exactly what `encode` makes: a foreign character (line ends
  /// too), missing or misplaced padding, bits left over that are not zero.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = [UInt8](text)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == ASCII.equals }.count
    return decodeUnpadded(text.dropLast(padding), value: value)
  }

  static func encodeUnpadded(_ octets: [UInt8], alphabet: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (octets.count * 4 + 2) / 3) { result, count in
      octets.withUnsafeBufferPointer { octets in
        alphabet.withUnsafeBufferPointer { alphabet in
          count = encodeUnpadded(octets, alphabet, into: result)
        }
      }
    }
  }

  private static func encodeUnpadded(
    _ octets: UnsafeBufferPointer<UInt8>,
    _ alphabet: UnsafeBufferPointer<UInt8>,
    into result: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (bits, held, count) = (UInt32(0), UInt32(0), 0)
    for octet in octets {
      bits = bits << 8 | UInt32(octet)
      held += 8
      while held >= 6 {
        held -= 6
        result[count] = alphabet[Int(bits >> held & 63)]
        count += 1
      }
    }
    guard held > 0 else { return count }
    result[count] = alphabet[Int(bits << (6 - held) & 63)]
    return count + 1
  }

  static func decodeUnpadded(
    _ text: ArraySlice<UInt8>,
    value: (UInt8) -> UInt32?
  ) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var held = 0
    for character in text {
      guard let six = value(character) else { return nil }
      bits = bits << 6 | six
      held += 6
      guard held >= 8 else { continue }
      held -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> held))
    }
    return bits & (1 << held - 1) == 0 ? result : nil
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case ASCII.plus: 62
    case ASCII.slash: 63
    default: letterValue(character)
    }
  }

  /// The value of what all variants of base64 share: letters and digits.
  static func letterValue(_ character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character - 0x41)
    case 0x61...0x7A: UInt32(character - 0x61 + 26)
    case 0x30...0x39: UInt32(character - 0x30 + 52)
    default: nil
    }
  }
}

/// Puts what is base64 already into lines of 76 digits that end with LF; what is neither digit nor padding goes (RFC 2045 §6.8).
package struct Base64Rewrapper: OctetConverter {
  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  private var length = 0
  private let keepsBlankEnd: Bool

  /// The last two octets that were taken.
  private var last: [UInt8] = []

  /// A converter at the beginning of a body.
  ///
  /// - Parameter keepsBlankEnd: whether an empty line at the end of the body stays one.
  package init(keepsBlankEnd: Bool) {
    self.keepsBlankEnd = keepsBlankEnd
  }

  /// The digits of the next octets in lines; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + octets.count / Self.lineLimit + 2)
    for octet in octets where Base64.isDigit(octet) || octet == ASCII.equals {
      result.append(octet)
      length += 1
      if length == Self.lineLimit { endLine(&result) }
    }
    last = [UInt8]((last + octets.suffix(2)).suffix(2))
    guard isEnd else { return result }
    if length > 0 { endLine(&result) }
    if keepsBlankEnd, last == [ASCII.lineFeed, ASCII.lineFeed] { result.append(ASCII.lineFeed) }
    return result
  }

  private mutating func endLine(_ result: inout [UInt8]) {
    result.append(ASCII.lineFeed)
    length = 0
  }
}
