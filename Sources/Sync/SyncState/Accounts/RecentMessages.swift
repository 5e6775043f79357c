/// Which messages of a mailbox another client may have moved there from a mailbox that was not looked at since.
///
/// All others were there beside the messages that were seen in other mailboxes since: they are copies that were wanted.
package struct RecentMessages: Hashable, Sendable {
  /// UIDNEXT when the last run began that looked at all mailboxes and left no lost message undone, as it was on record.
  package var first: UInt32 = 1
  /// UIDNEXT, as the server told it before that last run opened any mailbox; not below `first`.
  package var listed: UInt32 = 1
  /// Whether that last run opened this mailbox.
  package var isSeen = false
  /// Whether the mailbox took no part in that last run, as one that is excluded: what left it since may be anywhere, and
  /// `first` of the others says nothing of that.
  package var isLeftOut = false
  /// The UIDs from `first` on of messages that runs moved here themselves, and that had been where they came from before the
  /// last run opened any mailbox.
  package var sent: Set<UInt32> = []

  /// A mailbox that no run of all mailboxes has looked at.
  package init() {}

  /// Whether a message may have come from that other mailbox.
  ///
  /// Those below `listed` were here when a mailbox was opened that was seen. One that was not opened was listed in the
  /// same answer, and it is not known which of the two was looked at first.
  package func mayHave(_ uid: UInt32, from other: RecentMessages) -> Bool {
    uid >= firstUID(from: other) && !sent.contains(uid)
  }

  /// Whether any message below that UIDNEXT may have come from that other mailbox.
  package func mayHaveAny(below uidNext: UInt32?, from other: RecentMessages) -> Bool {
    uidNext.map { firstUID(from: other) < $0 } ?? true
  }

  /// Whether nothing tells that the message was here before.
  package func mayBeNew(_ uid: UInt32) -> Bool { uid >= listed && !sent.contains(uid) }

  private func firstUID(from other: RecentMessages) -> UInt32 { other.isSeen ? listed : first }
}
