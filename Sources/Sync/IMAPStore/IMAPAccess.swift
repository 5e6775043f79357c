internal import MailStore
package import Configuration
package import Platform

/// What is needed to reach an account's IMAP server.
package struct IMAPAccess: Sendable {
  /// The account, which has a server.
  package let account: Account
  /// The account's directory in the state home, for what the server was seen to do.
  package let memory: Path
  /// Whether anything is written there.
  package var isRemembering = true
  /// Whether the lines of the protocol are reported.
  package var isTracing = false
  /// Seconds for connecting.
  package var connectLimit = Dialer.connectLimit
  /// Ends all waiting.
  package let interruption: Interruption

  package init(_ account: Account, memory: Path, interruption: Interruption) {
    self.account = account
    self.memory = memory
    self.interruption = interruption
  }
}
