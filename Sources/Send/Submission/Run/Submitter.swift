package import Configuration

/// An account that hands in messages, and how it comes to its server.
package struct Submitter: Sendable {
  let sender: Sender
  let dialer: SubmissionDialer

  /// A submitter; `dialer` makes connections for the account.
  package init(_ sender: Sender, _ dialer: SubmissionDialer) {
    self.sender = sender
    self.dialer = dialer
  }

  /// The server for the log of deliveries: host and port.
  var server: String { "\(sender.server.host):\(sender.server.port)" }
}
