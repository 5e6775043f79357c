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
