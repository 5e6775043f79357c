/// Why an action is planned.
package enum Reason: String, Hashable, Sendable {
  case newOnServer = "new on the server"
  case flagsChangedOnServer = "flags changed on the server"
  case deletedOnServer = "deleted on the server"
  case deletedOnBothSides = "deleted on both sides"
  /// A run ended between a change of flags and the record of it.
  case leftUnderWay = "left by an interrupted run"
  /// The file was written before the record of it: an interrupted run.
  case alreadyHere = "already here"
  case flaggedOnServer = "deleted here, flagged on the server"
  case flaggedHere = "deleted on the server, flagged here"
  case newHere = "new here"
  case copiedHere = "copied here"
  case flagsChangedHere = "flags changed here"
  case deletedHere = "deleted here"
  case renamedHere = "renamed here"
  case movedHere = "moved here"
  /// What was moved here is kept, whatever became of it there.
  case keptHere = "moved here, deleted on the server"
  case movedOnServer = "moved on the server"
  case editedHere = "edited here"
  /// Both sides show T, and `expunge` says that this is enough.
  case markedDeleted = "marked as deleted"
  /// An older copy of the folder was put in its place.
  case restoredHere = "missing after a restore"
  case wantedAgain = "removed here by mistake"
  /// What the file lacks is lost.
  case attachmentsLost = "deleted on the server, attachments lost"
  /// The message may be here with its attachments.
  case attachmentsWanted = "attachments wanted"
  /// The name says that the message came from this mailbox, which has it no more.
  case unknownOnServer = "no longer on the server"
}
