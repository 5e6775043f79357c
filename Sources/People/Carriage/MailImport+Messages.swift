internal import Maildir
internal import MailModel
internal import Mbox
internal import MessageContent
internal import MIME
internal import Octets
internal import Platform
internal import SyncState
internal import Triage

// Messages as they pass by.
extension MailImport {
  /// A message that is passing by.
  enum Passing {
    case incoming(ImportedMessage)
    /// One that does not come.
    case passed(offset: Int, id: [UInt8]?, ImportState)
  }

  func begin(_ head: MboxHead, _ stream: SourceStream) throws(SystemError) -> Passing {
    let facts = Facts(head, stream, options)
    if facts.isDeleted, !options.includesDeleted {
      return .passed(offset: head.offset, id: facts.fields.messageID, .deleted)
    }
    if facts.isState {
      return .passed(offset: head.offset, id: facts.fields.messageID, .left(.state))
    }
    guard let folder = folder(facts, stream) else {
      return .passed(offset: head.offset, id: facts.fields.messageID, .deleted)
    }
    counts.add(labels: facts.fields.ownLabels)
    let message = try incoming(head, facts, stream, to: folder)
    try message.write(facts.fields.rest[...])
    return .incoming(message)
  }

  /// Where a message goes: by its labels, if these are asked for; nil for one in Trash or Spam, which is not brought in then.
  private func folder(_ facts: Facts, _ stream: SourceStream) -> ImportFolder? {
    guard target.isByLabels else { return stream.folder }
    let role = MailboxRole(labels: facts.fields.labels)
    return roleFolders[role] ?? (role == .trash || role == .junk ? nil : stream.folder)
  }

  private func incoming(
    _ head: MboxHead,
    _ facts: Facts,
    _ stream: SourceStream,
    to folder: ImportFolder
  ) throws(SystemError) -> ImportedMessage {
    try prepare(folder)
    // What stands for a flag or a place is told by the message's other marks, and by its folder.
    let (own, refused) = Self.divided(facts.tags)
    counts.addRefused(refused)
    let others = options.tags.filter { tag in !own.contains { $0.equalsCaseless(tag) } }
    return ImportedMessage(
      head,
      facts.fields,
      of: stream,
      to: folder,
      flags: facts.flags.subtracting(options.marks.off).union(options.marks.on),
      tags: own + others,
      date: facts.date,
      isDryRun: options.isDryRun
    )
  }

  /// A message keeps so many tags that came with it: a stranger may have written more than a server takes in a line.
  private static let tagLimit = 500

  private static func divided(_ tags: [[UInt8]]) -> (own: [[UInt8]], refused: [[UInt8]]) {
    var (own, refused): ([[UInt8]], [[UInt8]]) = ([], [])
    for tag in tags {
      if own.count < tagLimit, TagEdit.isOwn(tag) { own.append(tag) } else { refused.append(tag) }
    }
    return (own, refused)
  }

  /// Prepares a folder to take messages; one that is not there is not made before its first message is.
  private func prepare(_ folder: ImportFolder) throws(SystemError) {
    guard !options.isDryRun, ready.insert(folder.path).inserted else { return }
    try target.prepare(folder)
  }

  func end(_ passed: Passing, _ stream: SourceStream) throws(SystemError) {
    switch passed {
    case .passed(let offset, let id, let state):
      finish(stream.path, stream.isMessage ? nil : offset, id, state)
    case .incoming(let message):
      try end(message, stream)
    }
  }

  /// Whether it is or contains a partial file; the name of a file in a Maildir says so too.
  private func isPartial(_ marks: PartialMarks, _ base: [UInt8]?) throws(SystemError) -> Bool {
    guard let base else { return try partial.isPartial(marks) }
    return try partial.isPartial(marks, named: base)
  }

  private func end(_ message: ImportedMessage, _ stream: SourceStream) throws(SystemError) {
    guard let contents = message.contents() else { return }
    let offset = stream.isMessage ? nil : message.offset
    let isPartial = try isPartial(contents.facts.marks, stream.base)
    if let obstacle = message.obstacle(contents, isPartial) {
      message.discard()
      return finish(message.source, offset, message.messageID, .left(obstacle))
    }
    // What is there is not written, as far as that is known at once.
    let isSeen = seen.contains(contents.key)
    if !isSeen || options.again {
      seen.formUnion(contents.keys.filter { known?.holds($0) != true })
    }
    guard options.again || !isSeen && known?.holds(contents.key) != true else {
      message.discard()
      return finish(message.source, offset, message.messageID, .there)
    }
    try batch.append(
      ImportBatch.Entry(
        message: message,
        size: contents.facts.wireSize,
        key: contents.key,
        offset: offset
      )
    )
    if batch.isFull { try placeBatch() }
  }
}

/// What is told of a message by its header, its separator, and what is kept beside it.
private struct Facts {
  let fields: ContainerFields
  let flags: SystemFlags
  let tags: [[UInt8]]
  /// When it arrived, in seconds since 1970.
  let date: Int64
  let isDeleted: Bool
  /// Whether it is what a mail program keeps in an mbox for itself.
  let isState: Bool

  init(_ head: MboxHead, _ stream: SourceStream, _ options: MailImportOptions) {
    let now = Clock.now()
    if case .maildir(let known, _) = stream.notes {
      fields = ContainerFields(head.octets, keepsFields: true)
      (flags, tags) = (known.system, known.keywords)
      (isDeleted, isState) = (false, false)
      date = stream.date ?? now
      return
    }
    fields = ContainerFields(head.octets, keepsFields: options.keepsFields, options.labels)
    var notes: MailNotes?
    if case .beside(let found) = stream.notes { notes = found }
    var flags = fields.flags
    if let notes {
      flags = flags.subtracting(.seen).union(notes.flags)
    } else if !fields.tellsSeen {
      if options.isUnread { flags.remove(.seen) } else { flags.insert(.seen) }
    }
    (self.flags, tags) = (flags, fields.tags)
    (isDeleted, isState) = (fields.isDeleted || notes?.isDeleted == true, fields.isState)
    date = ArrivalDate.date(
      head.octets,
      separator: notes?.arrival ?? head.separator?.date,
      source: stream.date,
      now: now
    )
  }
}
