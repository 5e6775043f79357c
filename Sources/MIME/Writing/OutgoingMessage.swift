internal import Octets

/// A message that is being written: what a person gives, as octets that nothing on the way has to change.
///
/// Its lines end with LF, none has more than 998 octets or CR or NUL in it; no field is left for a later program to add.
package struct OutgoingMessage: Hashable, Sendable {
  /// The fields in their order, without those that say how the body is written.
  package var fields: [OutgoingField]

  /// The text and what is attached to it, in their order.
  package var parts: [OutgoingPart]

  /// A message of these fields and parts.
  package init(fields: [OutgoingField], parts: [OutgoingPart]) {
    self.fields = fields
    self.parts = parts
  }

  /// The message.
  ///
  /// - Parameter token: letters and digits for a boundary; another one is made of it where it occurs in a part.
  /// - Returns: its octets.
  package func octets(token: [UInt8]) -> [UInt8] {
    var result = fields.flatMap(\.octets)
    result += OutgoingField([UInt8](ascii: "MIME-Version"), words: [[UInt8](ascii: "1.0")]).octets
    guard parts.count != 1 else {
      append(parts[0], to: &result)
      if result.last != ASCII.lineFeed { result.append(ASCII.lineFeed) }
      return result
    }
    let boundary = boundary(token)
    result += contentFields(boundary).flatMap(\.octets) + [ASCII.lineFeed]
    result.reserveCapacity(result.count + parts.reduce(200) { $0 + $1.size + boundary.count + 4 })
    let delimiter = [ASCII.minus, ASCII.minus] + boundary
    for part in parts {
      result += delimiter + [ASCII.lineFeed]
      append(part, to: &result)
      result.append(ASCII.lineFeed)
    }
    return result + delimiter + [ASCII.minus, ASCII.minus, ASCII.lineFeed]
  }

  private func append(_ part: OutgoingPart, to result: inout [UInt8]) {
    for field in part.fields { result += field.octets }
    result.append(ASCII.lineFeed)
    result += part.body
  }

  private func contentFields(_ boundary: [UInt8]) -> [OutgoingField] {
    let isEightBit = parts.contains(where: \.isEightBit)
    let quoted = [ASCII.quote] + boundary + [ASCII.quote]
    let type = OutgoingField(
      [UInt8](ascii: "Content-Type"),
      words: [[UInt8](ascii: "multipart/mixed;"), [UInt8](ascii: "boundary=") + quoted]
    )
    guard isEightBit else { return [type] }
    let encoding = [UInt8](ascii: "Content-Transfer-Encoding")
    return [type, OutgoingField(encoding, words: [[UInt8](ascii: "8bit")])]
  }

  /// A boundary that is in none of the parts.
  ///
  /// Quoted-printable has no `=_` in it, and base64 no `_`: only what goes as it is can hold one.
  private func boundary(_ token: [UInt8]) -> [UInt8] {
    let start = [UInt8](ascii: "=_magnum_") + token
    var number = 0
    while true {
      let boundary = number == 0 ? start : start + [ASCII.underscore] + [UInt8](decimal: number)
      let delimiter = [ASCII.minus, ASCII.minus] + boundary
      if !parts.contains(where: { $0.hasLine(startingWith: delimiter) }) { return boundary }
      number += 1
    }
  }
}

extension OutgoingPart {
  fileprivate func hasLine(startingWith text: [UInt8]) -> Bool {
    body.split(separator: ASCII.lineFeed).contains { $0.starts(with: text) }
  }
}
