internal import SMTP
internal import Spool
internal import SpoolPlan

/// An entry for which nothing is to be done but to send its message, and what is offered of it: found without its lock, and
/// true as long as its log is what it was.
struct ReadyEntry {
  let stored: StoredEntry

  let progress: Progress

  /// How many lines its log has.
  let lines: Int

  /// The recipients that the message is to be sent to.
  let numbers: [Int]

  /// Those that it is offered for at once.
  let batch: [Int]

  let offered: OfferedMessage

  var id: EntryID { stored.entry.id }

  /// Whether nothing of it is left to offer after this.
  var isWhole: Bool { batch.count == numbers.count }
}
