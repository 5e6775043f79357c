internal import IMAP
internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan

/// Removes messages from the server: to Trash, or for good.
///
/// To Trash they are moved, or copied and then expunged. For good they are marked as deleted and
/// expunged by UID; a server without UIDPLUS can only expunge all that is marked, and does so only
/// where all of it is ours.
struct RemovalPush {
  private let context: AccountContext
  private let session: MailboxSession
  private let mailbox: OpenMailbox
  private let group: [UInt64: OpenMailbox]

  init(
    _ context: AccountContext,
    _ session: MailboxSession,
    _ mailbox: OpenMailbox,
    _ group: [UInt64: OpenMailbox]
  ) {
    self.group = group
    self.context = context
    self.session = session
    self.mailbox = mailbox
  }

  /// Carries out the removals of messages whose files are really nowhere.
  func run(_ removals: [ServerRemoval], _ absence: AbsenceCheck) throws(SyncFailure) {
    var trashed: [UInt32] = []
    var expunged: [UInt32] = []
    var marked: [UInt32] = []
    for removal in removals {
      guard try isDue(removal, absence) else {
        mailbox.isComplete = false
        continue
      }
      switch removal {
      case .fileless(let uid, true), .replaced(let uid, true, _, _): trashed.append(uid)
      case .fileless(let uid, false), .replaced(let uid, false, _, _): expunged.append(uid)
      case .marked(_, let uid): marked.append(uid)
      }
    }
    let kept = try flagged(trashed + expunged)
    trashed.removeAll(where: kept.contains)
    expunged.removeAll(where: kept.contains)
    if !trashed.isEmpty { try discard(trashed) }
    if !expunged.isEmpty { try expunge(expunged, recording: true) }
    if !marked.isEmpty { try expunge(marked, recording: false) }
  }

  /// Whether the files are still as the plan saw them.
  private func isDue(
    _ removal: ServerRemoval,
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> Bool {
    switch removal {
    case .fileless(let uid, _): try isFileGone(uid, absence)
    case .replaced(let uid, _, let name, let target):
      try isReplaced(uid, by: name, in: target, absence)
    case .marked(let name, _): try isStillMarked(name)
    }
  }

  private func isFileGone(_ uid: UInt32, _ absence: AbsenceCheck) throws(SyncFailure) -> Bool {
    guard let record = mailbox.state.messages[uid] else { return false }
    return try absence.isNowhere(record.name, of: mailbox.directory)
  }

  /// Whether the file that takes the message's place was uploaded, and stands there alone.
  private func isReplaced(
    _ uid: UInt32,
    by name: [UInt8],
    in target: UInt64,
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> Bool {
    guard let record = mailbox.state.messages[uid], let target = group[target], !target.hasFailed,
      target.state.uid(of: name) != nil,
      absence.isThere(name, in: target.directory)
    else { return false }
    return try absence.isNowhere(record.name, of: mailbox.directory)
  }

  /// Whether the file shows right now that it is to go.
  private func isStillMarked(_ name: [UInt8]) throws(SyncFailure) -> Bool {
    guard let path = mailbox.path(of: name), mailbox.flags(of: name)?.contains(.deleted) == true
    else { return false }
    return try attempt { () throws(SystemError) in try FileSystem.status(path) != nil }
  }

  /// Those of the messages that somebody flagged on the server since both sides agreed; the next run hears of
  /// them anew, for an earlier one may have been told.
  private func flagged(_ uids: [UInt32]) throws(SyncFailure) -> Set<UInt32> {
    guard !uids.isEmpty else { return [] }
    try session.open(mailbox)
    let state = mailbox.state
    let flags = try ContentQueries(session.connection).flags(uids)
    let found = flags.filter { uid, flags in
      flags.system.contains(.flagged)
        && !(state.messages[uid]?.flags.system.contains(.flagged) ?? false)
    }
    guard !found.isEmpty else { return [] }
    mailbox.isComplete = false
    try mailbox.record([.reached(uidNext: state.header.uidNext, modSequence: 0)])
    return Set(found.keys)
  }

  /// Removes what is only left to be removed: copies were made, or new versions uploaded.
  func expungePending() throws(SyncFailure) {
    let pendingExpunges = mailbox.state.pendingExpunges
    guard !pendingExpunges.isEmpty, !mailbox.remote.isReadOnly else { return }
    try session.open(mailbox)
    let unmarked = UIDSet(sortedUIDs: pendingExpunges.filter { !$0.value }.keys.sorted())
    var doomed = UIDSet(sortedUIDs: pendingExpunges.filter(\.value).keys.sorted())
    if !unmarked.isEmpty {
      // Whatever else happened to it: its copy is safe.
      doomed = doomed.union(try mark(unmarked, unchangedSince: nil))
    }
    guard !doomed.isEmpty else { return }
    try erase(doomed)
  }

  // MARK: For good

  private func expunge(_ uids: [UInt32], recording: Bool) throws(SyncFailure) {
    try session.open(mailbox)
    let modSequence = mailbox.remote.modSequence
    let marked = try mark(
      UIDSet(sortedUIDs: uids.sorted()),
      unchangedSince: modSequence > 0 ? modSequence : nil
    )
    guard !marked.isEmpty else { return }
    let members = uids.filter { marked.contains($0) }
    if recording {
      try mailbox.record(members.map { .pendingExpunge(uid: $0, isFlagged: true) })
      mailbox.report.deleted += members.count
      try noteDeletions(members.count)
      try erase(marked)
    } else if session.connection.capabilities.hasUIDPlus {
      guard try expungeByUID(marked) else { return }
      mailbox.expunged.formUnion(members)
      mailbox.report.deleted += members.count
    }
  }

  /// Marks messages as deleted; gives those of which that is certain.
  @discardableResult
  private func mark(_ uids: UIDSet, unchangedSince: UInt64?) throws(SyncFailure) -> UIDSet {
    var marked = UIDSet()
    for piece in uids.pieces(ofAtMost: 100_000) {
      let command = Command.uidStore(
        piece,
        .adding([.deleted]),
        unchangedSince: unchangedSince,
        silent: true
      )
      let response = try session.connection.perform(command)
      guard response.kind == .ok else {
        refuse(piece, "STORE", response)
        continue
      }
      marked = marked.union(response.stored(of: piece))
    }
    if marked.count < uids.count { mailbox.isComplete = false }
    return marked
  }

  /// Expunges marked pendingExpunges, and records that they are gone.
  private func erase(_ uids: UIDSet) throws(SyncFailure) {
    let isGone =
      session.connection.capabilities.hasUIDPlus ? try expungeByUID(uids) : try expungeAll()
    guard isGone else { return }
    let buried = mailbox.state.pendingExpunges.keys.filter { uids.contains($0) }.sorted()
    mailbox.withheld.formUnion(buried)
    try mailbox.record(buried.map { .gone(uid: $0) })
  }

  private func expungeByUID(_ uids: UIDSet) throws(SyncFailure) -> Bool {
    var isComplete = true
    for piece in uids.pieces(ofAtMost: 100_000) {
      let response = try session.connection.perform(.uidExpunge(piece))
      guard response.kind != .ok else { continue }
      refuse(piece, "EXPUNGE", response)
      isComplete = false
    }
    return isComplete
  }

  /// Expunges all that is marked, if nobody else marked any of it.
  private func expungeAll() throws(SyncFailure) -> Bool {
    let ours = mailbox.state.pendingExpunges
    let marked = try MessageSearch(session.connection).marked()
    guard marked.allSatisfy({ ours[$0] != nil }) else { return false }
    let response = try session.connection.perform(.expunge)
    if response.kind != .ok { refuse(UIDSet(sortedUIDs: ours.keys.sorted()), "EXPUNGE", response) }
    return response.kind == .ok
  }

  // MARK: To Trash

  private func discard(_ uids: [UInt32]) throws(SyncFailure) {
    guard let trash = try TrashMailbox(context, session).name() else {
      return mailbox.fail(.mailbox(.noTrash), context)
    }
    try session.open(mailbox)
    try clearMarks(uids)
    let discarding = Discarding(context, session, mailbox, trash)
    let count = try discarding.run(uids)
    mailbox.report.trashed += count
    try noteDeletions(count)
  }

  /// In Trash a message is not to look as if it were on its way out of it.
  private func clearMarks(_ uids: [UInt32]) throws(SyncFailure) {
    let marked = uids.filter {
      mailbox.state.messages[$0]?.flags.system.contains(.deleted) ?? false
    }
    guard !marked.isEmpty else { return }
    let set = UIDSet(sortedUIDs: marked.sorted())
    let response = try session.connection.perform(
      .uidStore(set, .removing([.deleted]), unchangedSince: nil, silent: true)
    )
    guard response.kind == .ok else { throw .commandRefused(command: "STORE", response) }
  }

  // MARK: Reports

  private func noteDeletions(_ count: Int) throws(SyncFailure) {
    guard count > 0, context.countsDeletions(in: mailbox.mailbox) else { return }
    try mailbox.record([.deletions(count, in: mailbox.state)])
  }

  private func refuse(_ uids: UIDSet, _ command: String, _ response: StatusResponse) {
    let known = Set(mailbox.state.messages.keys).union(mailbox.state.pendingExpunges.keys)
    for uid in known.sorted() where uids.contains(uid) {
      mailbox.fail(.message(uid: uid, .refused(command, response)), context)
    }
    mailbox.isComplete = false
  }
}
