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
    let fields = ContainerFields(head.octets, keepsFields: options.keepsFields)
    if fields.isDeleted || stream.notes?.isDeleted == true, !options.includesDeleted {
      return .passed(offset: head.offset, id: fields.messageID, .deleted)
    }
    if fields.isState {
      return .passed(offset: head.offset, id: fields.messageID, .left(.state))
    }
    var flags = fields.flags
    if let notes = stream.notes {
      flags = flags.subtracting(.seen).union(notes.flags)
    } else if !fields.tellsSeen {
      if options.isUnread { flags.remove(.seen) } else { flags.insert(.seen) }
    }
    let now = Clock.now()
    let date = ArrivalDate.date(
      head.octets,
      separator: stream.notes?.arrival ?? head.separator?.date,
      source: stream.date,
      now: now
    )
    let message = try incoming(head, fields, stream.path, stream.folder, flags, fields.tags, date)
    try message.write(fields.rest[...])
    return .incoming(message)
  }

  func incoming(
    _ head: MboxHead,
    _ fields: ContainerFields,
    _ source: Path,
    _ folder: ImportFolder,
    _ flags: SystemFlags,
    _ tags: [[UInt8]],
    _ date: Int64
  ) throws(SystemError) -> ImportedMessage {
    try prepare(folder)
    // What stands for a flag or a place is told by the message's other marks, and by its folder.
    let own = tags.filter { TagEdit.isOwn($0) }
    if own.count < tags.count { counts.addRefused(tags.filter { !TagEdit.isOwn($0) }) }
    let others = options.tags.filter { tag in !own.contains { $0.equalsCaseless(tag) } }
    return ImportedMessage(
      head,
      fields,
      of: source,
      to: folder,
      flags: flags.subtracting(options.marks.off).union(options.marks.on),
      tags: own + others,
      date: date,
      isDryRun: options.isDryRun
    )
  }

  /// Makes a folder that is not there, and removes what killed imports left in it.
  func prepare(_ folder: ImportFolder) throws(SystemError) {
    guard !options.isDryRun, ready.insert(folder.path).inserted else { return }
    try target.make(folder)
    for subdirectory in Subdirectory.allCases {
      try FileSystem.makeDirectories(subdirectory.path(in: folder.path))
    }
    try ImportName.removeLeftovers(in: folder.path)
  }

  func end(_ passed: Passing, _ stream: SourceStream) throws(SystemError) {
    switch passed {
    case .passed(let offset, let id, let state):
      finish(stream.path, stream.isMessage ? nil : offset, id, state)
    case .incoming(let message):
      try end(message, offset: stream.isMessage ? nil : message.offset)
    }
  }

  /// Whether it is or contains a partial file; the name of a file in a Maildir says so too.
  func isPartial(_ marks: PartialMarks, _ base: [UInt8]?) throws(SystemError) -> Bool {
    guard let base else { return try partial.isPartial(marks) }
    return try partial.isPartial(marks, named: base)
  }

  func end(
    _ message: ImportedMessage,
    offset: Int?,
    sourceBase: [UInt8]? = nil
  ) throws(SystemError) {
    guard let contents = message.contents() else { return }
    let isPartial = try isPartial(contents.facts.marks, sourceBase)
    if let obstacle = message.obstacle(contents, isPartial) {
      message.discard()
      return finish(message.source, offset, message.messageID, .left(obstacle))
    }
    guard options.again || !seen.contains(contents.key) else {
      message.discard()
      return finish(message.source, offset, message.messageID, .there)
    }
    seen.formUnion(contents.keys)
    let delivered = try message.finish()
    batch.append(
      ImportBatch.Entry(
        message: message,
        delivered: delivered,
        size: contents.facts.wireSize,
        key: contents.key,
        offset: offset
      )
    )
    if batch.isFull { try placeBatch() }
  }
}
