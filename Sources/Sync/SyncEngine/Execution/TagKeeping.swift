internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Keeps what people did to tags in mailboxes that are seen together, until the server knows it.
struct TagKeeping {
  private let context: AccountContext
  private let group: [OpenMailbox]
  /// The messages that have tags, by mailbox and the base names of their files.
  private let tagged: [UInt64: [[UInt8]: UInt32]]

  /// Of mailboxes that are planned; made before anything is done, since their messages may have other names behind it.
  init(_ context: AccountContext, _ group: [OpenMailbox]) {
    self.context = context
    self.group = group
    tagged = Dictionary(first: group.map { ($0.mailbox.id, $0.taggedMessages) })
  }

  /// Forgets what the server knows by now, keeps here what it does not take, and has tags go where their files went.
  ///
  /// Where that fails, the next run does it: until then nothing is lost or told twice.
  ///
  /// - Parameters:
  ///   - done: what all steps before came to.
  ///   - outcome: what this one comes to.
  func updateTags(after done: StepOutcome, _ outcome: inout StepOutcome) {
    guard group.contains(where: { $0.tagFile != nil }) else { return }
    var carried = StepOutcome()
    try? TagLock.with(context.store.directory) { () throws(SystemError) in
      var files = try TagFiles(group)
      carry(&files, done, &carried)
      for mailbox in group where !mailbox.hasFailed {
        forget(mailbox, done[mailbox], &files, &carried)
      }
      try files.write()
    }
    outcome.merge(carried)
  }

  // MARK: Where they go

  private func carry(
    _ files: inout TagFiles,
    _ done: StepOutcome,
    _ outcome: inout StepOutcome
  ) {
    let ids = group.keyed(by: \.mailbox.directory)
    for mailbox in group {
      for change in done[mailbox].changes {
        guard case .renamed(let folder, let old, let toFolder, let new) = change,
          let source = ids[folder], let target = ids[toFolder]
        else { continue }
        move(old.name.base, from: source, to: target, as: new.name.base, &files, &outcome)
      }
    }
    for target in group { copy(to: target, &files, &outcome) }
    for source in group {
      for base in files.bases(in: source)
      where source.local.files[base] == nil && source.state.uid(of: base) == nil {
        if let place = newPlace(of: base, in: source) {
          move(base, from: source, to: place.mailbox, as: place.name, &files, &outcome)
          continue
        }
        // A run that ended behind the rename of a file that it detached.
        let detached = DetachedName.base(base)
        if source.local.files[detached] != nil {
          move(base, from: source, to: source, as: detached, &files, &outcome)
        } else if let target = group.first(where: {
          $0 !== source && $0.local.files[base] != nil
        }) {
          move(base, from: source, to: target, as: base, &files, &outcome)
        }
      }
    }
  }

  /// What is copied has the tags of its original.
  private func copy(
    to target: OpenMailbox,
    _ files: inout TagFiles,
    _ outcome: inout StepOutcome
  ) {
    for copy in target.plan?.copies.map(\.step) ?? [] {
      let id = copy.original.mailbox
      guard target.state.uid(of: copy.name) != nil,
        let original = group.first(where: { $0.mailbox.id == id }),
        let base = original.state.messages[copy.original.uid]?.name,
        !files[original, base].isEmpty, files[target, copy.name].isEmpty
      else { continue }
      files[target, copy.name] = files[original, base]
      outcome[target].changes.append(.marked(folder: target.mailbox.directory, base: copy.name))
    }
  }

  /// Where the file of a message is that another program gave a new name; nil where nothing is known of that.
  private func newPlace(
    of base: [UInt8],
    in source: OpenMailbox
  ) -> (mailbox: OpenMailbox, name: [UInt8])? {
    guard let uid = tagged[source.mailbox.id]?[base] else { return nil }
    if let name = source.state.messages[uid]?.name { return (source, name) }
    guard let move = source.plan?.moves.first(where: { $0.step.uid == uid })?.step,
      let target = group.first(where: { $0.mailbox.id == move.target }),
      target.state.uid(of: move.name) != nil
    else { return nil }
    return (target, move.name)
  }

  private func move(
    _ base: [UInt8],
    from source: OpenMailbox,
    to target: OpenMailbox,
    as new: [UInt8],
    _ files: inout TagFiles,
    _ outcome: inout StepOutcome
  ) {
    let tags = files[source, base]
    guard source !== target || base != new, !tags.isEmpty else { return }
    files[source, base] = TagFile.Tags()
    files[target, new] = tags
    outcome[target].changes.append(.marked(folder: target.mailbox.directory, base: new))
  }

  // MARK: What the server knows

  private func forget(
    _ mailbox: OpenMailbox,
    _ done: StepOutcome.Part,
    _ files: inout TagFiles,
    _ outcome: inout StepOutcome
  ) {
    let removed = OctetSet(
      done.changes.compactMap { change in
        guard case .removed(_, let file) = change else { return nil }
        return file.name.base
      }
    )
    for base in files.bases(in: mailbox) {
      if removed.contains(base) {
        files[mailbox, base] = TagFile.Tags()
        continue
      }
      guard context.mailboxes.isWriting(in: mailbox.mailbox), let uid = mailbox.state.uid(of: base),
        let record = mailbox.state.messages[uid]
      else { continue }
      let kept = mailbox.remote.keptFlags
      var tags = files[mailbox, base]
      if kept.setsKeywordsApart {
        tags.tellOwn(where: kept.keeps)
        if done.refusedTags.contains(uid) {
          let tried = mailbox.triedTags(of: uid)
          tags.drop(added: tried.adding, removed: tried.removing)
        }
      }
      let isRefused = !kept.setsKeywordsApart && done.refusedTags.contains(uid)
      tags.resolveChanges(beside: record.flags.keywords) {
        !mailbox.remote.isReadOnly && !isRefused && kept.keeps($0)
      }
      if kept.setsKeywordsApart, tags != files[mailbox, base] {
        outcome[mailbox].changes.append(.marked(folder: mailbox.mailbox.directory, base: base))
      }
      files[mailbox, base] = tags
    }
  }
}

extension OpenMailbox {
  /// What the plan was to change of the tags of a message.
  fileprivate func triedTags(of uid: UInt32) -> KeywordChange {
    let stores = plan?.stores.map(\.step).filter { $0.uid == uid } ?? []
    return KeywordChange(
      adding: stores.flatMap(\.keywords.adding),
      removing: stores.flatMap(\.keywords.removing)
    )
  }

  /// The UIDs of messages with tags that the server may not know, by the base names of their files.
  fileprivate var taggedMessages: [[UInt8]: UInt32] {
    var uids: [[UInt8]: UInt32] = [:]
    for base in tagFile?.tags.keys ?? [:].keys { uids[base] = state.uid(of: base) }
    return uids
  }
}
