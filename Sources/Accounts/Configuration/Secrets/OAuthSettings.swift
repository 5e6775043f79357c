package import OAuth
internal import Octets
package import Platform
package import Web

/// Commands that keep a login, such as those of a keyring.
package struct GrantCommands: Hashable, Sendable {
  /// Prints what ``write`` got last.
  package let read: ChildProcess.Command
  /// Keeps what it reads on standard input.
  package let write: ChildProcess.Command
}

/// The keys of `[account.NAME.oauth]`: at which authorization server an account logs in, and as what client.
package struct OAuthSettings: Hashable, Sendable {
  /// The authorization server.
  package enum Server: Hashable, Sendable {
    /// One whose endpoints are known, and the organisation there.
    case provider(OAuthProvider, tenant: [UInt8]?)
    /// One that says itself where its endpoints are (RFC 8414); the octets are those of the file.
    case issuer(WebAddress, octets: [UInt8])
    /// These endpoints.
    case endpoints(OAuthEndpoints)
  }

  /// The name of the account.
  package let account: String

  /// The authorization server.
  package let server: Server

  /// The client id; nil where the program registers itself (RFC 7591).
  package let clientID: [UInt8]?

  /// What prints the client secret; nil for a public client.
  package let clientSecret: ChildProcess.Command?

  /// The scopes to ask for; empty for the server's own choice, nil where neither file nor provider names any.
  package let scopes: [[UInt8]]?

  /// Who is to log in; nil to leave that open.
  package let loginHint: [UInt8]?

  /// How tokens are got without a person; nil where a person logs in.
  package let machine: MachineLogin?

  /// What a login is made for: the authorization server, and the hosts that get the token.
  package let binding: Grant.Binding

  /// What keeps the login in place of a file; nil for the file.
  package let store: GrantCommands?

  /// How the authorization server is reached.
  package let proxy: ProxyRule

  /// The directory for what is remembered of the account.
  package let directory: Path

  /// The file with the tokens, whether it is there or not.
  package var grantFile: Path { directory.appending(Self.grantFileName) }

  /// The name of that file in the account's directory.
  package static let grantFileName = [UInt8](ascii: "oauth")
}
