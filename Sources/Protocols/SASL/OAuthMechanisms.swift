internal import Octets

/// The OAUTHBEARER mechanism: an OAuth 2.0 access token (RFC 7628).
package struct OAuthBearer: Mechanism {
  package static let name = [UInt8](ascii: "OAUTHBEARER")

  package private(set) var serverError: [UInt8]?
  private var response: OneResponse

  /// An exchange with an access token.
  ///
  /// - Parameters:
  ///   - user: the authorization identity, the mail address as a rule; no control characters.
  ///   - token: the access token without `Bearer`.
  ///   - host: the name of the server as it was asked for; empty to leave it out.
  ///   - port: the port of the server; 0 to leave it out.
  package init(user: [UInt8], token: [UInt8], host: String, port: UInt16) {
    var message = [UInt8](ascii: "n,a=") + GS2.escape(user) + [ASCII.comma, 1]
    if !host.isEmpty { message += [UInt8](ascii: "host=") + Array(host.utf8) + [1] }
    if port != 0 { message += [UInt8](ascii: "port=") + [UInt8](decimal: port) + [1] }
    message += [UInt8](ascii: "auth=Bearer ") + token + [1, 1]
    response = OneResponse(message)
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool { true }

  package mutating func initialResponse() -> [UInt8]? {
    response.takeMessage()
  }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    if let message = response.takeMessage(for: challenge) { return message }
    guard response.isSent, serverError == nil else {
      throw .unexpectedChallenge(mechanism: name)
    }
    // RFC 7628 §3.2.3: the error is acknowledged by a lone %x01, then the server refuses.
    serverError = challenge
    return [1]
  }
}

/// The XOAUTH2 mechanism: an access token in the form that Google and Microsoft made up.
///
/// Not an RFC; https://developers.google.com/workspace/gmail/imap/xoauth2-protocol describes it.
package struct XOAuth2: Mechanism {
  package static let name = [UInt8](ascii: "XOAUTH2")

  package private(set) var serverError: [UInt8]?
  private var response: OneResponse

  /// An exchange with an access token.
  ///
  /// - Parameters:
  ///   - user: the mail address as a rule; no control characters.
  ///   - token: the access token without `Bearer`.
  package init(user: [UInt8], token: [UInt8]) {
    response = OneResponse(
      [UInt8](ascii: "user=") + user + [1]
        + [UInt8](ascii: "auth=Bearer ") + token + [1, 1]
    )
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool { true }

  package mutating func initialResponse() -> [UInt8]? {
    response.takeMessage()
  }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    if let message = response.takeMessage(for: challenge) { return message }
    guard response.isSent, serverError == nil else {
      throw .unexpectedChallenge(mechanism: name)
    }
    // The error as JSON; an empty response makes the server end the exchange with its refusal.
    serverError = challenge
    return []
  }
}

/// The bookkeeping of mechanisms whose whole message is the initial response.
struct OneResponse: Sendable {
  private let message: [UInt8]
  private(set) var isSent = false

  init(_ message: [UInt8]) {
    self.message = message
  }

  /// The message, once it is time to send it.
  mutating func takeMessage() -> [UInt8] {
    isSent = true
    return message
  }

  /// The message for a server that asks for it with an empty challenge; `nil` when it was sent.
  mutating func takeMessage(for challenge: [UInt8]) -> [UInt8]? {
    !isSent && challenge.isEmpty ? takeMessage() : nil
  }
}
