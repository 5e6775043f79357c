package import Configuration
internal import Maildir
package import MailModel
package import Platform
package import SyncPlan

extension Account {
  /// What decides what the account's mailboxes are called here.
  ///
  /// Where no mailbox but INBOX is on record the folders are looked at: they tell of an account whose state is lost, or that
  /// another program synced.
  /// - Parameter summary: what is recorded; nil where nothing is.
  /// - Returns: the rules, for whatever the server lists.
  /// - Throws: the error of reading directories or markers.
  package func namingRules(_ summary: Summary?) throws(SystemError) -> NamingRules {
    let places = AccountPlaces(of: self)
    var recorded = NamingRules.Recorded(names: summary?.names)
    for (name, entry) in summary?.entries ?? [:] {
      recorded.directories[MailboxName(wire: name)] = entry.header.directory
    }
    if sync.namespace == nil, recorded.names == nil,
      recorded.directories.keys.allSatisfy(\.isInbox)
    {
      for directory in try places.tree.maildirs().maildirs {
        let isMarked = try OwnershipMarker(places.tree.path(of: directory)).readableOwner() != nil
        if isMarked {
          recorded.marked.append(directory)
        } else {
          recorded.unmarked.append(directory)
        }
      }
    }
    return NamingRules(
      style: sync.namespace,
      folders: sync.folders,
      naming: places.tree.naming,
      recorded: recorded
    )
  }

  /// The same, of what is recorded on disk.
  package func namingRules() throws(SystemError) -> NamingRules {
    let store = AccountPlaces(of: self).store
    let summary = try store.loadSummary()
    return try namingRules(try store.complete(summary ?? Summary(root: 0)))
  }

  /// The settings of the mailbox of a folder, by what the last run called it.
  package func settings(ofFolder directory: [UInt8]) -> SyncSettings {
    guard !sync.mailboxes.isEmpty else { return sync }
    let name = AccountPlaces(of: self).tree.naming.name(of: directory)
    return sync.settings(of: recordedNames().forms(of: name))
  }

  /// What the mailboxes were called here in the last run, for commands that ask no server; plain names where that is not
  /// recorded.
  package func recordedNames() -> MailboxNames {
    let recorded = (try? AccountPlaces(of: self).store.loadSummary())?.names
    return MailboxNames(
      prefix: recorded?.prefix ?? [],
      style: sync.namespace ?? recorded?.style ?? .keep,
      folders: sync.folders
    )
  }

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
