/// What a connection is for, and where its settings come from: what a person has to change differs.
package enum Service: Hashable, Sendable {
  case imap
  case smtp
  /// Either, for an account whose settings are options of the command line still.
  case new

  /// A key of the configuration that both have, or the option in its place.
  func key(_ name: String) -> String {
    switch self {
    case .imap: name
    case .smtp: "smtp-\(name)"
    case .new: "--\(name)"
    }
  }

  /// What a person writes to have the key mean this.
  func setting(_ name: String, _ value: String) -> String {
    self == .new ? "give \(key(name)) \(value)" : "set \(key(name)) = \"\(value)\""
  }

  /// The key for a command that speaks with the server.
  var commandKey: String {
    switch self {
    case .imap, .new: "imap-command"
    case .smtp: "smtp-command"
    }
  }

  /// The line of the configuration for a connection that STARTTLS encrypts.
  var startTLSLine: String {
    switch self {
    case .imap: "imap = \"imap://…\""
    case .smtp: "smtp = \"submission://…\""
    case .new: "--imap imap://… or --smtp submission://…"
    }
  }

  /// The line of the configuration for a connection that is encrypted from its first octet.
  package var implicitTLSLine: String {
    switch self {
    case .imap: "imap = \"imaps://…\""
    case .smtp: "smtp = \"submissions://…\""
    case .new: "--imap imaps://… or --smtp submissions://…"
    }
  }
}
