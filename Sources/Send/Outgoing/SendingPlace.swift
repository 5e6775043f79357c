package import Configuration
package import Platform
internal import Spool

/// Where messages wait that a user hands in, and whether they leave a copy.
package enum SendingPlace {
  /// The root of the spools: what leaves with an account of the system lies where root can send it too.
  package static func root(_ configuration: Configuration) -> Path {
    configuration.isSystem ? SpoolPlace.rootForSystemAccounts() : SpoolPlace.root()
  }

  /// Whether a copy of what is sent with an account is put into its mailbox for that.
  ///
  /// Users share the system's accounts, and have no mailboxes of their own there.
  package static func keepsCopy(
    _ sender: Sender,
    _ configuration: Configuration,
    user: UInt32
  ) -> Bool {
    guard sender.copy != .never, !configuration.isSystem || user == 0,
      SpoolPlace.home(of: user) != nil
    else { return false }
    return configuration.account(named: sender.name)?.server != nil
  }
}
