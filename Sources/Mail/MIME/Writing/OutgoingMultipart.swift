internal import Octets

/// Parts that are one part together, such as a text in two forms, or a page and its pictures.
struct OutgoingMultipart: Sendable {
  /// Its media type, such as `multipart/alternative`.
  private let type: [UInt8]

  /// The parameters of its Content-Type besides the boundary.
  private let parameters: [[UInt8]]

  private(set) var parts: [OutgoingPart]

  /// Letters and digits for the boundary; another one is made of it where it occurs in a part.
  private let token: [UInt8]

  init(_ type: [UInt8], _ parameters: [[UInt8]] = [], _ parts: [OutgoingPart], token: [UInt8]) {
    (self.type, self.parameters, self.parts, self.token) = (type, parameters, parts, token)
  }

  /// What each boundary begins with.
  static let boundaryStart = [UInt8](ascii: "=_magnum_")

  /// Whether a part has octets above 127.
  var isEightBit: Bool { parts.contains(where: \.isEightBit) }

  /// The same with other parts.
  func with(_ parts: [OutgoingPart]) -> OutgoingMultipart {
    var result = self
    result.parts = parts
    return result
  }

  /// The words of its Content-Type.
  func type(_ boundary: [UInt8]) -> [[UInt8]] {
    let quoted = [ASCII.quote] + boundary + [ASCII.quote]
    return [type + [ASCII.semicolon]] + parameters.map { $0 + [ASCII.semicolon] }
      + [[UInt8](ascii: "boundary=") + quoted]
  }

  /// The fields that say how it is written.
  func fields(_ boundary: [UInt8]) -> [OutgoingField] {
    let type = OutgoingField([UInt8](ascii: "Content-Type"), words: type(boundary))
    guard isEightBit else { return [type] }
    let encoding = [UInt8](ascii: "Content-Transfer-Encoding")
    return [type, OutgoingField(encoding, words: [[UInt8](ascii: "8bit")])]
  }

  /// Writes the parts, with what stands between them and behind the last.
  func write(to result: inout JoinedOctets, _ boundary: [UInt8]) {
    let delimiter = [ASCII.minus, ASCII.minus] + boundary
    var text: [UInt8] = []
    for part in parts {
      text += delimiter + [ASCII.lineFeed] + part.header
      result.append(text)
      result.append(part.body)
      text = [ASCII.lineFeed]
    }
    result.append(text + delimiter + [ASCII.minus, ASCII.minus, ASCII.lineFeed])
  }

  /// A boundary that is in none of the parts.
  func boundary() throws(SourceError) -> [UInt8] {
    let start = Self.boundaryStart + token
    var number = 0
    while true {
      let boundary = number == 0 ? start : start + [ASCII.underscore] + [UInt8](decimal: number)
      let delimiter = [ASCII.minus, ASCII.minus] + boundary
      if try !hasLine(startingWith: delimiter) { return boundary }
      number += 1
    }
  }

  private func hasLine(startingWith text: [UInt8]) throws(SourceError) -> Bool {
    for part in parts where part.canHoldBoundary {
      if try part.body.hasLine(startingWith: text) { return true }
    }
    return false
  }
}
