/// One authentication exchange as a value: challenges of the server in, responses out (RFC 4422).
///
/// Nothing here is base64; the protocol that carries the exchange adds that. A driver
/// 1. sends ``initialResponse()`` with the command where the protocol allows it, and
/// 2. answers every challenge with ``respond(to:)``, and
/// 3. after the server's success asks ``isServerVerified`` before it trusts the server.
///
/// Where an initial response cannot go with the command, the driver leaves step 1 out: the first
/// challenge is empty then, and ``respond(to:)`` answers it with the initial response.
package protocol Mechanism: Sendable {
  /// The registered name in capitals, such as `SCRAM-SHA-256`.
  var name: [UInt8] { get }

  /// Whether nothing is left to verify about the server.
  ///
  /// For SCRAM only after the right server signature; mechanisms in which the server proves
  /// nothing say `true` from the start.
  var isServerVerified: Bool { get }

  /// What the server said about a failure inside the exchange, such as the JSON of OAUTHBEARER.
  ///
  /// `nil` when it said nothing; unchecked octets of the server otherwise.
  var serverError: [UInt8]? { get }

  /// Whether the server, where it refused, may have done so because of the type of channel binding: it has not seen yet
  /// that the secret is right.
  var mayHaveWrongBinding: Bool { get }

  /// The response to send before any challenge; `nil` when the server speaks first.
  mutating func initialResponse() -> [UInt8]?

  /// The response to a challenge; empty means an empty response, which must be sent.
  ///
  /// - Throws: ``SASLError`` when the challenge makes no sense or the server is not the one that
  ///   knows the secret. The driver then cancels the exchange.
  mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8]
}

extension Mechanism {
  package var serverError: [UInt8]? { nil }

  /// Most mechanisms are bound to nothing.
  package var mayHaveWrongBinding: Bool { false }
}
