internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Asks the server what tells whether a mailbox was renamed; it changes nothing.
struct RenameQuestions {
  /// So many messages of each mailbox are compared.
  private static let sampleSize = 40

  private let context: FolderContext
  private let store: any MailStore

  init(_ context: FolderContext, _ store: any MailStore) {
    self.context = context
    self.store = store
  }

  /// Completes the status of mailboxes where the list came without it and it may tell a rename.
  ///
  /// That is where a mailbox is gone, a new one came, or those are doubted that may be others: a run in which none is so
  /// asks nothing.
  func completeStatus(
    _ listing: inout ServerListing,
    _ known: [KnownMailbox],
    doubted: Set<MailboxName>
  ) throws(SyncFailure) {
    guard !known.isEmpty else { return }
    let mailboxes = listing.mailboxes.filter(\.isSelectable)
    let listed = Set(mailboxes.map(\.name))
    let recorded = Set(known.map(\.name))
    let new = mailboxes.filter { !recorded.contains($0.name) }
    guard
      known.contains(where: { !listed.contains($0.name) }) || new.contains(where: mayBeMirrored)
        || !doubted.isEmpty
    else { return }
    try askStatus(new.map(\.name).filter { listing.status(of: $0) == nil }, &listing)
    try askIDs(new.map(\.name), &listing)
    // A mailbox whose id or UIDVALIDITY a new one has may have been renamed, and another one made in its place.
    // So may any, where the new one has messages and a UIDVALIDITY that none on record has.
    let found = new.compactMap { listing.status(of: $0.name) }
    let isAnyDoubtful = found.contains { status in
      status.messages ?? 0 > 0
        && !known.contains { $0.identity.mayBe(status.identity) }
    }
    let doubtful = known.filter { mailbox in
      listed.contains(mailbox.name)
        && (doubted.contains(mailbox.name) || isAnyDoubtful && mailbox.messages > 0
          || found.contains { mailbox.identity.mayBe($0.identity) })
    }.map(\.name)
    try askStatus(doubtful.filter { listing.status(of: $0) == nil }, &listing)
    try askIDs(doubtful, &listing)
  }

  /// Asks for what identifies mailboxes; one that has no status in the end is not there.
  private func askStatus(
    _ names: [MailboxName],
    _ listing: inout ServerListing
  ) throws(SyncFailure) {
    guard !names.isEmpty else { return }
    listing.recordStatus(try store.status(of: names))
  }

  private func askIDs(
    _ names: [MailboxName],
    _ listing: inout ServerListing
  ) throws(SyncFailure) {
    guard !names.isEmpty else { return }
    for (name, id) in try store.serverIDs(of: names) {
      guard var status = listing.status(of: name) else { continue }
      status.identity.serverID = id
      listing.recordStatus([name: status])
    }
  }

  private func mayBeMirrored(_ mailbox: ServerMailbox) -> Bool {
    !mailbox.isView && context.isWanted(mailbox.path.joined)
  }

  // MARK: Messages

  /// Compares some messages of each pair.
  func answers(
    _ pairs: [RenameSearch.Pair]
  ) throws(SyncFailure) -> [RenameSearch.Pair: RenameSearch.Evidence] {
    var answers: [RenameSearch.Pair: RenameSearch.Evidence] = [:]
    guard !pairs.isEmpty else { return answers }
    var samples: [UInt64: [UInt32: BaseRecord]] = [:]
    for id in Set(pairs.map(\.id)) { samples[id] = try sample(id) }
    let byName = Dictionary(grouping: pairs, by: \.name)
    let wanted = byName.mapValues { pairs in
      Set(pairs.flatMap { samples[$0.id].map { Array($0.keys) } ?? [] }).sorted()
    }
    let found = try store.samples(wanted)
    for (name, pairs) in byName {
      for pair in pairs {
        answers[pair] = Self.compare(samples[pair.id] ?? [:], found[name] ?? [:])
      }
    }
    return answers
  }

  /// Messages of the record, from its beginning to its end.
  private func sample(_ id: UInt64) throws(SyncFailure) -> [UInt32: BaseRecord] {
    let state = try attempt(context.store.state(of: id))
    guard let state else { return [:] }
    let messages = state.sortedMessages.filter { $0.size != nil && $0.date != nil }
    let step = max(1, messages.count / Self.sampleSize)
    let chosen = stride(from: messages.count - 1, through: 0, by: -step).map { messages[$0] }
    return chosen.keyed(by: \.uid)
  }

  /// One that differs is enough to tell two mailboxes apart.
  private static func compare(
    _ records: [UInt32: BaseRecord],
    _ found: [UInt32: RemoteMessage]
  ) -> RenameSearch.Evidence {
    var same = 0
    for (uid, message) in found {
      guard let record = records[uid], let before = Trace(record).key(.look),
        let now = Trace(message).key(.look)
      else { continue }
      guard before == now else { return .other }
      same += 1
    }
    return same > 0 ? .same(isMost: 2 * same >= records.count) : .none
  }
}

extension MailboxIdentity {
  /// Whether a mailbox of that identity may be the one that had this, under another name.
  fileprivate func mayBe(_ other: MailboxIdentity) -> Bool {
    sharesID(with: other) ?? validity.equals(other.validity)
  }
}

/// What mailboxes are called while some above them are renamed, one after the other (RFC 9051 §6.3.6).
struct RenamedNames {
  private let delimiter: UInt8?
  private var renames: [(old: [UInt8], new: [UInt8])] = []

  /// No mailbox was renamed yet.
  init(delimiter: UInt8?) {
    self.delimiter = delimiter
  }

  /// What a mailbox is called by now.
  func name(of name: MailboxName) -> MailboxName {
    var wire = name.wire
    for (old, new) in renames where wire.starts(with: old) {
      wire = new + wire.dropFirst(old.count)
    }
    return MailboxName(wire: wire)
  }

  /// A mailbox was renamed, with all below it.
  mutating func rename(_ old: MailboxName, to new: MailboxName) {
    guard let delimiter, old != new else { return }
    renames.append((old.wire + [delimiter], new.wire + [delimiter]))
  }
}
