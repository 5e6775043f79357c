internal import Octets

/// The EXTERNAL mechanism: the server knows by the connection who we are, as by a certificate of TLS (RFC 4422 Appendix A).
package struct External: Mechanism {
  package static let name = [UInt8](ascii: "EXTERNAL")

  private var response: OneResponse

  /// An exchange with an authorization identity; empty for the one that the server derives from the certificate.
  package init(authorization: [UInt8]) {
    response = OneResponse(authorization)
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool { true }

  /// Whether it is among the mechanisms that a server offers.
  package static func isOffered(_ mechanisms: [[UInt8]]) -> Bool {
    mechanisms.contains { $0.equalsCaseless(name) }
  }

  package mutating func initialResponse() -> [UInt8]? { response.takeMessage() }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    guard let message = response.takeMessage(for: challenge) else {
      throw .unexpectedChallenge(mechanism: name)
    }
    return message
  }
}
