/// What a connection is for: its keys of the configuration differ.
package enum Service: Hashable, Sendable {
  case imap
  case smtp

  /// A key of the configuration that both have.
  func key(_ name: String) -> String {
    self == .imap ? name : "smtp-\(name)"
  }

  /// The line of the configuration for a connection that STARTTLS encrypts.
  var startTLSLine: String {
    self == .imap ? "imap = \"imap://…\"" : "smtp = \"submission://…\""
  }

  /// The line of the configuration for a connection that is encrypted from its first octet.
  package var implicitTLSLine: String {
    self == .imap ? "imap = \"imaps://…\"" : "smtp = \"submissions://…\""
  }
}
