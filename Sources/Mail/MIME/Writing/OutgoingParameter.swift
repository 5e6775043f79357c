internal import Octets

/// A parameter of a field such as Content-Disposition, its value in any script (RFC 2045 §5.1, RFC 2231).
enum OutgoingParameter {
  /// The longest value that is not cut into pieces, in octets as it is written: with the rest it fits into a line.
  private static let pieceLimit = 54

  /// The parameter as words, each but the last with its semicolon.
  static func words(_ name: [UInt8], _ value: [UInt8]) -> [[UInt8]] {
    if value.allSatisfy({ $0 >= ASCII.space && $0 < ASCII.delete }), value.count <= pieceLimit {
      return [name + [ASCII.equals] + quoted(value)]
    }
    let pieces = pieces(value)
    return pieces.enumerated().map { number, piece in
      let mark = pieces.count == 1 ? [] : [ASCII.asterisk] + [UInt8](decimal: number)
      let charset = number == 0 ? [UInt8](ascii: "utf-8''") : []
      let end = number + 1 < pieces.count ? [ASCII.semicolon] : []
      return name + mark + [ASCII.asterisk, ASCII.equals] + charset + piece + end
    }
  }

  /// A parameter whose value is ASCII, in one word however long it is, as it may be extended already.
  static func kept(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
    let isExtended = name.contains(ASCII.asterisk) && value.allSatisfy(isOfExtended)
    return name + [ASCII.equals] + (isExtended ? value : quoted(value))
  }

  private static func isOfExtended(_ octet: UInt8) -> Bool {
    isToken(octet) || octet == ASCII.percent || octet == ASCII.apostrophe
  }

  private static func quoted(_ value: [UInt8]) -> [UInt8] {
    if !value.isEmpty, value.allSatisfy(isToken) { return value }
    return [ASCII.quote]
      + value.flatMap { $0 == ASCII.quote || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0] }
      + [ASCII.quote]
  }

  /// The value with escapes, cut between characters.
  private static func pieces(_ value: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    for scalar in String(decoding: value, as: UTF8.self).unicodeScalars {
      let escaped = PercentEscape.escape([UInt8](String(scalar).utf8)) { !isToken($0) }
      if pieces[pieces.count - 1].count + escaped.count > pieceLimit { pieces.append([]) }
      pieces[pieces.count - 1] += escaped
    }
    return pieces
  }

  /// What may stand in a token and means nothing in an extended value either.
  private static func isToken(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus || octet == ASCII.dot
      || octet == ASCII.underscore || octet == ASCII.plus
  }
}
