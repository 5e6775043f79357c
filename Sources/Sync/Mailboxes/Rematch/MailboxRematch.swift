internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Gives a mailbox a new base where records or UIDs can no longer be trusted: reads both sides and has
/// them matched by content.
///
/// The only place that does so, for a changed UIDVALIDITY, an adopted Maildir, and lost or old records.
struct MailboxRematch {
  let context: MailboxContext
  let store: any MailStore
  let mailbox: MirroredMailbox
  let reference: MailboxReference
  let directory: Path
  let local: LocalMailbox
  let known: MailboxState?
  let isServerBehind: Bool
  let foreign: ForeignRecords

  /// Takes what there is to match with.
  ///
  /// `known` is what was recorded before; nil where nothing is. Where `isServerBehind`, flags that the server
  /// lacks were not taken away but are not there yet again.
  init(
    _ context: MailboxContext,
    _ store: any MailStore,
    _ mailbox: MirroredMailbox,
    _ identity: MailboxIdentity,
    _ local: LocalMailbox,
    _ known: MailboxState?,
    isServerBehind: Bool
  ) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
    reference = MailboxReference(mailbox.name, identity)
    self.local = local
    self.known = known
    self.isServerBehind = isServerBehind
    directory = context.path(of: mailbox)
    let path = Array(mailbox.path.wireComponents.joined(separator: [ASCII.slash]))
    foreign = ForeignRecords(of: directory, [mailbox.directory, path], names: local.files.bases)
  }

  /// The records of a new base: what belongs together, and what is detached.
  ///
  /// `remote` lists the whole mailbox with sizes and dates.
  func records(_ header: MailboxHeader, _ remote: [RemoteMessage]) throws(SyncFailure)
    -> [StateRecord]
  {
    let files = try files(header, Set(remote.map(\.uid)))
    var remotes = try remotes(remote)
    try complete(&remotes, files.locals)
    let rematch = try joiningRewritten(Rematch(files.locals, remotes), files.locals, &remotes)
    let rematched = records(of: rematch, files.contents, remotes)
    let open = Set(rematch.fresh)
    let displaced = try displaced(remotes.filter { open.contains($0.message.uid) })
    let rest = open.subtracting(Self.messages(displaced).map(\.uid))
    let buried = try buried(remotes.filter { rest.contains($0.message.uid) })
    let detached = rematch.detached + files.placeholders
    // In this order: a message that is to go may have the name of another one.
    let records = buried + rematched + displaced + detached.map { .detached(name: $0) }
    return records + intents(beside: records)
  }

  // MARK: Under way

  /// The messages that were to go for good: a new UIDVALIDITY keeps none of them.
  private func buried(_ remotes: [Rematch.Remote]) throws(SyncFailure) -> [StateRecord] {
    let expunges = (known?.pendingExpunges.values).map(Array.init) ?? []
    var remotes = remotes
    // Several of them may have had one file.
    let locals = expunges.enumerated().compactMap { number, expunge -> Rematch.Local? in
      guard var local = expunge.former.flatMap(local) else { return nil }
      local.name = Array(decimal: number)
      return local
    }
    guard !locals.isEmpty, !remotes.isEmpty else { return [] }
    remotes = try withNameless(remotes, expunges.compactMap(\.former))
    try complete(&remotes, locals)
    let messages = remotes.map(\.message).keyed(by: \.uid)
    return Rematch(locals, remotes).matches.flatMap { match -> [StateRecord] in
      guard let number = Int(String(decoding: match.name, as: UTF8.self)),
        var former = expunges[number].former, let message = messages[match.uid]
      else { return [] }
      // As the server tells it now: by size and date of before, its UID would look like one that was given to another message.
      former.uid = match.uid
      (former.size, former.date) = (message.size, message.date)
      let isFlagged = message.flags.system.contains(.deleted)
      let expunge = PendingExpunge(isFlagged: isFlagged, copy: expunges[number].copy)
      return [.message(former), .pendingExpunge(uid: match.uid, expunge)]
    }
  }

  /// What was begun and not answered for, by the UIDs that messages have now; what is to arrive may have any.
  private func intents(beside records: [StateRecord]) -> [StateRecord] {
    guard let known, !known.intents.isEmpty else { return [] }
    var uids = OctetTable<UInt32>()
    for message in Self.messages(records) { uids[message.name] = message.uid }
    return known.intents.compactMap { number, intent in
      switch intent {
      case .append(var upload):
        guard let replaced = upload.replacing, let record = known.messages[replaced] else {
          return nil
        }
        upload.replacing = uids[record.name]
        upload.uidNext = 1
        return .intent(number: number, .append(upload))
      case .move(var transfer):
        transfer.uidNext = 1
        return .intent(number: number, .move(transfer))
      case .leave: return .intent(number: number, intent)
      // It is copied to Trash again; a file that followed is found by what it holds; and it cannot be told which messages had
      // marks.
      // It is made again, if it is not found among the messages.
      case .copy: return nil
      case .discard, .follow, .unmark: return nil
      }
    }
  }

  private static func messages(_ records: [StateRecord]) -> [BaseRecord] {
    records.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }

  /// The files that are to be the messages of open moves: what arrives for them is looked for among all that are new.
  var moving: OctetSet {
    OctetSet(
      (known?.intents.values).map { intents in
        intents.compactMap { if case .move(let transfer) = $0 { transfer.name } else { nil } }
      } ?? []
    )
  }

  /// The records of messages whose files are not here, but were by the last record: they may have been moved, and the
  /// plan looks for where they are.
  private func displaced(_ remotes: [Rematch.Remote]) throws(SyncFailure) -> [StateRecord] {
    let records = (known?.messages.values).map(Array.init) ?? []
    let absent = records.filter { local.files[$0.name] == nil && $0.identity != nil }
    guard !absent.isEmpty, !remotes.isEmpty else { return [] }
    var remotes = try withNameless(remotes, absent)
    let locals = absent.compactMap(local)
    try complete(&remotes, locals)
    let contents = Dictionary(
      first: absent.compactMap { record in
        record.identity.map { identity in
          let header = record.serverHeader
          return (
            record.name, Content(identity: identity, serverHeader: header, record.completeness)
          )
        }
      }
    )
    return self.records(of: Rematch(locals, remotes), contents, remotes)
  }

  /// The messages, with the bodies of those that have no Message-ID and the size of such a record.
  private func withNameless(
    _ remotes: [Rematch.Remote],
    _ records: [BaseRecord]
  ) throws(SyncFailure) -> [Rematch.Remote] {
    let sizes = Set(records.filter { $0.identity?.messageID == 0 }.compactMap(\.size))
    let wanted = remotes.filter {
      $0.messageID == 0 && $0.message.size.map(sizes.contains) ?? false
    }
    guard !wanted.isEmpty else { return remotes }
    let contents = try store.contents(of: wanted.map(\.message.uid), in: reference)
    context.noteFetched(wanted.map(\.message.size))
    return remotes.map { remote in
      guard let content = contents[remote.message.uid] else { return remote }
      var remote = remote
      remote.recordContent(content)
      remote.headerKey = content.identity.header
      remote.headerSize = 0
      return remote
    }
  }

  private func local(_ record: BaseRecord) -> Rematch.Local? {
    guard let identity = record.identity else { return nil }
    return Rematch.Local(
      name: record.name,
      flags: record.flags.system,
      identity: identity,
      headerKey: identity.header,
      bodySize: nil,
      wireSize: record.size,
      date: record.date,
      base: record.flags,
      wasSynced: true,
      recordedSize: record.size,
      recordedDate: record.date,
      agreed: identity,
      serverHeader: record.serverHeader,
      isDraft: isDraft(record.flags.system)
    )
  }

  private func records(
    of rematch: Rematch,
    _ contents: [[UInt8]: Content],
    _ remotes: [Rematch.Remote]
  ) -> [StateRecord] {
    let messages = remotes.keyed(by: \.message.uid)
    return rematch.matches.map { match in
      let (remote, content) = (messages[match.uid], contents[match.name])
      let header = remote?.header ?? content?.serverHeader
      return .message(
        BaseRecord(
          uid: match.uid,
          name: match.name,
          flags: match.base,
          size: remote?.message.size,
          date: remote?.message.date,
          identity: content?.identity,
          serverHeader: header == content?.identity.header ? nil : header,
          completeness: content?.completeness ?? .whole
        )
      )
    }
  }

  // MARK: There

  private func remotes(_ messages: [RemoteMessage]) throws(SyncFailure) -> [Rematch.Remote] {
    let identifiers = try store.messageIDs(of: messages.map(\.uid), in: reference)
    return messages.compactMap { message in
      identifiers[message.uid].map { Rematch.Remote(message: message, messageID: $0) }
    }
  }

  /// Asks for what the matcher needs to decide: headers first, bodies only where headers do not tell.
  private func complete(
    _ remotes: inout [Rematch.Remote],
    _ locals: [Rematch.Local]
  ) throws(SyncFailure) {
    while true {
      let headers = Rematch.needsHeader(locals, remotes)
      let bodies = headers.isEmpty ? Rematch.needsBody(locals, remotes) : []
      guard !headers.isEmpty || !bodies.isEmpty else { return }
      let facts = try store.headers(of: headers, in: reference)
      let contents = try store.contents(of: bodies, in: reference)
      let fetched = Set(bodies)
      context.noteFetched(
        remotes.lazy.map(\.message).filter { fetched.contains($0.uid) }.map(\.size)
      )
      let asked = fetched.union(headers)
      remotes = remotes.compactMap { remote in
        guard asked.contains(remote.message.uid) else { return remote }
        return Self.completed(remote, facts[remote.message.uid], contents[remote.message.uid])
      }
    }
  }

  /// The message with what is now known of it; nil where the server has it no more.
  private static func completed(
    _ remote: Rematch.Remote,
    _ header: HeaderFacts?,
    _ content: ReadContent?
  ) -> Rematch.Remote? {
    guard header != nil || content != nil else { return nil }
    var remote = remote
    if let header {
      remote.headerKey = header.headerKey
      remote.headerSize = header.size
      remote.header = header.fields
    }
    if let content { remote.recordContent(content) }
    return remote
  }
}

extension Rematch.Remote {
  mutating func recordContent(_ content: ReadContent) {
    bodyHash = BodyHash(content.identity)
    header = content.identity.header
    former = content.former
  }
}
