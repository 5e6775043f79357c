/// Octets from strangers made fit for the eyes of people and for their terminals.
package enum Printable {
  /// The octets as text that cannot steer a terminal or hide what it says.
  ///
  /// Valid UTF-8 is decoded. Octets that are not, and the controls 0…31 and 127, become `\xNN`;
  /// C1 controls, bidirectional controls, zero-width and other invisible characters, line and
  /// paragraph separators become `\u{…}`. After `limit` characters comes `…` for the rest.
  package static func text(_ octets: some Collection<UInt8>, limit: Int = 1000) -> String {
    var result: [UInt8] = []
    append(octets, to: &result, limit: limit)
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends what ``text(_:limit:)`` gives, as UTF-8; the time grows with the number of octets alone.
  package static func append(
    _ octets: some Collection<UInt8>,
    to result: inout [UInt8],
    limit: Int = .max
  ) {
    let octets = [UInt8](octets)
    var shown = 0
    var index = 0
    while index < octets.count {
      guard shown < limit else {
        result += "…".utf8
        break
      }
      if (0x20..<0x7F).contains(octets[index]) {
        result.append(octets[index])
        index += 1
      } else {
        index += appendNext(of: octets[index...], to: &result)
      }
      shown += 1
    }
  }

  /// Appends the first character or invalid octet; returns how many octets that took.
  private static func appendNext(
    of octets: ArraySlice<UInt8>,
    to result: inout [UInt8]
  ) -> Int {
    var parser = UTF8.ForwardParser()
    var iterator = octets.makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else {
      result += escaped(octets[octets.startIndex]).utf8
      return 1
    }
    let scalar = UTF8.decode(encoded)
    if isVisible(scalar) {
      result += octets.prefix(encoded.count)
    } else {
      result += escaped(scalar).utf8
    }
    return encoded.count
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return !ASCII.isControl(UInt8(truncatingIfNeeded: scalar.value)) }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default: break
    }
    // A variation selector only chooses the picture of what stands before it.
    return !scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isVariationSelector
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII { return escaped(UInt8(truncatingIfNeeded: scalar.value)) }
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  private static func escaped(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 16, uppercase: true)
    return digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
  }
}

/// A line of a conversation with a server, made fit for eyes: secrets and messages are cut.
package struct TraceLine: Hashable, Sendable {
  /// Who spoke.
  package enum Direction: Hashable, Sendable {
    /// We, or the server.
    case sent, received
  }

  /// Who spoke.
  package let direction: Direction

  /// The line without its end, at most 1,000 characters, safe for a terminal.
  package let text: String

  package init(_ direction: Direction, _ octets: [UInt8]) {
    self.direction = direction
    text = Printable.text(octets)
  }

  /// The line with who spoke before it: `C: ` or `S: `.
  package var display: String {
    (direction == .sent ? "C: " : "S: ") + text
  }
}
