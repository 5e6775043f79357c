internal import Octets

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
