/// The section `[account.NAME.crypto]`: how messages of an account are signed and encrypted.
package struct ProtectionSettings: Hashable, Sendable {
  /// By which standard.
  package enum Method: String, CaseIterable, Sendable {
    case openPGP = "openpgp"
    case sMIME = "smime"
  }

  /// When messages are encrypted without being asked.
  package enum Encryption: String, CaseIterable, Sendable {
    case never
    /// Answers to encrypted messages, and what forwards them.
    case reply
    /// Those as well, and all whose recipients have a certified key.
    case ifPossible = "if-possible"
  }

  /// What becomes of a message to a recipient whose only key is not certified.
  package enum Uncertified: String, CaseIterable, Sendable {
    case ask, use, refuse
  }

  package internal(set) var method = Method.openPGP
  /// The fingerprint of the own key, in capital hexadecimal digits; nil for the only one of the address.
  package internal(set) var key: [UInt8]?
  /// Whether messages are signed without being asked.
  package internal(set) var signs = false
  package internal(set) var encryption = Encryption.reply
  package internal(set) var uncertified = Uncertified.ask

  /// Those where nothing is set.
  package init() {}
}
