internal import Maildir
internal import MailModel
internal import MailStore
internal import MessageContent
internal import MIME
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

// What is here.
extension MailboxRematch {
  /// What is recorded of the content of a file.
  struct Content {
    let identity: ContentIdentity
    let serverHeader: UInt64?
    let completeness: Completeness

    init(identity: ContentIdentity, serverHeader: UInt64?, _ completeness: Completeness) {
      self.identity = identity
      self.serverHeader = serverHeader
      self.completeness = completeness
    }
  }

  /// The files here, with everything that is on record of them.
  struct Files {
    var locals: [Rematch.Local] = []
    var contents: [[UInt8]: Content] = [:]
    /// Files with the header of a message and nothing of its body: the message itself has yet to come.
    var placeholders: [[UInt8]] = []
  }

  func files(
    _ header: MailboxHeader,
    _ uids: Set<UInt32>
  ) throws(SyncFailure) -> Files {
    let records = known?.messages.values.keyed(by: \.name) ?? [:]
    let evidence = try NameEvidence(context, mailbox, header, isEmpty: uids.isEmpty)
    let store = context.store
    let seals = try attempt(PartialSeals.find(store))
    let moving = moving
    var files = Files()
    for file in local.files where !moving.contains(file.name.base) {
      let name = file.name.base
      let path = file.path(in: directory)
      let content = try attempt(MessageContents(of: path))
      guard let content else { continue }
      let other = foreign.record(of: name, validity: header.validity)
      if other.isPlaceholder || MbsyncPlaceholder.isOne(path, name, bodySize: content.bodySize) {
        files.placeholders.append(name)
        continue
      }
      let partial = PartialFile(content, records[name], seals)
      // A draft may have been written anew since it was fetched: the plan compares it with its message.
      if isDraft(file.name.flags), partial == nil, records[name] == nil,
        evidence.uid(in: name).map(uids.contains) ?? false
      {
        continue
      }
      // What both sides agreed on, where that is known: a draft may have been written anew since, and is to be sent.
      files.contents[name] = Content(
        identity: (partial == nil ? records[name]?.identity : nil).map(content.current)
          ?? content.identity,
        serverHeader: partial == nil ? records[name]?.serverHeader : nil,
        partial.map { .partial(name: $0.name) } ?? .whole
      )
      files.locals.append(local(file, content, records[name], other, evidence, partial))
    }
    return files
  }

  private func local(
    _ file: ScannedFile,
    _ content: MessageContents,
    _ record: BaseRecord?,
    _ other: ForeignRecords.Record,
    _ evidence: NameEvidence,
    _ partial: PartialFile?
  ) -> Rematch.Local {
    let name = file.name.base
    return Rematch.Local(
      name: name,
      flags: file.name.flags,
      identity: content.identity,
      headerKey: content.header.headerKey,
      // The body that is here is no message's.
      bodySize: partial == nil ? content.bodySize : nil,
      wireSize: partial?.size ?? content.wireSize,
      date: content.date,
      base: isServerBehind ? nil : record.map { agreedFlags($0, file) } ?? other.flags,
      baseUID: record == nil ? other.uid : nil,
      expectedUID: evidence.uid(in: name) ?? other.uid,
      wasSynced: partial != nil || record != nil || evidence.wasSynced(name) || other.wasSynced
        || known?.detached.contains(name) ?? false,
      recordedSize: partial?.size ?? record?.size,
      recordedDate: record?.date,
      agreed: record?.identity.map(content.current),
      serverHeader: record?.serverHeader,
      isDraft: partial == nil && isDraft(file.name.flags)
    )
  }

  func isDraft(_ flags: SystemFlags) -> Bool {
    mailbox.role == .drafts || flags.contains(.draft)
  }

  /// What both sides agreed on by the record, with what the file shows of flags that a run was giving it.
  private func agreedFlags(_ record: BaseRecord, _ file: ScannedFile) -> MessageFlags {
    let underWay = known?.underWay[record.uid]
    return underWay?.resolveFlags(record.flags, file: file.name.flags, message: nil) ?? record.flags
  }
}

/// A file that holds parts of a message only, by its record or, where there is none, by what it says of itself.
struct PartialFile {
  /// What it says of itself, and its record has.
  let name: [UInt8]
  /// RFC822.SIZE of the whole message, in octets; nil where it is not known.
  let size: UInt64?

  /// The partial file that a file is; nil where it is none of this account's.
  init?(_ content: MessageContents, _ record: BaseRecord?, _ seals: PartialSeals?) {
    if let record, case .partial(let name) = record.completeness {
      // One that was exchanged for the message by a run that could not record it.
      guard content.wireSize != record.size else { return nil }
      (self.name, size) = (name, record.size)
    } else if record == nil, let mark = seals?.mark(in: content) {
      (name, size) = (mark.name, mark.size)
    } else {
      return nil
    }
  }
}

// Messages that the server rewrote when it took them.
extension MailboxRematch {
  /// The outcome with those files and messages joined that are left over, have one Message-ID, and hold the same except for what
  /// servers rewrite.
  func joiningRewritten(
    _ outcome: Rematch,
    _ locals: [Rematch.Local],
    _ remotes: inout [Rematch.Remote]
  ) throws(SyncFailure) -> Rematch {
    let open = Set(outcome.fresh)
    let left = OctetSet(outcome.detached + outcome.additions)
    // The body of a partial file is no message's.
    let files = locals.filter {
      left.contains($0.name) && $0.identity.messageID != 0 && $0.bodySize != nil
    }
    let identifiers = Set(files.map(\.identity.messageID))
    let places = remotes.indices.filter {
      open.contains(remotes[$0].message.uid) && identifiers.contains(remotes[$0].messageID)
    }
    guard !places.isEmpty else { return outcome }
    let contents = try store.contents(of: places.map { remotes[$0].message.uid }, in: reference)
    context.noteFetched(places.map { remotes[$0].message.size })
    var free: [EssentialContent: [Int]] = [:]
    for place in places {
      guard let content = contents[remotes[place].message.uid] else { continue }
      remotes[place].recordContent(content)
      if let essential = content.essential { free[essential, default: []].append(place) }
    }
    var pairs: [(local: Rematch.Local, remote: Rematch.Remote)] = []
    for file in files {
      guard let essential = try essential(of: file.name), let place = free[essential]?.first
      else { continue }
      free[essential]?.removeFirst()
      pairs.append((file, remotes[place]))
    }
    return Rematch(outcome, joining: pairs)
  }

  private func essential(of name: [UInt8]) throws(SyncFailure) -> EssentialContent? {
    guard let path = local.files[name]?.path(in: directory) else { return nil }
    return try attempt(EssentialContent(of: path))
  }
}
