internal import Octets

extension JSONValue {
  /// The value as JSON in one line, without a line end.
  package var text: [UInt8] {
    var octets: [UInt8] = []
    append(to: &octets)
    return octets
  }

  private func append(to octets: inout [UInt8]) {
    switch self {
    case .null: octets += [UInt8](ascii: "null")
    case .boolean(let flag): octets += flag ? [UInt8](ascii: "true") : [UInt8](ascii: "false")
    case .number(let number): octets += number.utf8
    case .string(let string): Self.append(string, to: &octets)
    case .array(let values):
      octets.append(ASCII.openBracket)
      for (index, value) in values.enumerated() {
        if index > 0 { octets.append(ASCII.comma) }
        value.append(to: &octets)
      }
      octets.append(ASCII.closeBracket)
    case .object(let members):
      octets.append(ASCII.openBrace)
      for (index, member) in members.enumerated() {
        if index > 0 { octets.append(ASCII.comma) }
        Self.append(member.name, to: &octets)
        octets.append(ASCII.colon)
        member.value.append(to: &octets)
      }
      octets.append(ASCII.closeBrace)
    }
  }

  private static func append(_ string: String, to octets: inout [UInt8]) {
    octets.append(ASCII.quote)
    for octet in string.utf8 {
      switch octet {
      case ASCII.quote, ASCII.backslash: octets += [ASCII.backslash, octet]
      case ASCII.lineFeed: octets += [ASCII.backslash, UInt8(ascii: "n")]
      case ASCII.tab: octets += [ASCII.backslash, UInt8(ascii: "t")]
      case 0..<0x20, ASCII.delete:
        octets += [UInt8](ascii: "\\u") + Hex.digits(UInt64(octet)).suffix(4)
      default: octets.append(octet)
      }
    }
    octets.append(ASCII.quote)
  }
}
