/// The rules by which the sync core finds the other half of a message or of a file: where a file that is missing went, and
/// whose a file or message is that nothing on record knows.
///
/// Each answers for one kind of case, and serves one of the invariants in ARCHITECTURE.md, where the same list says how many
/// scenes prove it. Debug builds can do without a rule: a kept scene that names one fails then (`SyncRuleTests`), as if the rule
/// did not exist. In a release all are on, and no code is left of the question.
package enum SyncRule: Int, CaseIterable, Sendable {
  // MARK: What a run that was ended left open

  /// What a run began on the server is looked for there before it is begun again. (Invariant 4.)
  case arrivals
  /// A copy that the server named is what arrived, wherever it is now. (Invariant 3.)
  case namedCopies
  /// What the server said OK to and does not show is awaited: it is not sent again, nor taken for removed. (Invariant
  /// 5.)
  case taken
  /// An upload that did not arrive may be elsewhere, and is looked for as a message that moved. (Invariant 4.)
  case reopened
  /// What was sent by the name of a mailbox is looked for in the one that has the name now. (Invariant 4.)
  case successors
  /// Where a server was put back to an earlier state, what was on its way out stays if nothing took its place.
  /// (Invariant 4.)
  case putBack
  /// What was on its way out stays where another client took its mark. (Invariant 4.)
  case revivedExpunges
  /// Marks that a run took from messages, so that others could be expunged, are set again. (Invariant 3.)
  case restoredMarks
  /// What arrived in one mailbox is forgotten in the one that it left, before anything is planned. (Invariant 3.)
  case departures
  /// The record of a message that is gone does not speak for a file of a message that is there. (Invariant 2.)
  case superseded
  /// A file that follows its message takes its name from a message that is gone. (Invariant 2.)
  case namesakes
  /// A file that followed its message before the run was ended is recorded where it is. (Invariant 3.)
  case followed
  /// Flags that a run was to take to one side count as agreed on as that side shows them. (Invariant 3.)
  case flagsUnderWay
  /// Where record and file differ in whether a message is whole, the file decides. (Invariant 1.)
  case partialFiles
  /// A file with the key of a message that no run recorded was fetched by a run that was ended. (Invariant 1.)
  case unrecordedFetches
  /// Where UIDVALIDITY changed in this run, what was left open is found by the new UID. (Invariant 3.)
  case renumbering

  // MARK: What lies outside the mailboxes that are planned

  /// A new file that a mailbox outside the plan may lack waits for a run that sees both. (Invariant 4.)
  case lackingOutside
  /// A file stays whose message may be under way to a mailbox outside the plan. (Invariant 4.)
  case underWay
  /// A file that lies in a folder outside the plan, under any name, was moved and not removed. (Invariant 4.)
  case displaced
  /// A message is not fetched while a file with its key lies outside the plan. (Invariant 4.)
  case claimed
  /// A file out of a mailbox that the server deleted may be that of a message which moved before. (Invariant 4.)
  case deletedSources
  /// Where a folder was renamed while the run went on, none of its files counts as removed. (Invariant 4.)
  case foldersElsewhere
  /// Where an older copy of a folder was put in its place, files that it lacks are fetched again. (Invariant 4.)
  case restored
  /// That a file is gone which the spool took away says nothing of its message. (Invariant 4.)
  case requests

  // MARK: What changes while a run looks

  /// Maildirs are read again until all were true of one moment; else no absence counts. (Invariant 4.)
  case commonMoment
  /// A copy is sent only while the file that it was made of is there; else it was moved. (Invariant 4.)
  case copyCheck
  /// Files are looked for in all Maildirs right before their messages are moved or removed. (Invariant 4.)
  case absenceCheck
  /// No file is sent up again, or removed with changes, while its message may have come elsewhere. (Invariant 4.)
  case rescueCheck
  /// A new message that may be one whose file is out of sight is not fetched yet. (Invariant 4.)
  case postponed

  // MARK: What was moved before the run

  /// A message that is gone, and that was fetched elsewhere since, was moved there by the server. (Invariant 4.)
  case survivors
  /// Mail from before the window is listed where such mail is gone, and waits where it moved meanwhile. (Invariant 4.)
  case oldMail

  // MARK: Which file is which message

  /// A message with another size or date is another message only if its Message-ID is another. (Invariant 6.)
  case listedRecords
  /// A key in a name tells which message a file is of, where no record does. (Invariant 2.)
  case keys
  /// A file that another mailbox has on record is not the message whose UID its name bears. (Invariant 2.)
  case returnedFiles
  /// Where records are lost, the key in a name tells that a file was on the server. (Invariant 2.)
  case keptNames
  /// Of several files with one name, the one that holds the message is the message's. (Invariant 2.)
  case sameNames
  /// A file that stands both where it was and where its message went was left by a rename. (Invariant 3.)
  case twins
  /// A message that came back to its mailbox goes where its file was moved. (Invariant 4.)
  case broughtBack
  /// Where clients or servers changed the header, the text and what is unique tell. (Invariant 6.)
  case changedHeaders
  /// A new file and a new message with one content are one message; so are copies in Sent. (Invariant 6.)
  case sameOnBoth
  /// Where headers do not tell messages apart their bodies are read. (Invariant 6.)
  case readBodies
  /// A content on record as older versions made it is still that content. (Invariant 6.)
  case formerContents
  /// A file that was written anew is a new version, and does not go with its message. (Invariant 4.)
  case edited

  // MARK: Copies and labels

  /// A new file that holds a message on record is copied on the server, and its original may go. (Invariant 4.)
  case copies
  /// Where mailboxes are labels, a message has each once, and keeps the others. (Invariant 4.)
  case labels
  /// A copy that went to another mailbox, which has the target's name by now, is taken back. (Invariant 4.)
  case misplacedCopies

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
