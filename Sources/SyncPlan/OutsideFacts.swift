package import Octets

/// What lies outside the mailboxes that are planned together, and says that something is no removal and no addition.
package struct OutsideFacts: Hashable, Sendable {
  /// Base names of absent files that lie, under that name or another, in a folder which is not among the snapshots.
  package var elsewhere: OctetSet
  /// Those of them that lie in a mirrored mailbox: a later run plans the two together.
  package var inMirrored: OctetSet
  /// New files, by base name, that lack in a mailbox which is not among the snapshots: they may have come from there.
  ///
  /// With each the looks of the messages that it may be.
  package var fromElsewhere: OctetTable<Set<MessageLook>>
  /// New files, by base name, that were moved here out of mailboxes which the server no longer has.
  package var fromDeleted: OctetSet
  /// Messages, by base names of the map, that are gone from this mailbox and on both sides in another one: the server moved
  /// them there before this run.
  package var survivors: OctetTable<Survival>
  /// Messages without a record whose files lie, by their names, in a folder which is not among the snapshots: they are
  /// fetched only once those were seen beside them.
  package var claimed: Set<UInt32>
  /// Messages that the spool is to move or to remove on the server: that their files are gone tells nothing.
  package var requested: Set<UInt32>
  /// Messages that are gone from the server, and may be in a mailbox that was not looked at since it got them, or to which a run
  /// that was cut short moved them.
  package var mayHaveMoved: Set<UInt32>
  /// New files, by base name, that hold what messages on record hold.
  package var copies: OctetTable<FileCopy>
  /// Messages of which both sides got a copy, made from here, after they had agreed on them, with that copy where it is on record
  /// still.
  package var copied: [UInt32: RemoteReference]
  /// Where mailboxes are labels: messages without a file that are on record in others too, with the other records.
  package var labelled: [UInt32: [RemoteReference]]
  /// Whether messages from before the window that came may be those which another mailbox had when that was looked at.
  package var hasEarlyArrivals: Bool

  /// Facts that were looked for, each of them.
  package init(
    elsewhere: OctetSet,
    inMirrored: OctetSet,
    fromElsewhere: OctetTable<Set<MessageLook>>,
    fromDeleted: OctetSet,
    survivors: OctetTable<Survival>,
    claimed: Set<UInt32>,
    requested: Set<UInt32>,
    mayHaveMoved: Set<UInt32>,
    copies: OctetTable<FileCopy>,
    copied: [UInt32: RemoteReference],
    labelled: [UInt32: [RemoteReference]],
    hasEarlyArrivals: Bool
  ) {
    self.elsewhere = elsewhere
    self.inMirrored = inMirrored
    self.fromElsewhere = fromElsewhere
    self.fromDeleted = fromDeleted
    self.survivors = survivors
    self.claimed = claimed
    self.requested = requested
    self.mayHaveMoved = mayHaveMoved
    self.copies = copies
    self.copied = copied
    self.labelled = labelled
    self.hasEarlyArrivals = hasEarlyArrivals
  }

  /// Of a mailbox in which no file or message is missing and none is new.
  package static let none = OutsideFacts(
    elsewhere: [],
    inMirrored: [],
    fromElsewhere: OctetTable(),
    fromDeleted: [],
    survivors: OctetTable(),
    claimed: [],
    requested: [],
    mayHaveMoved: [],
    copies: OctetTable(),
    copied: [:],
    labelled: [:],
    hasEarlyArrivals: false
  )
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

  /// A file by its place and base name.
  package init(directory: [UInt8], name: [UInt8]) {
    self.directory = directory
    self.name = name
  }
}

/// What any copy of a message on the server has in common with it.
package struct MessageLook: Hashable, Sendable {
  /// In octets.
  package let size: UInt64
  /// The internal date, in seconds since 1970.
  package let date: Int64

  /// The look of a message of that size and date; nil where one of them is not known.
  package init?(size: UInt64?, date: Int64?) {
    guard let size, let date else { return nil }
    (self.size, self.date) = (size, date)
  }

  /// The look of a message on record.
  package init?(_ record: BaseRecord) { self.init(size: record.size, date: record.date) }

  /// The look of a message of the server.
  package init?(_ message: RemoteMessage) { self.init(size: message.size, date: message.date) }
}
