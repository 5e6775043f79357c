internal import JSON
internal import Octets

/// What an answer is matched to its request by: a text or a whole number, as the client wrote it.
package enum RequestID: Hashable, Sendable {
  case text(String)
  case number(String)

  /// A longer text is refused, since answers repeat it.
  private static let lengthLimit = 1000

  /// Nil for what may not be one: null, a fraction, a long text.
  init?(_ value: JSONValue) {
    switch value {
    case .string(let text) where text.utf8.count <= Self.lengthLimit: self = .text(text)
    case .number(let text) where Self.isWhole(text): self = .number(text)
    default: return nil
    }
  }

  private static func isWhole(_ text: String) -> Bool {
    let digits = text.utf8.first == ASCII.minus ? text.utf8.dropFirst() : text.utf8[...]
    return (1...20).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
  }

  var value: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let text): .number(text)
    }
  }
}
