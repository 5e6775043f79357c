internal import Maildir
package import MIME
internal import Octets
internal import Platform
internal import SyncState

// Texts that filters made of attachments, brought in when the messages are in the index already.
extension SearchIndex {
  /// The messages that have attachments for filters whose texts are not in, the newest first.
  ///
  /// - Parameter marks: the filters.
  /// - Returns: the numbers of their documents; none where there is no index.
  /// - Throws: what the library says.
  package func messagesWithoutTexts(_ marks: [TextMark]) throws(IndexError) -> [UInt32] {
    guard let database = try current() else { return [] }
    var numbers: Set<UInt32> = []
    // What is done has a part of that type: where there are as many, nothing is to be done.
    for mark in marks
    where try database.frequency(mark.wanting) != database.frequency(mark.done) {
      let done = Set(try database.postings(mark.done))
      numbers.formUnion(try database.postings(mark.wanting).lazy.filter { !done.contains($0) })
    }
    return numbers.sorted(by: >)
  }

  /// Reads messages, each by the number of its document as the index has it now; of several files the first one that has all
  /// that is attached, where there is any.
  ///
  /// - Parameters:
  ///   - number: the number.
  ///   - reader: what reads.
  /// - Returns: nil where the message, or every file of it, is gone or cannot be read.
  /// - Throws: what the library says.
  package func open(
    _ number: UInt32,
    _ reader: inout TextReader
  ) throws(IndexError) -> OpenedMessage? {
    let database = try reader.database(of: self)
    guard let record = try? Record(database.data(number)) else { return nil }
    let folders = FolderTable(try database.metadata(Schema.Key.folders))
    var first: OpenedMessage?
    for file in record.files {
      let maildir = place.root.appending(folders.name(file.folder))
      let read = try? MailFile.read(maildir, file.scanned, limit: MessageReader.sizeLimit)
      guard let read else { continue }
      let isFinal =
        record.files.count == 1
        || (try? PartialFiles(roots: [place.root]).finding(read.octets)) == .whole
      guard isFinal || first == nil else { continue }
      let message = reader.message(file, read)
      first = message
      if isFinal { break }
    }
    if !record.variants.isEmpty, let content = try reader.content(of: record, folders, place.root) {
      first?.content = content
    }
    return first
  }

  /// Brings in messages with the words of their texts in the place of what the index has of them; durable on return.
  ///
  /// - Parameter messages: the messages; of one that is gone nothing is taken.
  /// - Throws: `locked` where another writer was too slow; what the system and the library say.
  package func replaceMessages(_ messages: [OpenedMessage]) throws(IndexError) {
    let lock = try WriterLock.acquire(place, wait: wait)
    defer { withExtendedLifetime(lock) {} }
    let transaction = try IndexTransaction(
      Generation(place.generation(try currentGeneration())),
      place.root
    )
    do throws(IndexError) {
      for message in messages {
        try transaction.replaceWords(of: message.file, by: message.content)
      }
      try transaction.commit()
    } catch {
      transaction.database.cancel()
      throw error
    }
  }
}

/// Reads messages for filters: one at a time is in memory.
package struct TextReader {
  private var reader: MessageReader
  private var open: XapianDatabase?

  package init(_ index: SearchIndex) {
    reader = MessageReader(index.place.root)
  }

  /// The index as it was when it was first asked for, or last forgotten.
  fileprivate mutating func database(of index: SearchIndex) throws(IndexError) -> XapianDatabase {
    if let open { return open }
    let database = try index.open()
    open = database
    return database
  }

  /// What all files of a message say together; nil where none of them can be read.
  fileprivate mutating func content(
    of record: Record,
    _ folders: FolderTable,
    _ root: Path
  ) throws(IndexError) -> MessageContent? {
    var contents: [UInt32: MessageContent] = [:]
    for file in record.files where contents.count < record.variants.count {
      guard let content = reader.content(of: file, folders, root) else { continue }
      contents[content.variant] = content
    }
    return MessageContent.merged(Array(contents.values))
  }

  /// Has the index opened anew, since it was changed.
  package mutating func forgetIndex() { open = nil }

  fileprivate mutating func message(
    _ file: StoredFile,
    _ read: MailFile.Reading
  ) -> OpenedMessage {
    let content = reader.content(read)
    let parts = Message(read.octets).parts.filter { $0.kind == .leaf && !$0.contentType.isText }
    return OpenedMessage(
      file: file,
      content: content,
      parts: parts.map { [reader] in ($0, $0.heldType(reader.decoder)) }
    )
  }

  /// Adds the text that a filter made of a part.
  package mutating func add(_ text: [UInt8], to message: inout OpenedMessage) {
    reader.add(attachment: text, to: &message.content)
  }
}

/// A message whose attachments are to be filtered, read from its file.
package struct OpenedMessage {
  /// The file, as the index has it.
  let file: StoredFile
  /// Its words, with those of the texts that were added.
  var content: MessageContent
  /// The Message-ID, or what stands for it where there is none.
  package var id: [UInt8] { content.record.id }

  /// The parts that are no text by themselves, each with what it holds: `type/subtype` in small letters.
  package let parts: [(part: Part, type: [UInt8])]

  /// About how much of the library's memory it takes, in postings.
  package var cost: Int { content.cost }

  init(file: StoredFile, content: MessageContent, parts: [(part: Part, type: [UInt8])]) {
    self.file = file
    self.content = content
    self.parts = parts
  }

  /// Whether it has a part for a filter.
  package func wants(_ mark: TextMark) -> Bool { content.terms.contains(mark.wanting) }

  /// All texts of a filter are in, or there are none to be had.
  package mutating func finish(_ mark: TextMark) {
    content.terms.append(mark.done)
  }
}

/// A filter as an index knows it: which messages have something for it, and whether its texts are in.
package struct TextMark: Hashable, Sendable {
  /// The type of the parts, in small letters: `application/pdf`, or `application` for all of that main type.
  let type: [UInt8]
  /// What tells it from all other filters.
  let key: UInt64

  /// The term of messages that have a part for it.
  var wanting: [UInt8] { Schema.term(Schema.Prefix.type, type) }

  /// The term of messages whose texts of it are in.
  var done: [UInt8] { [Schema.Prefix.filter] + Schema.octets(key) }
}
