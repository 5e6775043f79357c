internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Octets
internal import SyncPlan
internal import SyncState

/// Tells removed messages from those that were moved while the run was reading one mailbox after the other, or to where it does
/// not look.
///
/// What went from one mailbox may have come to another that was read before. Then the UIDNEXT of that one is higher now than
/// when it was read. Until the next run has seen both, no file of such a message is uploaded again, and none is removed that
/// was flagged or tagged here. The same holds where the message may be in a mailbox that no run has seen.
struct ReuploadCheck {
  private let context: AccountContext
  private let store: any MailStore
  private let records: any AccountRecords
  private let group: [OpenMailbox]
  private let failed: Set<MailboxName>

  /// A check for mailboxes that were planned together, before anything is sent to them; `records` tells what is on record of
  /// all mailboxes of the account, `unread` which mailboxes could not be read with them.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ records: any AccountRecords,
    _ group: [OpenMailbox],
    unread: Set<MailboxName>
  ) {
    self.context = context
    self.store = store
    self.records = records
    self.group = group.filter { !$0.hasFailed }
    failed = unread.union(group.filter(\.hasFailed).map(\.mailbox.name))
  }

  /// Holds those files back in the plans whose messages may be where a message came meanwhile, or where no run has looked.
  func blockUploads(_ outcome: inout StepOutcome) throws(SyncFailure) {
    let concerned = group.map { ($0, reuploads(in: $0) + changed(in: $0)) }.filter { !$0.1.isEmpty }
    guard SyncRule.unseen.isOn, !concerned.isEmpty else { return }
    let unseen = try unseenMessages()
    for (mailbox, files) in concerned {
      let names = LostFile.held(files, by: unseen)
      guard !names.isEmpty else { continue }
      outcome[mailbox].isComplete = false
      guard var plan = mailbox.plan else { continue }
      plan.hold(.unseen(names))
      mailbox.adoptPlan(plan)
    }
  }

  /// The files that would be sent up again.
  private func reuploads(in mailbox: OpenMailbox) -> [LostFile] {
    mailbox.remainingPlan.uploads.filter(mailbox.isReupload).map {
      LostFile(name: $0.step.name, wanted: wanted($0, in: mailbox))
    }
  }

  /// The files that would be removed with what was changed of their flags or tags here.
  private func changed(in mailbox: OpenMailbox) -> [LostFile] {
    mailbox.remainingPlan.deletions.compactMap { deletion in
      guard case .synced(let name, let uid, isChanged: true) = deletion.step else { return nil }
      return LostFile(name: name, wanted: mailbox.state.messages[uid].map { Trace($0) } ?? Trace())
    }
  }

  /// What is known of the message that would be sent up again.
  private func wanted(
    _ upload: Planned<FileUpload>,
    in mailbox: OpenMailbox
  ) -> Trace {
    if let record = former(of: upload.step, in: mailbox) { return Trace(record) }
    let intent = mailbox.missingUploads[upload.step.name].flatMap { mailbox.state.intents[$0] }
    guard case .append(let upload) = intent else { return Trace() }
    return Trace(size: upload.size)
  }

  /// What is on record of the message whose file it is.
  private func former(of upload: FileUpload, in mailbox: OpenMailbox) -> BaseRecord? {
    if let former = upload.former {
      let holder = group.first { $0.mailbox.id == former.mailbox }
      return holder?.state.messages[former.uid]
    }
    return upload.replacing.flatMap { mailbox.state.messages[$0] }
  }

  /// The messages that no run has seen; nil where some may have come while this one was reading.
  private func unseenMessages() throws(SyncFailure) -> [RemoteMessage]? {
    guard !context.facts.hasUnseen else { return nil }
    var listing = try store.list()
    let silent = listing.mailboxes.filter { $0.isSelectable && $0.status?.uidNext == nil }
    listing.recordStatus(try store.status(of: silent.map(\.name)))
    guard !hasArrivals(listing) else { return nil }
    let unseen = UnseenMessages(
      context,
      store,
      listing,
      records.entries,
      but: group,
      failed: failed
    )
    return try unseen.messages()
  }

  private func hasArrivals(_ now: ServerListing) -> Bool {
    var before = context.facts.listed
    for mailbox in group {
      let name = mailbox.mailbox.name
      before[name] = .some(mailbox.remote.uidNext ?? next(in: mailbox, since: before[name] ?? nil))
    }
    return now.mailboxes.contains { mailbox in
      guard mailbox.isSelectable else { return false }
      guard let listed = before[mailbox.name] else { return true }
      // What the server told none of when the run began tells nothing of what came since.
      guard let known = listed, let now = mailbox.status?.uidNext else { return false }
      return now > known
    }
  }

  /// The lowest UIDNEXT that a mailbox can have had when it was read, where only the earlier list told one.
  private func next(in mailbox: OpenMailbox, since listed: UInt32?) -> UInt32? {
    listed.map { max($0, (mailbox.remote.view.listed.uids.last ?? 0) &+ 1) }
  }
}

extension OpenMailbox {
  /// Whether a file is sent up again whose message is gone from the server, or may be: that of an upload of which it is
  /// not known whether it arrived.
  func isReupload(_ upload: Planned<FileUpload>) -> Bool {
    if missingUploads[upload.step.name] != nil { return true }
    if upload.reason == .flaggedHere || upload.reason == .keptHere { return true }
    return upload.step.replacing.map(RemoteIndex(remote.view).isGone) ?? false
  }
}
