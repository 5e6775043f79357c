internal import Octets
internal import Sendmail

/// What the program says.
enum SendWords {
  static func text(_ error: UsageError) -> String {
    switch error {
    case .unknownOption(let option): "unknown option \(shown(option))"
    case .missingValue(let option): "\(shown(option)) needs a value"
    case .badValue(let option, let value): "\(shown(option)) does not take \"\(shown(value))\""
    case .unexpectedValue(let option): "\(shown(option)) takes no value"
    case .unsupported(let option): "\(shown(option)) is not supported"
    case .optionBehindRecipient(let option): "\(shown(option)) stands behind a recipient"
    }
  }

  static func text(_ error: LetterError) -> String {
    switch error {
    case .forbiddenOctet(0, let line): "line \(line) of the header holds a NUL"
    case .forbiddenOctet(_, let line): "line \(line) of the header holds a CR without LF"
    case .longHeaderLine(let line): "line \(line) of the header is longer than 998 octets"
    case .unfitBody(let line):
      "line \(line) holds a CR without LF, a NUL, or more than 998 octets, and cannot be changed"
    case .badAddress(let octets): "\"\(shown(octets))\" is no address that can be sent to"
    case .aliasLoop(let name): "the alias \(shown(name)) leads to itself"
    case .unknownNames, .noRecipients: "\(error)"
    }
  }

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}
