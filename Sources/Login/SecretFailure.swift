package import Configuration

/// Why there is no secret to log in with.
package enum SecretFailure: Error, Hashable, Sendable {
  /// Its source does not give one.
  case source(SecretError)

  /// The program is to end.
  case interrupted
}
