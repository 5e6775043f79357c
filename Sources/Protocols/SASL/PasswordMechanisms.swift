internal import Octets

/// The PLAIN mechanism: the password itself, for encrypted connections only (RFC 4616).
package struct Plain: Mechanism {
  package static let name = [UInt8](ascii: "PLAIN")

  private var response: OneResponse

  /// An exchange with a password.
  ///
  /// - Parameters:
  ///   - user: whose password it is; no NUL.
  ///   - password: not empty, no NUL.
  ///   - authorization: whom to act as; `nil` for the user.
  package init(user: [UInt8], password: [UInt8], authorization: [UInt8]? = nil) {
    response = OneResponse((authorization ?? []) + [0] + user + [0] + password)
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool { true }

  package mutating func initialResponse() -> [UInt8]? {
    response.takeMessage()
  }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    guard let message = response.takeMessage(for: challenge) else {
      throw .unexpectedChallenge(mechanism: name)
    }
    return message
  }
}

/// The LOGIN mechanism: user name and password on request, for encrypted connections only.
///
/// Never standardised (draft-murchison-sasl-login); kept for servers that offer nothing else.
/// The text of the two challenges varies, so only their order counts.
package struct Login: Mechanism {
  package static let name = [UInt8](ascii: "LOGIN")

  private var answers: ArraySlice<[UInt8]>

  /// An exchange with a password.
  package init(user: [UInt8], password: [UInt8]) {
    answers = [user, password]
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool { true }

  package mutating func initialResponse() -> [UInt8]? { nil }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    guard let answer = answers.popFirst() else { throw .unexpectedChallenge(mechanism: name) }
    return answer
  }
}
