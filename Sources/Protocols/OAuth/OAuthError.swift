internal import Octets

/// An error as an authorization server names it (RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5).
package struct OAuthError: Error, Hashable, Sendable {
  /// The word for programs, such as `invalid_grant`; cut to 100 octets.
  package let code: [UInt8]
  /// What the server says about it to people; nil where it says nothing; cut to 1000 octets.
  package let description: [UInt8]?

  /// The error that a server named.
  package init(code: [UInt8], description: [UInt8]?) {
    self.code = [UInt8](code.prefix(100))
    self.description = description.map { [UInt8]($0.prefix(1000)) }
  }

  /// What an error means for a login that is kept.
  package enum Meaning: Hashable, Sendable {
    /// It has ended: a person has to log in again.
    case loginEnded
    /// The server cannot answer now.
    case notNow
    /// The person has not finished yet.
    case pending
    /// The person has not finished yet, and the server is asked too often.
    case slowDown
    /// Something about the client or the request is wrong; also every word that is not known.
    case configuration
  }

  /// What it means.
  package var meaning: Meaning {
    switch String(decoding: code, as: UTF8.self) {
    case "invalid_grant", "access_denied", "expired_token", "interaction_required",
      "consent_required", "login_required":
      .loginEnded
    case "temporarily_unavailable", "server_error": .notNow
    case "authorization_pending": .pending
    case "slow_down": .slowDown
    default: .configuration
    }
  }

  /// Whether the server does not know the client, or does not let it do this (RFC 6749 §5.2).
  package var isAboutClient: Bool {
    code == [UInt8](ascii: "invalid_client") || code == [UInt8](ascii: "unauthorized_client")
  }

  /// The word and what the server says about it, in one line fit for a terminal.
  package var text: String {
    Printable.text(code) + (description.map { ": \(Printable.text($0, limit: 300))" } ?? "")
  }
}
