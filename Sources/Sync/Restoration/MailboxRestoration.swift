internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import SyncPlan
internal import SyncState

/// Restores all folders that go to one mailbox: looks which files the server has, uploads the others, and compares all.
///
/// Where anything ended early, all of it may be done anew.
struct MailboxRestoration {
  let store: any MailStore
  let target: RestoreTarget
  let journal: RestoreJournal
  let progress: RestoreProgress
  /// Looks in the other mailboxes of the account; nil where all is to be in this one.
  let moved: MovedMessages?
  /// Counts what is fetched; nil where the account does not limit it.
  let meter: FetchMeter?
  let interruption: Interruption
  let observer: (RestorationEvent) -> Void

  /// What would be uploaded; `listing` is the mailbox as it is listed, nil for one that is not there.
  func plan(_ listing: MailboxLook.Listing?) throws(SyncFailure) -> RestorationReport.Counts {
    var uids = [UInt32?](repeating: nil, count: target.files.count)
    if var listing { uids = try find(look, &listing) }
    try noteMoved(uids)
    var counts = RestorationReport.Counts()
    counts.messages = target.files.count
    counts.elsewhere = progress.elsewhere.count
    for (index, uid) in uids.enumerated() where progress.elsewhere[index] == nil {
      guard uid == nil else {
        counts.present += 1
        continue
      }
      counts.uploaded += 1
      let octets = target.files[index].wireSize
      observer(.planned(mailbox: target.display, target.path(index), octets: octets))
    }
    return counts
  }

  /// Uploads what the server lacks, and proves that it has everything; `listing` is the mailbox as it is listed.
  func restoreMailbox(_ listing: MailboxLook.Listing) throws(SyncFailure)
    -> RestorationReport.Counts
  {
    var listing = listing
    let look = look
    var uids = try find(look, &listing)
    tellUnkept(listing.keptFlags)
    try noteMoved(uids)
    while try !upload(&uids, listing) { uids = try findAnew(look, &listing) }
    // A server that does not tell UIDs may show what it took only later.
    if !missing(uids).isEmpty {
      uids = try findAnew(look, &listing)
    } else if !progress.sent.isEmpty {
      try showUploaded(in: listing.reference)
    }
    if listing.keptFlags.setsKeywordsApart { try setKeywords(uids, listing) }
    var proof = MailboxProof(self, listing)
    return try proof.compareFiles(uids)
  }

  /// Sets the keywords that are labels of messages that were sent, also by a run that ended before; what the server refuses shows in
  /// the comparison.
  private func setKeywords(
    _ uids: [UInt32?],
    _ listing: MailboxLook.Listing
  ) throws(SyncFailure) {
    var stores: [FlagStore] = []
    for (file, uid) in zip(target.files, uids) {
      guard let uid, journal.mailbox.proof(of: uid) == .unseen else { continue }
      let labels = listing.keptFlags.kept(of: file.flags).keywords.filter {
        !LabelMeaning.isFlag($0)
      }
      guard !labels.isEmpty else { continue }
      let change = KeywordChange(adding: labels, removing: [])
      stores.append(FlagStore(uid: uid, adding: [], removing: [], keywords: change))
    }
    guard !stores.isEmpty else { return }
    for case .failed(let failure) in try store.change([FlagOrder(stores, in: listing.reference)]) {
      throw failure
    }
  }

  /// Opens the mailbox anew: some servers, such as Courier, do not show before what was put into it.
  private func showUploaded(in reference: MailboxReference) throws(SyncFailure) {
    let opened = try store.open(target.mailbox, forChanges: true)
    try Self.check(opened.identity, against: reference)
  }

  /// What was fetched is known by UIDs, which mean nothing in another mailbox.
  static func check(
    _ identity: MailboxIdentity,
    against reference: MailboxReference
  ) throws(SyncFailure) {
    guard identity.sharesUIDs(with: reference.identity) else {
      throw .mailbox(.identityChanged(from: reference.identity, to: identity))
    }
  }

  private var look: MailboxLook {
    let observer = observer
    return MailboxLook(
      store,
      target.mailbox,
      display: target.display,
      journal,
      meter,
      interruption
    ) { observer(.step($0)) }
  }

  /// The messages of the files, after what was under way is settled.
  private func find(
    _ look: MailboxLook,
    _ listing: inout MailboxLook.Listing
  ) throws(SyncFailure) -> [UInt32?] {
    if try look.resolveUnanswered(target, listing) { listing = try look.list() }
    return try look.match(target, listing)
  }

  /// The same after the mailbox is listed anew.
  private func findAnew(
    _ look: MailboxLook,
    _ listing: inout MailboxLook.Listing
  ) throws(SyncFailure) -> [UInt32?] {
    let reference = listing.reference
    listing = try look.list()
    try Self.check(listing.reference.identity, against: reference)
    return try find(look, &listing)
  }

  /// The files of which no message is there, and that are to be sent.
  private func missing(_ uids: [UInt32?]) -> [Int] {
    target.files.indices.filter { uids[$0] == nil && !progress.isSettled($0) }
  }

  /// Notes which of the files that have no message here have one in another mailbox.
  private func noteMoved(_ uids: [UInt32?]) throws(SyncFailure) {
    let found = try moved?.find(missing(uids), of: target, over: store) ?? [:]
    for (index, mailbox) in found.sorted(by: { $0.key < $1.key }) {
      progress.elsewhere[index] = mailbox
      observer(.elsewhere(mailbox: target.display, target.path(index), there: mailbox))
    }
  }

  /// Uploads what is missing; false where others have put some of it into the mailbox meanwhile.
  private func upload(
    _ uids: inout [UInt32?],
    _ listing: MailboxLook.Listing
  ) throws(SyncFailure) -> Bool {
    let indices = progress.ordered(missing(uids))
    guard !indices.isEmpty else { return true }
    var upload = MailboxUpload(self, listing)
    return try upload.uploadFiles(indices, &uids)
  }

  /// Says which flags and keywords the mailbox does not keep.
  private func tellUnkept(_ kept: KeptFlags) {
    var system: SystemFlags = []
    var keywords = target.unstorable
    for file in target.files {
      system.formUnion(file.flags.system.subtracting(kept.system))
      for word in file.flags.keywords where !kept.keeps(word) { keywords.insert(word) }
    }
    guard !system.isEmpty || !keywords.isEmpty else { return }
    let sorted = keywords.sorted { $0.lexicographicallyPrecedes($1) }
    observer(.unkept(mailbox: target.display, system, sorted))
  }
}
