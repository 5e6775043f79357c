package import JSON
internal import Octets

/// What was said is not what the protocol has: a member that is missing, of another type or out of range.
package struct WireMistake: Error, Hashable, Sendable {
  package let expected: String

  package init(_ expected: String) {
    self.expected = expected
  }
}

// Octets that need not be text, and numbers that JSON would round, as values of JSON, and back.
extension JSONValue {
  /// Octets: a string where they are UTF-8, else an object with their hexadecimal digits.
  package static func octets(_ octets: some Collection<UInt8>) -> JSONValue {
    if let text = String(validating: octets, as: UTF8.self) { return .string(text) }
    return .object([("hex", .string(String(decoding: Hex.encode(octets), as: UTF8.self)))])
  }

  /// 64 bits, as 16 hexadecimal digits.
  package static func bits(_ number: UInt64) -> JSONValue {
    .string(String(decoding: Hex.digits(number), as: UTF8.self))
  }

  /// A whole number.
  package static func integer(_ number: some BinaryInteger) -> JSONValue { .number("\(number)") }

  /// The octets that ``octets(_:)-swift.type.method`` made this of.
  package func wireOctets() throws(WireMistake) -> [UInt8] {
    if let octets { return octets }
    guard let digits = member("hex")?.octets, let octets = Hex.decode(digits) else {
      throw WireMistake("octets")
    }
    return octets
  }

  /// The text of a string.
  package func wireText() throws(WireMistake) -> String {
    guard case .string(let text) = self else { throw WireMistake("a string") }
    return text
  }

  /// The number that ``bits(_:)`` made this of.
  package func wireBits() throws(WireMistake) -> UInt64 {
    guard let digits = octets, digits.count == 16, let value = Hex.value(digits) else {
      throw WireMistake("16 hexadecimal digits")
    }
    return value
  }

  /// A whole number of a type.
  package func wireInteger<Number: FixedWidthInteger>() throws(WireMistake) -> Number {
    guard case .number(let text) = self, let number = Number(text) else {
      throw WireMistake("a whole number")
    }
    return number
  }

  /// True or false.
  package func wireFlag() throws(WireMistake) -> Bool {
    guard case .boolean(let flag) = self else { throw WireMistake("true or false") }
    return flag
  }

  /// The elements of an array.
  package func wireElements() throws(WireMistake) -> [JSONValue] {
    guard case .array(let elements) = self else { throw WireMistake("an array") }
    return elements
  }

  /// A member that has to be there.
  package func wire(_ name: String) throws(WireMistake) -> JSONValue {
    guard let value = member(name) else { throw WireMistake("a member \(name)") }
    return value
  }

  /// A member that may be null or not there: nil then.
  package func wire(ifPresent name: String) -> JSONValue? {
    let value = member(name)
    return value == .null ? nil : value
  }
}
