internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan

/// Sets and takes away labels of messages in All Mail, and looks what came of it.
///
/// One command a label: a name that the server forbids would take others along. What was not done is tried once more: a label
/// that is missing is made before, and one that stays is taken away as it is spelled there. What is refused then is refused for
/// good.
struct LabelChanges {
  /// A tag that messages get or lose.
  private struct Change: Hashable {
    let tag: [UInt8]
    let isAdding: Bool
  }

  /// A command to come.
  private struct Request {
    let change: Change
    let label: [UInt8]
    let uids: [UInt32]
  }

  /// What a message has.
  private typealias Marks = (labels: [[UInt8]], flags: [Flag])

  private let store: IMAPStore
  private let mailbox: MailboxReference
  private let spellings: [[UInt8]: [UInt8]]
  private var marks: [UInt32: Marks] = [:]
  /// Why a change was not made; the last answer counts.
  private var refusals: [Change: ServerReply] = [:]

  private static let ignored = ServerReply(.unspecified, text: Array("the label is unchanged".utf8))
  private static let notSettable = ServerReply(
    .forbidden,
    text: Array("no client changes this label".utf8)
  )

  init(_ store: IMAPStore, _ mailbox: MailboxReference, spellings: [[UInt8]: [UInt8]]) {
    (self.store, self.mailbox, self.spellings) = (store, mailbox, spellings)
  }

  /// Makes the changes of tags; gives what came of each message.
  ///
  /// A message loses tags once it has those that it gets: one that would go from the inbox to a label stays there where the label
  /// is refused.
  mutating func make(_ stores: [FlagStore]) throws(SyncFailure) -> FlagOutcome {
    var wanted: [Change: [UInt32]] = [:]
    for store in stores {
      for change in Self.changes(of: store.keywords) {
        wanted[change, default: []].append(store.uid)
      }
    }
    let gaining = Set(stores.filter { !$0.keywords.adding.isEmpty }.map(\.uid))
    let (first, then) = (
      wanted.filter { $0.isAdding || gaining.isDisjoint(with: $1) },
      wanted.filter { !$0.isAdding && !gaining.isDisjoint(with: $1) }
    )
    try make(first)
    let missing = Set(first.filter(\.key.isAdding).flatMap { unmade($0, $1) })
    try make(then.mapValues { $0.filter { !missing.contains($0) } }.filter { !$1.isEmpty })
    return outcome(of: stores)
  }

  private mutating func make(_ wanted: [Change: [UInt32]]) throws(SyncFailure) {
    guard !wanted.isEmpty else { return }
    try send(wanted.flatMap { firstRequests($0, $1) }, isLast: false)
    try look(Array(Set(wanted.values.joined())))
    var left: [Change: [UInt32]] = [:]
    for (change, uids) in wanted where !isPassing(change) {
      let rest = unmade(change, uids)
      if !rest.isEmpty { left[change] = rest }
    }
    guard !left.isEmpty else { return }
    try send(left.flatMap { lastRequests($0, $1) }, isLast: true)
    try removeKeywords(left)
    try look(Array(Set(left.values.joined())))
  }

  private func unmade(_ change: Change, _ uids: [UInt32]) -> [UInt32] {
    uids.filter { !isGone($0) && !isMade(change, $0) }
  }

  private static func changes(of keywords: KeywordChange) -> [Change] {
    keywords.adding.map { Change(tag: $0, isAdding: true) }
      + keywords.removing.map { Change(tag: $0, isAdding: false) }
  }

  // MARK: Commands

  private func firstRequests(_ change: Change, _ uids: [UInt32]) -> [Request] {
    let folded = change.tag.map { ASCII.lowercased($0) }
    guard let plain = LabelMeaning.label(of: change.tag) else { return [] }
    return [Request(change: change, label: spellings[folded] ?? plain, uids: uids)]
  }

  /// Labels that stay are taken away as messages have them.
  private func lastRequests(_ change: Change, _ uids: [UInt32]) -> [Request] {
    guard !change.isAdding, LabelMeaning.label(of: change.tag) != nil else {
      return firstRequests(change, uids)
    }
    var spelled: [[UInt8]: [UInt32]] = [:]
    for uid in uids {
      for label in marks[uid]?.labels ?? [] where Self.means(label, change.tag) {
        spelled[label, default: []].append(uid)
      }
    }
    return spelled.map { Request(change: change, label: $0, uids: $1) }
  }

  private mutating func send(_ requests: [Request], isLast: Bool) throws(SyncFailure) {
    let connection = try store.open(mailbox)
    let sorted = requests.sorted { one, other in
      one.change.isAdding != other.change.isAdding
        ? !one.change.isAdding : one.label.lexicographicallyPrecedes(other.label)
    }
    var sent: [(change: Change, tag: CommandTag)] = []
    for request in sorted {
      refusals[request.change] = nil
      if isLast, request.change.isAdding, request.label.first != ASCII.backslash {
        // That it is there is refused, and no harm.
        _ = try connection.perform(.create(MailboxName(wire: request.label), specialUse: nil))
      }
      let set = UIDSet(sortedUIDs: request.uids.sorted())
      for piece in set.pieces(ofAtMost: IMAPStore.fewMessages) {
        let command = Command.uidStoreLabel(
          piece,
          request.label,
          isAdding: request.change.isAdding
        )
        sent.append((request.change, connection.send(command)))
      }
    }
    for (change, tag) in sent {
      let response = try connection.finish(tag)
      if response.kind != .ok { refusals[change] = ServerReply(response) }
    }
  }

  /// A keyword of that name is the same tag.
  private func removeKeywords(_ left: [Change: [UInt32]]) throws(SyncFailure) {
    let connection = try store.open(mailbox)
    for (change, uids) in left where !change.isAdding {
      let holding = uids.filter { uid in
        Self.keywords(marks[uid]).contains { $0.equalsCaseless(change.tag) }
      }
      guard !holding.isEmpty else { continue }
      for piece in UIDSet(sortedUIDs: holding.sorted()).pieces(ofAtMost: IMAPStore.fewMessages) {
        let removal = FlagChange.removing([.keyword(change.tag)])
        _ = try connection.perform(
          .uidStore(piece, removal, unchangedSince: nil, silent: true)
        )
      }
    }
  }

  // MARK: What came of it

  private mutating func look(_ uids: [UInt32]) throws(SyncFailure) {
    let found = try store.labelled(uids, in: mailbox)
    for uid in uids { marks[uid] = found[uid] }
  }

  private func isGone(_ uid: UInt32) -> Bool { marks[uid] == nil }

  private func isMade(_ change: Change, _ uid: UInt32) -> Bool {
    let isThere =
      marks[uid]?.labels.contains { Self.means($0, change.tag) } ?? false
      || Self.keywords(marks[uid]).contains { $0.equalsCaseless(change.tag) }
    return isThere == change.isAdding
  }

  private static func means(_ label: [UInt8], _ tag: [UInt8]) -> Bool {
    guard case .tag(let meant) = LabelMeaning(label: label) else { return false }
    return meant.equalsCaseless(tag)
  }

  private static func keywords(_ marks: Marks?) -> [[UInt8]] {
    MessageFlags(marks?.flags ?? []).keywords
  }

  /// Whether a later run may have it done, so that it is not refused.
  private func isPassing(_ change: Change) -> Bool {
    switch refusals[change]?.cause {
    case .passing, .unavailable: true
    case .notUnderstood, .forbidden, .unspecified, nil: false
    }
  }

  /// Why the changes of a message were not all made, be it for good or for now; nil where they were, or the message is gone.
  ///
  /// Who asks for one message has no later run that finds what was not made.
  func refusal(of store: FlagStore) -> ServerReply? {
    guard !isGone(store.uid) else { return nil }
    let open = open(store)
    return (open.first { !isPassing($0) } ?? open.first).map(reply)
  }

  /// The changes of a message that were not made; what it does not lose for want of what it gets was not tried.
  private func open(_ store: FlagStore) -> [Change] {
    let open = Self.changes(of: store.keywords).filter { !isMade($0, store.uid) }
    return open.contains(where: \.isAdding) ? open.filter(\.isAdding) : open
  }

  private func outcome(of stores: [FlagStore]) -> FlagOutcome {
    var outcome = FlagOutcome()
    for store in stores {
      guard !isGone(store.uid) else {
        outcome.gone.insert(store.uid)
        continue
      }
      let made = Self.changes(of: store.keywords).filter { isMade($0, store.uid) }
      if !made.isEmpty {
        let keywords = KeywordChange(
          adding: made.filter(\.isAdding).map(\.tag),
          removing: made.filter { !$0.isAdding }.map(\.tag)
        )
        outcome.stored.append(
          FlagStore(uid: store.uid, adding: [], removing: [], keywords: keywords)
        )
      }
      let refused = open(store).first { !isPassing($0) }
      if let refused { outcome.refused.append((store.uid, reply(to: refused))) }
    }
    return outcome
  }

  /// The server's words, behind the label that they are about.
  private func reply(to change: Change) -> ServerReply {
    let isSettable = LabelMeaning.label(of: change.tag) != nil
    let reply = refusals[change] ?? (isSettable ? Self.ignored : Self.notSettable)
    let label = Array("label \(Printable.text(change.tag, limit: 100)): ".utf8)
    return ServerReply(reply.cause, text: label + reply.text)
  }
}
