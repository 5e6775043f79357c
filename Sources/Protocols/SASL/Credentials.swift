/// What a user logs in with.
///
/// Printing a value never shows the secret.
package enum Credentials: Hashable, Sendable {
  /// A user name and a password, octets as the server compares them (UTF-8 as a rule).
  case password(user: [UInt8], [UInt8])

  /// A user name and an OAuth 2.0 access token (RFC 6749 §1.4).
  case token(user: [UInt8], [UInt8])

  /// The user name.
  package var user: [UInt8] {
    switch self {
    case .password(let user, _), .token(let user, _): user
    }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    let name = String(decoding: user, as: UTF8.self)
    return switch self {
    case .password: "password of \(name)"
    case .token: "token of \(name)"
    }
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
