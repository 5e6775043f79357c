internal import Octets

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
