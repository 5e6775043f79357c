package import Configuration
package import MailModel
package import Platform

extension Account {
  /// Mailboxes by what the server said in the last sync that they are for, named as people write them, with slashes between the
  /// levels.
  ///
  /// What the configuration names comes before that.
  /// - Parameter stateHome: where that is remembered.
  /// - Returns: their names; none of roles that it did not name.
  package func toldRoles(stateHome: Path = Environment.stateHome) -> [MailboxRole: [UInt8]] {
    let memory = ServerMemory(
      directory: AccountMemory.path(of: name, in: stateHome),
      account: self,
      isRemembering: false
    )
    return memory.traits.roles
  }
}
