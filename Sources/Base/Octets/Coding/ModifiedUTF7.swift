/// The encoding of mailbox names outside ASCII (RFC 3501 §5.1.3): `Entw&APw-rfe` is Entwürfe.
package enum ModifiedUTF7 {
  private static let alphabet = [UInt8](
    ascii: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,"
  )

  /// The name in UTF-8.
  ///
  /// `nil` when the name is malformed, or is not the one form that RFC 3501 allows for its text. Other forms encode a letter
  /// that needs no encoding, have two runs instead of one, or 8-bit octets. For them `encode(decode(x))` would not be `x`, and
  /// two names could become one.
  package static func decode(_ name: some Collection<UInt8>) -> [UInt8]? {
    var cursor = Cursor([UInt8](name))
    var result: [UInt8] = []
    while let octet = cursor.next() {
      guard octet == ASCII.ampersand else {
        result.append(octet)
        continue
      }
      guard let run = cursor.take(upTo: ASCII.minus), cursor.skip(ASCII.minus),
        let decoded = decodeRun(run)
      else { return nil }
      result += decoded
    }
    return encode(result).flatMap { $0.elementsEqual(name) ? result : nil }
  }

  /// The name as it goes over the wire; `nil` when the octets are not valid UTF-8.
  package static func encode(_ utf8: some Collection<UInt8>) -> [UInt8]? {
    guard let text = String(validating: utf8, as: UTF8.self) else { return nil }
    var result: [UInt8] = []
    var run: [UInt8] = []
    for unit in text.utf16 {
      guard let octet = UInt8(exactly: unit), (0x20...0x7E).contains(octet) else {
        run.append(UInt8(truncatingIfNeeded: unit >> 8))
        run.append(UInt8(truncatingIfNeeded: unit))
        continue
      }
      flush(&run, into: &result)
      result.append(octet)
      if octet == ASCII.ampersand { result.append(ASCII.minus) }
    }
    flush(&run, into: &result)
    return result
  }

  private static func flush(_ run: inout [UInt8], into result: inout [UInt8]) {
    guard !run.isEmpty else { return }
    result.append(ASCII.ampersand)
    result += Base64.encodeUnpadded(run, alphabet: alphabet)
    result.append(ASCII.minus)
    run = []
  }

  /// The UTF-8 of what stands between `&` and `-`; an empty run is the ampersand itself.
  private static func decodeRun(_ run: ArraySlice<UInt8>) -> [UInt8]? {
    guard !run.isEmpty else { return [ASCII.ampersand] }
    guard let octets = Base64.decodeUnpadded(run, value: value), octets.count % 2 == 0 else {
      return nil
    }
    let units = stride(from: 0, to: octets.count, by: 2).map {
      UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
    }
    return String(validating: units, as: UTF16.self).map { [UInt8]($0.utf8) }
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case ASCII.plus: 62
    case ASCII.comma: 63
    default: Base64.letterValue(character)
    }
  }
}
