internal import Octets

extension SASLError: CustomStringConvertible {
  /// The facts on one line, fit for a terminal; for traces and tests, not for the user's eyes.
  package var description: String {
    switch self {
    case .noMechanism(let offered, let usable, let isEncrypted):
      "no mechanism: offered \(Self.list(offered)), usable \(Self.list(usable))"
        + (isEncrypted ? "" : " without encryption")
    case .forbiddenOctet(let field, let octet):
      "\(field): forbidden octet \(Printable.text([octet]))"
    case .unexpectedChallenge(let mechanism):
      "\(Printable.text(mechanism)): unexpected challenge"
    case .malformedChallenge(let mechanism, let part):
      "\(Printable.text(mechanism)): malformed \(part)"
    case .iterationCount(let count):
      "iteration count \(count)"
    case .nonceMismatch:
      "nonce mismatch"
    case .wrongServerSignature:
      "wrong server signature"
    case .refused(let mechanism, let detail):
      "\(Printable.text(mechanism)): refused: \(Printable.text(detail))"
    }
  }

  private static func list(_ names: [[UInt8]]) -> String {
    names.isEmpty ? "none" : names.map { Printable.text($0) }.joined(separator: " ")
  }
}
