package import Octets

/// What lies outside the mailboxes that are planned together, and says that something is no removal and no addition.
package struct OutsideFacts: Hashable, Sendable {
  /// Base names of absent files that lie, under that name or another, in a folder which is not among the snapshots.
  package var elsewhere: OctetSet
  /// Those of them that lie in a mirrored mailbox: a later run plans the two together.
  package var inMirrored: OctetSet
  /// Base names of new files that lack in a mailbox which is not among the snapshots: they may have come from there.
  package var fromElsewhere: OctetSet
  /// Base names of the map whose messages are gone from this mailbox and on both sides in another one: the server
  /// moved them there before this run.
  package var survivors: OctetSet
  /// Messages that the spool is to move or to remove on the server: that their files are gone tells nothing.
  package var requested: Set<UInt32>

  /// Facts that were looked for, each of them.
  package init(
    elsewhere: OctetSet,
    inMirrored: OctetSet,
    fromElsewhere: OctetSet,
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
    fromElsewhere: [],
    survivors: [],
    requested: []
  )
}
