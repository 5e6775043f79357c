/// What a server wants that refuses something only for now.
///
/// Such a refusal is never taken for a failure, and at a log-in never for a wrong password.
package enum ServerLimit: Hashable, Sendable {
  /// Fewer connections at once.
  case connections
  /// A pause, of that many seconds where the server says how many.
  case pause(seconds: Int64?)
}
