internal import Octets

/// The way from the octets of a text part to UTF-8.
enum PartText {
  static func decode(_ part: Part, _ decoder: CharsetDecoder, limit: Int) -> [UInt8] {
    let decoded = part.encoding.decode(part.body.prefix(limit))
    let text = decoder.decode(decoded[...], charset(part, decoded))
    return withLineFeeds(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...])
  }

  private static func charset(_ part: Part, _ text: [UInt8]) -> Charset {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    let isMute = { (charset: Charset?) in charset == nil || charset == .ascii }
    let named = part.contentType.charset
    guard isMute(named), part.contentType.isHTML else {
      return named ?? .unlabelled
    }
    return metaCharset(text.prefix(2000)) ?? named ?? .unlabelled
  }

  /// What a `<meta … charset=…>` near the beginning of an HTML text says; `nil` when none does.
  private static func metaCharset(_ text: ArraySlice<UInt8>) -> Charset? {
    let key = [UInt8](ascii: "charset=")
    let lowered = text.map { ASCII.lowercased($0) }
    guard lowered.count > key.count else { return nil }
    for start in 0..<lowered.count - key.count where lowered[start] == key[0] {
      guard lowered[start..<start + key.count].elementsEqual(key) else { continue }
      let value = lowered[(start + key.count)...].drop { $0 == ASCII.quote || $0 == 0x27 }
      let label = value.prefix {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F
      }
      return label.isEmpty ? nil : Charset(label: label)
    }
    return nil
  }

  /// The text with CR LF and lone CR made LF.
  static func withLineFeeds(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(ASCII.carriageReturn) else { return [UInt8](text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isAfterReturn = false
    for octet in text {
      switch octet {
      case ASCII.carriageReturn: result.append(ASCII.lineFeed)
      case ASCII.lineFeed where isAfterReturn: break
      default: result.append(octet)
      }
      isAfterReturn = octet == ASCII.carriageReturn
    }
    return result
  }
}
