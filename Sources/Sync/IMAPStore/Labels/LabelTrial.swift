internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncPlan

/// Tests with messages of its own whether a server does with labels what pushing them needs, and is documented nowhere.
///
/// Whatever it finds, the messages are expunged from Trash and the label is removed in the end.
struct LabelTrial {
  /// For so long, in seconds, a mailbox need not show what changed.
  private static let patience = 10.0
  private static let pause = 0.5

  private let store: IMAPStore
  private let mailboxes: LabelMailboxes
  private let interruption: Interruption
  private let name: String
  private let now: Int64
  private var report = LabelTrialReport()

  /// `token` tells the messages and the label from those of other tests.
  init(
    _ store: IMAPStore,
    _ mailboxes: LabelMailboxes,
    _ interruption: Interruption,
    token: String,
    now: Int64
  ) {
    (self.store, self.mailboxes, self.interruption) = (store, mailboxes, interruption)
    name = "magnum-test-\(token)"
    self.now = now
  }

  private var label: [UInt8] { Array(name.utf8) }
  private var message: TrialMessage { TrialMessage(name, "message", now: now) }
  private var draft: TrialMessage { TrialMessage(name, "draft", now: now) }

  /// Tries everything, up to the first thing that the server does not do.
  ///
  /// - Throws: where the server cannot be asked; then something of the test may be left there.
  mutating func test() throws(SyncFailure) -> LabelTrialReport {
    try tryAll()
    try cleanUp()
    return report
  }

  private mutating func tryAll() throws(SyncFailure) {
    guard let uid = try appended(message, to: mailboxes.all) else {
      return fail("a message put into All Mail was not there")
    }
    try tryLabel(uid)
    guard report.failure == nil else { return }
    try tryForbiddenLabel(uid)
    try trySecondAppend()
    try tryDraft()
    guard report.failure == nil else { return }
    try tryTrash()
  }

  // MARK: Labels

  private mutating func tryLabel(_ uid: UInt32) throws(SyncFailure) {
    let before = try modSequence(of: uid)
    var way = "made by STORE"
    var answer = try storeLabel(label, uid)
    if try !isLabelled(uid) {
      way = answer.kind == .ok ? "ignored by STORE, made by CREATE" : "refused, made by CREATE"
      _ = try connection.perform(.create(MailboxName(wire: label), specialUse: nil))
      answer = try storeLabel(label, uid)
    }
    guard try isLabelled(uid) else {
      return fail("a message did not get a label: \(Printable.text(answer.text, limit: 100))")
    }
    record("unknown label", way)
    let after = try modSequence(of: uid)
    if let before, let after {
      record("MODSEQ with a label", before < after ? "rises" : "stays")
    }
    guard let seconds = try seconds(until: { trial throws(SyncFailure) in try trial.listed() == 1 })
    else { return fail("the mailbox of a label does not list a message that has it") }
    record("mailbox of the label", seconds == 0 ? "at once" : "after \(seconds) s")
  }

  /// Names below that of the server's own are forbidden.
  private mutating func tryForbiddenLabel(_ uid: UInt32) throws(SyncFailure) {
    let forbidden = Array(mailboxes.all.wire.prefix { $0 != ASCII.slash }) + [ASCII.slash] + label
    let answer = try storeLabel(forbidden, uid)
    let isThere = try store.labelled([uid], in: all())[uid]?.labels.contains(forbidden) ?? false
    if isThere {
      _ = try connection.perform(
        .uidStoreLabel(UIDSet(sortedUIDs: [uid]), forbidden, isAdding: false)
      )
      _ = try connection.perform(.delete(MailboxName(wire: forbidden)))
    }
    let way = isThere ? "made" : answer.kind == .ok ? "ignored" : "refused"
    record("forbidden label", way)
  }

  private func storeLabel(_ label: [UInt8], _ uid: UInt32) throws(SyncFailure) -> StatusResponse {
    _ = try all()
    return try connection.perform(
      .uidStoreLabel(UIDSet(sortedUIDs: [uid]), label, isAdding: true)
    )
  }

  private func isLabelled(_ uid: UInt32) throws(SyncFailure) -> Bool {
    try store.labelled([uid], in: all())[uid]?.labels.contains { $0.equalsCaseless(label) } ?? false
  }

  /// How many messages the mailbox of the label has.
  private func listed() throws(SyncFailure) -> UInt32 {
    let name = MailboxName(wire: label)
    return try store.status(of: [name])[name]?.messages ?? 0
  }

  private func modSequence(of uid: UInt32) throws(SyncFailure) -> UInt64? {
    _ = try all()
    guard try connection.capabilities.contains("CONDSTORE") else { return nil }
    var found: UInt64?
    let set = UIDSet(sortedUIDs: [uid])
    let command = Command.uidFetch(.uids(set), [.uid, .modSequence], changedSince: nil)
    _ = try connection.perform(command) { event in
      if case .fetch(let fetch) = event, fetch.uid == uid { found = fetch.modSequence ?? found }
    }
    return found
  }

  // MARK: Messages

  private mutating func trySecondAppend() throws(SyncFailure) {
    _ = try store.append([AppendOrder([message], to: mailboxes.all)])
    let count = try uids(of: message, in: mailboxes.all).count
    record("same octets again", count == 1 ? "the same message" : "a second one")
  }

  private mutating func tryDraft() throws(SyncFailure) {
    _ = try store.append([AppendOrder([draft], to: mailboxes.drafts)])
    let uid = try found(draft, in: mailboxes.all)
    guard let uid else { return fail("a draft put into Drafts is not in All Mail") }
    let labels = try store.labelled([uid], in: all())[uid]?.labels ?? []
    let isDraft = labels.contains { LabelMeaning(label: $0) == .draft }
    record("draft", isDraft ? "labelled" : "not labelled")
  }

  private mutating func tryTrash() throws(SyncFailure) {
    let before = try uids(of: message, in: mailboxes.all)
    try move(before, from: mailboxes.all, to: mailboxes.trash)
    guard try found(message, in: mailboxes.trash) != nil else {
      return fail("a message moved to Trash is not there")
    }
    guard try uids(of: message, in: mailboxes.all).isEmpty else {
      return fail("a message moved to Trash is still in All Mail")
    }
    guard try seconds(until: { trial throws(SyncFailure) in try trial.listed() == 0 }) != nil else {
      return fail("the mailbox of a label lists a message that was moved to Trash")
    }
    let trashed = try uids(of: message, in: mailboxes.trash)
    try move(trashed, from: mailboxes.trash, to: mailboxes.all)
    guard let uid = try found(message, in: mailboxes.all) else {
      return fail("a message moved out of Trash is not in All Mail")
    }
    record("back from Trash", before.contains(uid) ? "with the old UID" : "with a new UID")
    record("labels then", try isLabelled(uid) ? "kept" : "dropped")
  }

  private func move(
    _ uids: [UInt32],
    from source: MailboxName,
    to target: MailboxName
  ) throws(SyncFailure) {
    guard !uids.isEmpty else { return }
    _ = try reference(source)
    _ = try connection.perform(.uidMove(UIDSet(sortedUIDs: uids.sorted()), to: target))
  }

  /// Puts a message there; gives its UID, nil where it is not there then.
  private func appended(
    _ message: TrialMessage,
    to name: MailboxName
  ) throws(SyncFailure) -> UInt32? {
    let answer = try store.append([AppendOrder([message], to: name)])
    if case .refused(let reply) = answer.first?.results.first {
      throw .commandRefused(.append, reply)
    }
    return try found(message, in: name)
  }

  /// The message as soon as it is there.
  private func found(
    _ message: TrialMessage,
    in name: MailboxName
  ) throws(SyncFailure) -> UInt32? {
    var found: UInt32?
    _ = try seconds { trial throws(SyncFailure) in
      found = try trial.uids(of: message, in: name).max()
      return found != nil
    }
    return found
  }

  private func uids(
    of message: TrialMessage,
    in name: MailboxName
  ) throws(SyncFailure) -> [UInt32] {
    let reference = try reference(name)
    _ = try connection.perform(.noop)
    return try store.messages(withID: message.identifier, in: reference) ?? []
  }

  // MARK: In the end

  /// Only messages of this test are expunged, by their UIDs.
  private mutating func cleanUp() throws(SyncFailure) {
    for message in [message, draft] {
      try move(uids(of: message, in: mailboxes.all), from: mailboxes.all, to: mailboxes.trash)
      _ = try seconds { trial throws(SyncFailure) in
        try trial.uids(of: message, in: trial.mailboxes.all).isEmpty
      }
      let trashed = try uids(of: message, in: mailboxes.trash)
      if !trashed.isEmpty {
        let reference = try reference(mailboxes.trash)
        let marked = try store.mark(trashed, unchangedSince: nil, in: reference)
        _ = try store.expunge(Array(marked.done), in: reference, unmarking: { _ in })
      }
      for place in [mailboxes.all, mailboxes.trash] {
        let left = try uids(of: message, in: place)
        if !left.isEmpty { report.left.append("a message in \(place)") }
      }
    }
    let mailbox = MailboxName(wire: label)
    guard try store.status(of: [mailbox])[mailbox] != nil else { return }
    guard try listed() == 0, try connection.perform(.delete(mailbox)).kind == .ok else {
      return report.left.append("the label \(name)")
    }
  }

  // MARK: Means

  private var connection: Connection {
    get throws(SyncFailure) { try store.session().connection }
  }

  private func all() throws(SyncFailure) -> MailboxReference { try reference(mailboxes.all) }

  private func reference(_ name: MailboxName) throws(SyncFailure) -> MailboxReference {
    MailboxReference(name, try store.open(name, forChanges: true).identity)
  }

  /// Waits until something is so; gives how many seconds that took, nil where it never is.
  private func seconds(
    until isSo: (LabelTrial) throws(SyncFailure) -> Bool
  ) throws(SyncFailure) -> Int? {
    var waited = 0.0
    while try !isSo(self) {
      guard waited < Self.patience else { return nil }
      guard interruption.sleep(seconds: Self.pause) else { throw .interrupted }
      waited += Self.pause
    }
    return Int(waited.rounded(.up))
  }

  private mutating func record(_ name: String, _ text: String) { report.facts.append((name, text)) }
  private mutating func fail(_ text: String) { report.failure = text }
}
