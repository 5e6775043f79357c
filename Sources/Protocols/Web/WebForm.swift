internal import Octets

/// Names and values as `application/x-www-form-urlencoded`, in a query or a body.
package struct WebForm: Hashable, Sendable {
  /// A name with its value, both as octets without any escape.
  package struct Field: Hashable, Sendable {
    package let name: [UInt8]
    /// The value; may be empty.
    package let value: [UInt8]
  }

  /// The fields in their order.
  package private(set) var fields: [Field] = []

  /// A form without fields.
  package init() {}

  /// Reads an encoded form.
  ///
  /// Nil where a `%` is not followed by two hexadecimal digits.
  package init?(_ text: some Collection<UInt8>) {
    for part in [UInt8](text).split(separator: ASCII.ampersand) {
      let halves = part.split(
        separator: ASCII.equals,
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      guard let name = Self.decode(halves[0]),
        let value = halves.count > 1 ? Self.decode(halves[1]) : []
      else { return nil }
      fields.append(Field(name: name, value: value))
    }
  }

  /// Adds a field.
  package mutating func add(_ name: StaticString, _ value: [UInt8]) {
    fields.append(Field(name: [UInt8](ascii: name), value: value))
  }

  /// Adds a field if there is a value.
  package mutating func add(_ name: StaticString, ifPresent value: [UInt8]?) {
    if let value { add(name, value) }
  }

  /// The fields of both.
  package static func + (left: WebForm, right: WebForm) -> WebForm {
    var form = left
    form.fields += right.fields
    return form
  }

  /// The values of all fields of that name.
  package func values(_ name: StaticString) -> [[UInt8]] {
    let name = [UInt8](ascii: name)
    return fields.filter { $0.name == name }.map(\.value)
  }

  /// The form with every octet escaped that is no letter, digit, `-`, `.`, `_` or `~`.
  package var encoded: [UInt8] {
    let parts = fields.map { Self.encode($0.name) + [ASCII.equals] + Self.encode($0.value) }
    return [UInt8](parts.joined(separator: [ASCII.ampersand]))
  }

  private static func encode(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { octet in
      switch octet {
      case ASCII.minus, ASCII.dot, ASCII.underscore, ASCII.tilde: false
      default: !ASCII.isLetter(octet) && !ASCII.isDigit(octet)
      }
    }
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    PercentEscape.unescape(text.map { $0 == ASCII.plus ? ASCII.space : $0 })
  }
}
