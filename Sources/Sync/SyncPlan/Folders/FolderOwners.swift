package import MailModel
internal import Octets

/// Decides whose each folder is where several bear one marker: a pure function.
///
/// A copy of a folder with all that is in it has its marker too.
package struct FolderOwners {
  private let known: [UInt64: KnownMailbox]

  /// Owners beside the mailboxes on record.
  package init(_ known: some Collection<KnownMailbox>) {
    self.known = known.keyed(by: \.id)
  }

  /// The folders with the markers of copies left out; `traits` are asked for only where they decide.
  package func resolved<Failure: Error>(
    _ folders: [FoundFolder],
    traits: ([UInt8]) throws(Failure) -> FoundFolder.Traits
  ) throws(Failure) -> [FoundFolder] {
    var folders = folders
    var places: [UInt64: [Int]] = [:]
    for (index, folder) in folders.enumerated() {
      if let owner = folder.owner { places[owner, default: []].append(index) }
    }
    for (owner, indices) in places where indices.count > 1 {
      let original = try original(owner, indices.map { folders[$0].directory }, traits)
      for index in indices where folders[index].directory != original {
        folders[index].owner = nil
        folders[index].isCopy = true
      }
    }
    return folders
  }

  /// The one on record; else the one that the last run saw; else the one that was marked first.
  private func original<Failure: Error>(
    _ owner: UInt64,
    _ directories: [[UInt8]],
    _ traits: ([UInt8]) throws(Failure) -> FoundFolder.Traits
  ) throws(Failure) -> [UInt8] {
    let entry = known[owner]
    if let entry, directories.contains(entry.directory) { return entry.directory }
    var oldest: (directory: [UInt8], marked: Int64)?
    for directory in directories.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let found = try traits(directory)
      if let seen = entry?.cur, seen == found.cur { return directory }
      if oldest.map({ found.marked < $0.marked }) ?? true { oldest = (directory, found.marked) }
    }
    return oldest?.directory ?? []
  }
}

/// A mailbox on record.
package struct KnownMailbox: Hashable, Sendable {
  /// The mailbox's own id, which its folder and files bear.
  package var id: UInt64
  /// The server's name as of the last run.
  package var name: MailboxName
  /// Its folder, relative to the account's root.
  package var directory: [UInt8]
  /// Which mailbox of the server it is.
  package var identity: MailboxIdentity
  /// Messages from this UID on were never looked at; nil when that is unknown.
  package var uidNext: UInt32?
  package var messages: Int
  /// The directory `cur` of its folder as the last run saw it; nil where that is not known.
  package var cur: FileIdentity?

  package init(
    id: UInt64,
    name: MailboxName,
    directory: [UInt8],
    identity: MailboxIdentity,
    uidNext: UInt32?,
    messages: Int,
    cur: FileIdentity? = nil
  ) {
    self.id = id
    self.name = name
    self.directory = directory
    self.identity = identity
    self.uidNext = uidNext
    self.messages = messages
    self.cur = cur
  }
}
