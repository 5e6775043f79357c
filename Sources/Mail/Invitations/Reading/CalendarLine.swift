internal import Octets

/// A content line of a calendar: a name, parameters and a value (RFC 5545 §3.1).
package struct CalendarLine: Hashable, Sendable {
  /// A parameter; the quotes of its values are undone.
  package struct Parameter: Hashable, Sendable {
    /// The name in large letters.
    package let name: [UInt8]
    package let values: [[UInt8]]
    /// As it was written.
    package let raw: [UInt8]
  }

  /// The name in large letters.
  package let name: [UInt8]

  package var parameters: [Parameter]

  /// What stands behind the colon, as it was written.
  package private(set) var value: [UInt8]

  package init(_ name: StaticString, parameters: [Parameter] = [], _ value: [UInt8]) {
    self.name = [UInt8](ascii: name)
    self.parameters = parameters
    self.value = value
  }

  /// A line that is made whole; nil for one without a name or a colon.
  package init?(_ line: ArraySlice<UInt8>) {
    var cursor = Cursor(line)
    let name = cursor.take(while: Self.isName)
    guard !name.isEmpty else { return nil }
    var parameters: [Parameter] = []
    while cursor.skip(ASCII.semicolon) {
      guard let parameter = Self.parameter(&cursor) else { return nil }
      parameters.append(parameter)
    }
    guard cursor.skip(ASCII.colon) else { return nil }
    self.name = name.map(ASCII.uppercased)
    self.parameters = parameters
    value = [UInt8](cursor.takeAll())
  }

  private static func isName(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.underscore
  }

  /// Whether an octet stands in a value of a parameter that has no quotes.
  private static func isPlain(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.comma, ASCII.semicolon, ASCII.colon, ASCII.quote: false
    default: true
    }
  }

  private static func parameter(_ cursor: inout Cursor) -> Parameter? {
    let start = cursor.remaining
    let name = cursor.take(while: isName)
    guard !name.isEmpty, cursor.skip(ASCII.equals) else { return nil }
    var values: [[UInt8]] = []
    repeat {
      if cursor.skip(ASCII.quote) {
        guard let value = cursor.take(upTo: ASCII.quote), cursor.skip(ASCII.quote) else {
          return nil
        }
        values.append([UInt8](value))
      } else {
        values.append([UInt8](cursor.take(while: Self.isPlain)))
      }
    } while cursor.skip(ASCII.comma)
    let raw = [UInt8](start.prefix(start.count - cursor.remaining.count))
    return Parameter(name: name.map(ASCII.uppercased), values: values, raw: raw)
  }

  /// Whether it has that name, which is in large letters.
  package func isNamed(_ name: StaticString) -> Bool { self.name.equalsCaseless(name) }

  /// The first value of a parameter; nil where there is none.
  package func parameter(_ name: StaticString) -> [UInt8]? {
    parameters.first { $0.name.equalsCaseless(name) }?.values.first
  }

  /// The value as text, escapes undone (RFC 5545 §3.3.11).
  package var text: [UInt8] {
    guard value.contains(ASCII.backslash) else { return value }
    var result: [UInt8] = []
    var isEscaped = false
    for octet in value {
      switch octet {
      case _ where isEscaped:
        result.append(ASCII.lowercased(octet) == UInt8(ascii: "n") ? ASCII.lineFeed : octet)
        isEscaped = false
      case ASCII.backslash: isEscaped = true
      default: result.append(octet)
      }
    }
    return result
  }

  /// A text as the value of a line: what means something there is escaped, and other controls are blanks.
  package static func escaped(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { octet -> [UInt8] in
      switch octet {
      case ASCII.backslash, ASCII.comma, ASCII.semicolon: [ASCII.backslash, octet]
      case ASCII.lineFeed: [ASCII.backslash, UInt8(ascii: "n")]
      case ASCII.carriageReturn: []
      case _ where ASCII.isControl(octet): [ASCII.space]
      default: [octet]
      }
    }
  }

  /// The line with blanks for controls, for which other programs refuse a whole calendar.
  var withoutControls: CalendarLine {
    func blanked(_ octets: [UInt8]) -> [UInt8] {
      octets.map { ASCII.isControl($0) && $0 != ASCII.tab ? ASCII.space : $0 }
    }
    var line = self
    line.value = blanked(value)
    line.parameters = parameters.map {
      Parameter(name: $0.name, values: $0.values.map(blanked), raw: blanked($0.raw))
    }
    return line
  }

  /// The line as it was written, folds undone.
  package var octets: [UInt8] {
    name + parameters.flatMap { [ASCII.semicolon] + $0.raw } + [ASCII.colon] + value
  }

  /// The line folded after at most 75 octets, never within a character, and its CRLF (RFC 5545 §3.1).
  package var folded: [UInt8] {
    var (result, rest, room): ([UInt8], ArraySlice<UInt8>, Int) = ([], octets[...], 75)
    while rest.count > room {
      var end = rest.startIndex + room
      while end > rest.startIndex + 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
      result += rest[..<end] + [ASCII.carriageReturn, ASCII.lineFeed, ASCII.space]
      (rest, room) = (rest[end...], 74)
    }
    return result + rest + [ASCII.carriageReturn, ASCII.lineFeed]
  }
}
