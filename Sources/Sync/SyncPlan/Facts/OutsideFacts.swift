package import Octets

/// What lies outside the mailboxes that are planned together, and says that something is no removal and no addition.
package struct OutsideFacts: Hashable, Sendable {
  /// Base names of absent files that lie, under that name or another, in a folder which is not among the snapshots.
  package var elsewhere: OctetSet = []
  /// Those of them that lie in a mirrored mailbox: a later run plans the two together.
  package var inMirrored: OctetSet = []
  /// New files, by base name, that lack in a mailbox which is not among the snapshots: they may have come from there.
  ///
  /// With each what the messages that it may be look like: size and date.
  package var fromElsewhere = OctetTable<Set<Sameness.Key>>()
  /// New files, by base name, that were moved here out of mailboxes which the server no longer has.
  package var fromDeleted: OctetSet = []
  /// Messages, by base names of the map, that are gone from this mailbox and on both sides in another one: the server moved
  /// them there before this run.
  package var survivors = OctetTable<Survival>()
  /// Messages without a record whose files lie, by their names, in a folder which is not among the snapshots: they are
  /// fetched only once those were seen beside them.
  package var claimed: Set<UInt32> = []
  /// Messages that the spool is to move or to remove on the server: that their files are gone tells nothing.
  package var requested: Set<UInt32> = []
  /// Messages that are gone from the server, and may be in a mailbox that was not looked at since it got them, or to which a run
  /// that was cut short moved them.
  package var mayHaveMoved: Set<UInt32> = []
  /// New files, by base name, that hold what messages on record hold.
  package var copies = OctetTable<FileCopy>()
  /// Messages of which both sides got a copy, made from here, after they had agreed on them, with that copy where it is on record
  /// still.
  package var copied: [UInt32: RemoteReference] = [:]
  /// Where mailboxes are labels: messages without a file that are on record in others too, with the other records.
  package var labelled: [UInt32: [RemoteReference]] = [:]
  /// Whether messages from before the window that came may be those which another mailbox had when that was looked at.
  package var hasEarlyArrivals = false

  /// Of a mailbox in which no file or message is missing and none is new.
  package static let none = OutsideFacts()
}

/// What became of a message that the server moved, and that was fetched anew where it went.
package enum Survival: Hashable, Sendable {
  /// Its file is there.
  case file(Survivor)
  /// The file of that message was moved or removed here since, which the server is not told yet.
  case underWay(RemoteReference)
}

/// Where the file of a message lies that the server moved, and that was fetched anew there.
package struct Survivor: Hashable, Sendable {
  /// The Maildir, relative to the account's root.
  package let directory: [UInt8]
  /// The base name.
  package let name: [UInt8]

  package init(directory: [UInt8], name: [UInt8]) {
    self.directory = directory
    self.name = name
  }
}
