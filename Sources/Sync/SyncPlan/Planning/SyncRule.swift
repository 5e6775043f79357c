/// The rules by which the sync core finds the other half of a message or of a file: where a missing file went, and to which
/// message a file without a record belongs.
///
/// Each rule is one idea, which the code asks for in several places, and serves one of the invariants in ARCHITECTURE.md. The list
/// there has the same texts, and how many scenes prove each rule. Debug builds can work without a rule: a kept scene that names it
/// then fails (`SyncRuleTests`). In a release all rules are on, and the question costs nothing.
package enum SyncRule: Int, CaseIterable, Sendable {
  // MARK: What an interrupted run left open

  /// A change that a run began on the server is looked for there before it is begun again: in its mailbox, under its new UID,
  /// or in the mailbox that has the name now. (Invariant 4.)
  case arrivals
  /// A change that the server answered with OK and does not show is awaited: it is not sent again, and the message does not
  /// count as removed. (Invariant 5.)
  case taken
  /// An upload that did not arrive may be elsewhere, and is looked for as a message that moved. (Invariant 4.)
  case reopened
  /// A message on its way out stays where another client removed its `\Deleted` flag, or where a server that was put back
  /// lost what took its place. `\Deleted` flags that a run removed are set again. (Invariant 4.)
  case revived
  /// A message that arrived in one mailbox is forgotten in the one that it left, before anything is planned. So is a message
  /// that is gone where another one's file takes its name. (Invariant 3.)
  case departures
  /// A file that followed its message before the run was interrupted is recorded where it is. Where it is in both places, the
  /// new one counts. (Invariant 3.)
  case followed
  /// Flags that a run was to take to one side count as agreed on as that side shows them. (Invariant 3.)
  case flagsUnderWay
  /// Where record and file differ in whether a message is whole, the file decides. (Invariant 1.)
  case partialFiles
  /// A file with the key of a message that no run recorded was fetched by an interrupted run. (Invariant 1.)
  case unrecordedFetches

  // MARK: What a run does not see

  /// A file or message may have its other half outside the plan: in a folder or mailbox that the run leaves out, that the
  /// server deleted, or that the spool is to change. Such a half waits, or was moved. (Invariant 4.)
  case outside
  /// Files are missing only if all Maildirs lacked them at one moment, and again right before a move, copy or removal because
  /// of it. (Invariant 4.)
  case absence
  /// Where an older copy of a folder was put in its place, files that it lacks are fetched again. (Invariant 4.)
  case restored
  /// While a message may have come, or a file may lie, where the run has not looked yet, neither is sent, fetched, or removed
  /// with changes. (Invariant 4.)
  case unseen
  /// A message that is gone, and that was fetched elsewhere since, was moved there by the server. One that came back goes
  /// where its file was moved. (Invariant 4.)
  case survivors
  /// Mail from before the window is listed where such mail is gone, and waits where it moved meanwhile. (Invariant 4.)
  case oldMail

  // MARK: Which file is which message

  /// A key in a name decides which message a file is of where no record does. Of files with one name, the one that holds the
  /// message is the message's. (Invariant 2.)
  case keys
  /// Where size, date or header differ, or do not distinguish messages, Message-ID and text decide, also as older versions
  /// recorded them. (Invariant 6.)
  case contents
  /// A file that was written anew is a new version, and does not go with its message. (Invariant 4.)
  case edited

  // MARK: Copies and labels

  /// A new file that holds a message on record is copied on the server, and its original may go. (Invariant 4.)
  case copies
  /// Where mailboxes are labels, a message has each once, and keeps the others. (Invariant 4.)
  case labels

  /// Whether the rule decides.
  @inlinable package var isOn: Bool {
    #if FAULT_POINTS
    Self.off & (1 << UInt64(rawValue)) == 0
    #else
    true
    #endif
  }

  /// Turns rules off, in a debug build, by their names with commas between them; once in a process, before any run.
  package static func turnOff(_ names: String?) {
    #if FAULT_POINTS
    for name in names?.split(separator: ",") ?? [] {
      guard let rule = allCases.first(where: { "\($0)" == name }) else {
        preconditionFailure("there is no rule \(name)")
      }
      off |= 1 << UInt64(rule.rawValue)
    }
    #endif
  }
}

#if FAULT_POINTS
extension SyncRule {
  /// A bit for each rule that is off; no thread writes it once runs begin.
  @usableFromInline nonisolated(unsafe) static var off: UInt64 = 0
}
#endif
