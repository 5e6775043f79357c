package import Configuration
internal import Login
package import Platform
package import SMTP

/// What an account's server for sending is like, as a log-in showed it; nothing is sent.
package struct SubmissionProbe: Sendable {
  /// What it offers.
  package let extensions: Extensions
  /// Whether the connection was encrypted.
  package let isEncrypted: Bool

  /// Connects and logs in.
  ///
  /// - Parameters:
  ///   - sender: the account.
  ///   - interruption: ends all waiting.
  ///   - trace: gets the conversation, secrets cut; `nil` for none.
  /// - Throws: `SubmissionFailure` that a message would meet, too.
  package init(
    _ sender: Sender,
    interruption: Interruption,
    trace: (@Sendable (String) -> Void)?
  ) throws(SubmissionFailure) {
    let dialer = SubmissionDialer(
      sender,
      secrets: SecretKeeper(sender.secret, interruption: interruption),
      interruption: interruption,
      stepLimit: 30,
      trace: trace
    )
    let connection = try dialer.connect()
    defer { connection.close() }
    (extensions, isEncrypted) = (connection.extensions, connection.isEncrypted)
  }
}
