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

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}
