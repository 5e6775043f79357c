internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import SyncPlan

/// Compares the files of a mailbox with their messages, as the server has them in the end.
///
/// A message whose octets were not read since it was uploaded is fetched. For the others, only flags are read again.
struct MailboxProof {
  /// Messages that are compared at once.
  private static let piece = 1000

  private let restoration: MailboxRestoration
  private let listing: MailboxLook.Listing
  private var counts = RestorationReport.Counts()

  init(_ restoration: MailboxRestoration, _ listing: MailboxLook.Listing) {
    self.restoration = restoration
    self.listing = listing
  }

  private var target: RestoreTarget { restoration.target }
  private var journal: RestoreJournal { restoration.journal }
  private var progress: RestoreProgress { restoration.progress }

  /// Compares all; `uids` are the messages of the files.
  mutating func compareFiles(_ uids: [UInt32?]) throws(SyncFailure) -> RestorationReport.Counts {
    counts.messages = target.files.count
    counts.refused = progress.refused.count { uids[$0] == nil }
    counts.elsewhere = progress.elsewhere.count
    var pairs: [(index: Int, uid: UInt32)] = []
    for (index, uid) in uids.enumerated() {
      if let uid {
        pairs.append((index, uid))
      } else if !progress.isSettled(index) {
        // Why the others are not there was said.
        finishFile(index, nil, [.missing])
      }
      guard pairs.count == Self.piece else { continue }
      try compare(pairs)
      pairs = []
    }
    try compare(pairs)
    return counts
  }

  private mutating func compare(_ pairs: [(index: Int, uid: UInt32)]) throws(SyncFailure) {
    guard !pairs.isEmpty else { return }
    if restoration.interruption.isRequested { throw .interrupted }
    let unseen = pairs.filter { journal.mailbox.proof(of: $0.uid) == .unseen }
    let fetched = try fetch(unseen)
    // Labels do not come with what is fetched.
    let isApart = listing.keptFlags.setsKeywordsApart
    let others = pairs.filter { isApart || fetched[$0.uid] == nil }.map(\.uid)
    let flags = try restoration.store.flags(of: others, in: listing.reference)
    for (index, uid) in pairs {
      var message =
        fetched[uid]
        ?? flags[uid].map {
          RemoteMessage(uid: uid, flags: $0, date: listing.message(uid)?.date)
        }
      if let flags = flags[uid] { message?.flags = flags }
      let file = target.files[index]
      let kept = listing.keptFlags.kept(of: file.flags)
      let proof = journal.mailbox.proof(of: uid) ?? .unseen
      finishFile(index, uid, RestoreDifference.all(file, kept, message, proof))
    }
  }

  /// Fetches messages, and records what they hold.
  private func fetch(
    _ pairs: [(index: Int, uid: UInt32)]
  ) throws(SyncFailure) -> [UInt32: RemoteMessage] {
    guard !pairs.isEmpty else { return [:] }
    let interruption = restoration.interruption
    let wanted = pairs.map { index, uid in
      RemoteMessage(uid: uid, flags: MessageFlags(), size: target.files[index].wireSize)
    }
    let reader = MessageContentsReader(restoration.store, listing.reference, restoration.meter)
    let found = try reader.read(wanted) { interruption.isRequested }
    try journal.recordLines(
      pairs.compactMap { index, uid in
        let digest = target.files[index].digest
        return found[uid].map {
          .there(digest, uid: uid, $0.content.digest == digest ? .same : .other)
        }
      }
    )
    return found.mapValues(\.message)
  }

  private mutating func finishFile(
    _ index: Int,
    _ uid: UInt32?,
    _ differences: [RestoreDifference]
  ) {
    let isNew = progress.sent.contains(index)
    counts.add(differences, isNew: isNew)
    for difference in differences {
      restoration.observer(
        .difference(
          mailbox: target.display,
          target.path(index),
          uid: difference == .missing ? nil : uid,
          difference,
          isNew: isNew
        )
      )
    }
  }
}

extension RestorationReport.Counts {
  /// Counts a file.
  fileprivate mutating func add(_ differences: [RestoreDifference], isNew: Bool) {
    guard differences != [.missing] else {
      missing += 1
      return
    }
    if isNew { uploaded += 1 } else { present += 1 }
    let isUnread = differences.contains(.unread)
    if differences.contains(.octets) {
      altered += 1
    } else if !isUnread {
      proven += 1
    }
    if isNew ? !differences.isEmpty : differences.contains(where: \.isLoss) {
      unequal += 1
    } else if differences.contains(where: { $0 != .octets }) {
      remarked += 1
    }
  }
}
