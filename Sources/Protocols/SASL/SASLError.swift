internal import Octets

/// Why an authentication exchange could not begin or had to be broken off.
package enum SASLError: Error, Hashable, Sendable {
  /// The server offers nothing that fits the credentials.
  ///
  /// `usable` lists what would have fitted, best first; `isEncrypted` is what the choice was told:
  /// without encryption only mechanisms that hide the secret are usable.
  case noMechanism(offered: [[UInt8]], usable: [[UInt8]], isEncrypted: Bool)

  /// The user name, password or token holds an octet the mechanism cannot carry, such as NUL.
  case forbiddenOctet(Field, octet: UInt8)

  /// A challenge came where the mechanism has nothing left to say.
  case unexpectedChallenge(mechanism: [UInt8])

  /// The challenge breaks the grammar of the mechanism; `part` names what was looked for.
  case malformedChallenge(mechanism: [UInt8], part: String)

  /// The server demands a number of SCRAM iterations outside of ``Scram/iterationLimits``.
  ///
  /// Too few would let an eavesdropper guess the password, too many would stop the program.
  case iterationCount(UInt64)

  /// The server's nonce does not continue ours: the reply belongs to another exchange.
  case nonceMismatch

  /// The server's signature is wrong: it does not know the password.
  case wrongServerSignature

  /// The server reported an error inside the exchange (`e=` of SCRAM), here in its own octets.
  case refused(mechanism: [UInt8], detail: [UInt8])

  /// Which of the credentials an error is about.
  package enum Field: Hashable, Sendable {
    case user
    case authorization
    case password
    case token
  }
}

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
