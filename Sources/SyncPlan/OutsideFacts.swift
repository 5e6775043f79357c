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
  /// Base names of the map whose messages are gone from this mailbox and on both sides in another one: the server
  /// moved them there before this run.
  package var survivors: OctetSet
  /// Messages that the spool is to move or to remove on the server: that their files are gone tells nothing.
  package var requested: Set<UInt32>

  /// Facts that were looked for, each of them.
  package init(
    elsewhere: OctetSet,
    inMirrored: OctetSet,
    fromElsewhere: OctetTable<Set<MessageLook>>,
    survivors: OctetSet,
    requested: Set<UInt32>
  ) {
    self.elsewhere = elsewhere
    self.inMirrored = inMirrored
    self.fromElsewhere = fromElsewhere
    self.survivors = survivors
    self.requested = requested
  }

  /// Of a mailbox in which no file or message is missing and none is new.
  package static let none = OutsideFacts(
    elsewhere: [],
    inMirrored: [],
    fromElsewhere: OctetTable(),
    survivors: [],
    requested: []
  )
}

/// What any copy of a message on the server has in common with it.
package struct MessageLook: Hashable, Sendable {
  /// In octets.
  package let size: UInt64
  /// The internal date, in seconds since 1970.
  package let date: Int64

  /// The look of a message of that size and date.
  package init(size: UInt64, date: Int64) {
    (self.size, self.date) = (size, date)
  }
}
