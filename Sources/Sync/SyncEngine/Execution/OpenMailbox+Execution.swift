internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

// What only matters to those who carry plans out.
extension OpenMailbox {
  /// The INTERNALDATE of a message that is on record, which copies of it keep; nil where it is not known.
  func recordedDate(of uid: UInt32) -> Int64? {
    state.messages[uid]?.date
  }

  /// What is still to be done; nothing before it is planned, or where nothing more is tried.
  var remainingPlan: MailboxPlan {
    guard let plan, !hasFailed else { return MailboxPlan(mailbox: mailbox.id) }
    return plan
  }

  /// Whether a message of a plan did not follow its file, or a file its message; `done` is what was done in the mailbox.
  func hasOpenMoves(of plan: MailboxPlan, after done: StepOutcome.Part) -> Bool {
    plan.moves.contains { state.messages[$0.step.uid] != nil }
      || !unfollowed(in: plan, after: done).isEmpty
  }

  /// The base names of files that did not follow their messages here as a plan says.
  func unfollowed(in plan: MailboxPlan, after done: StepOutcome.Part) -> [[UInt8]] {
    plan.renames.compactMap { rename in
      switch rename.step {
      case .relocate(let file): done.followed.contains(file.name) ? nil : file.name
      case .setFlags: nil
      }
    }
  }

  /// The records of messages whose files were to follow them here, or to be sent up again from here, and did not: whatever
  /// the files are called by now, these alone say whose they are.
  func openFormerRecords(after done: StepOutcome.Part) -> [RemoteReference] {
    guard let plan else { return [] }
    let renames = plan.renames.compactMap { rename -> RemoteReference? in
      switch rename.step {
      case .relocate(let file): done.followed.contains(file.name) ? nil : file.former
      case .setFlags: nil
      }
    }
    let uploads = (plan.uploads + plan.heldUploads).filter { state.uid(of: $0.step.name) == nil }
    return renames + uploads.compactMap(\.step.former)
  }

  /// UIDNEXT as the server told it, or above all messages that are known: nothing could come at the greatest UID.
  var uidNext: UInt32 {
    if let next = remote.uidNext, next < .max { return next }
    let known = max(state.messages.highestUID ?? 0, remote.view.listed.uids.last ?? 0)
    return known == .max ? known : known + 1
  }

  /// Whether a UID that the server names for what it just took can be true.
  func couldBeNew(_ uid: UInt32) -> Bool {
    uid >= remote.uidNext ?? 0 && state.messages[uid] == nil
  }

  /// What counts as agreed on of a message that comes from another mailbox, where both sides agreed on `flags`.
  ///
  /// What this mailbox does not keep was lost on the way: it was not taken away, and the file goes on showing it.
  func arriving(_ flags: MessageFlags) -> MessageFlags {
    let kept = remote.keptFlags
    return MessageFlags(
      flags.system.intersection(kept.system),
      keywords: kept.setsKeywordsApart ? [] : flags.keywords
    )
  }

  /// Whether the file is one that its user may write anew in its place.
  func holdsDraft(_ name: [UInt8]) -> Bool {
    mailbox.role == .drafts || flags(of: name)?.contains(.draft) == true
  }

  /// The messages that files of drafts may be of: every other one is none, and is not looked at.
  var possibleDrafts: [BaseRecord] {
    let state = state
    guard mailbox.role != .drafts, !state.messages.sharesNames else { return Array(state.messages) }
    var uids = Set(draftNames.compactMap { state.uid(of: $0) })
    state.messages.forEachMessage { uid, flags in
      if flags.contains(.draft) { uids.insert(uid) }
    }
    return uids.sorted().compactMap { state.messages[$0] }
  }

  /// The record of what the file of a message looks like that may be written anew in its place; none where it may not.
  ///
  /// A file that holds something else than both sides agreed on is a new version, whatever it looks like. So is a file that was
  /// written anew before it left Drafts (`wasDraft`), though it may be no draft here.
  func version(of record: BaseRecord, wasDraft: Bool = false) throws(SyncFailure) -> [StateRecord] {
    let mayBeDraft = holdsDraft(record.name) || record.flags.system.contains(.draft)
    guard mayBeDraft || wasDraft, let content = try content(of: record.name) else { return [] }
    let isAgreed = record.identity.map(content.holds) ?? true
    guard mayBeDraft || !isAgreed else { return [] }
    return [.version(uid: record.uid, isAgreed ? content.version : .other)]
  }

  /// What is recorded of a message of another mailbox that was copied here and is to go there; `copy` is the UID that the
  /// server named, nil where it named none.
  func expungeOfCopied(_ uid: UInt32, as copy: UInt32?) -> StateRecord {
    let copy = copy.map { PendingExpunge.Copy(validity: state.header.validity, uid: $0) }
    return .pendingExpunge(uid: uid, PendingExpunge(isFlagged: false, copy: copy))
  }

  /// The date of the message that a file holds, in seconds since 1970; nil where the file is gone.
  func date(of name: [UInt8]) throws(SyncFailure) -> Int64? { try content(of: name)?.date }

  /// What counts as agreed on for a file and a message of which it is not known: flags of before a crash say nothing about
  /// who changed what since.
  func unrelatedFlags(_ name: [UInt8], _ message: RemoteMessage) -> MessageFlags {
    flags(of: name).map { Rematch.base($0, message.flags) } ?? message.flags
  }

  /// The UIDs of the map by the base names of their files.
  var uids: [[UInt8]: UInt32] {
    Dictionary(first: state.messages.values.map { ($0.name, $0.uid) })
  }
}
