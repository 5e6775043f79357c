/// The section `[crypto]`: what `magnum show` does about signed and encrypted mail without being asked.
package struct CryptoSettings: Hashable, Sendable {
  /// When signatures are checked.
  package enum Verification: String, CaseIterable, Sendable {
    /// When a message is shown as text.
    case show
    case never
  }

  /// When messages are decrypted.
  package enum Decryption: String, CaseIterable, Sendable {
    /// When that is asked for.
    case ask
    /// When a message is shown on a terminal, too.
    case terminal
    /// Not even when it is asked for.
    case never
  }

  package internal(set) var verification = Verification.show
  package internal(set) var decryption = Decryption.terminal

  /// Those where nothing is set.
  package init() {}
}
