internal import Archives
package import MailModel
package import Configuration
package import MIME
package import Platform
internal import Octets
internal import Query
package import SearchIndex
package import SyncState
internal import Terminal

/// Finds the one message that a person names: by its file, its id, or a query that only it fits.
///
/// Archives are asked where nothing is found on this machine.
package struct MessageFinder {
  /// A message that was found.
  package struct Found {
    /// The message; what is attached is read where it is needed.
    package let content: StreamedMessage
    /// The message without most of what is attached.
    package var message: Message { content.message }
    /// Its file; nil where only an archive has it.
    package let file: MessageFile?
    /// The account in whose Maildir it lies; nil where it lies elsewhere.
    package let account: Account?
    /// Whether it is without its attachments, or holds such a message.
    package let partial: PartialFiles.Finding
    /// What the index has of it; nil where its file was named.
    package let indexed: FoundMessage?
    /// What it is called where something is wrong with it: its file, or its id.
    package let place: String

    /// The same message with some of its parts opened, all of it in memory.
    ///
    /// - Throws: that it can no longer be read; what `open` throws.
    package func opened(
      _ open: (Message) throws(Explanation) -> Message
    ) throws(Explanation) -> Found {
      let octets = try explaining(.noInput) { () throws(SystemError) in
        try SystemError.reading { () throws(SourceError) in try content.whole.whole() }
      }
      return Found(
        content: StreamedMessage(
          try open(Message(octets, isPartialFile: partial == .partial))
        ),
        file: file,
        account: account,
        partial: partial,
        indexed: indexed,
        place: place
      )
    }
  }

  /// How many messages are listed where one is wanted and several are found.
  private static let listLimit = 20

  private let configuration: Configuration
  /// The accounts whose mail is looked through.
  private let searched: SearchedAccounts
  /// The archives that are asked.
  private let archives: [ArchiveSettings]
  private let now: Int64
  private let report: @Sendable (Explanation) -> Void

  /// A finder in the mail of accounts and archives; all of them where none is named.
  ///
  /// - Parameters:
  ///   - configuration: the accounts and archives.
  ///   - names: those to look in; empty for all.
  ///   - now: the time that queries are about, in seconds since 1970.
  ///   - report: gets why an account or archive is left out of a search.
  /// - Throws: one that is not configured.
  package init(
    _ configuration: Configuration,
    accounts names: [String] = [],
    now: Int64 = Clock.now(),
    report: @escaping @Sendable (Explanation) -> Void
  ) throws(Explanation) {
    self.configuration = configuration
    let (accounts, archives) = try configuration.searched(names)
    searched = SearchedAccounts(accounts, named: names)
    self.archives = archives
    self.now = now
    self.report = report
  }

  /// The message of a file.
  package func one(file path: Path) throws(Explanation) -> Found {
    try read(MessageFile(path))
  }

  /// The message that words name together.
  ///
  /// - Parameters:
  ///   - words: what was typed.
  ///   - duplicate: which of its files is meant, from 1, as searches list them; nil for any that has all that is attached.
  /// - Returns: the message of that file.
  /// - Throws: that there is none; that there are several, with a list of them.
  package func one(_ words: [String], duplicate: Int? = nil) throws(Explanation) -> Found {
    let text: String
    switch try MessageWords(words) {
    case .files(let files):
      guard let only = files.first, files.count == 1 else {
        throw Explanation(.data, "\(files.count) files named, and one message is wanted")
      }
      return try read(only)
    case .query(let words): text = words
    }
    if words == ["-"] {
      throw Explanation(
        .usage,
        "a message is not read from standard input here",
        hint: "name it by its id: or file; examples/muttrc has a pipe that gets the id"
      )
    }
    let query = try configuration.query(text, now: now)
    let messages = try search(query)
    if messages.isEmpty, let found = try archived(query, text) { return found }
    let only = try single(messages, text)
    guard let path = try path(of: only, duplicate, text) else {
      throw Explanation(.partial, place: text, "the file of the message is gone")
    }
    return try read(MessageFile(path), only)
  }

  private func path(
    of message: FoundMessage,
    _ duplicate: Int?,
    _ text: String
  ) throws(Explanation) -> Path? {
    guard let duplicate else { return message.currentPath() }
    guard let file = message.files.dropFirst(duplicate - 1).first else {
      let count = message.files.count
      throw Explanation(
        .partial,
        place: text,
        "the message has no file of number \(duplicate), but \(count)"
      )
    }
    return file.currentPath()
  }

  /// The files of all messages that words name, a file each; what only archives have is left out.
  ///
  /// - Throws: a mistake in a query.
  package func all(_ words: [String]) throws(Explanation) -> [Path] {
    let text: String
    switch try MessageWords(words) {
    case .files(let files): return files.map { $0.currentPath() ?? $0.path }
    case .query(let words): text = words
    }
    let query = try configuration.query(text, now: now)
    for reason in try searched.leftOut(of: query) { report(reason) }
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(searched, stemming: "english")
    }
    return try messages(query, in: set, limit: .max).compactMap { $0.currentPath() }
  }

  private func single(
    _ messages: [FoundMessage],
    _ text: String
  ) throws(Explanation) -> FoundMessage {
    guard let only = messages.first else {
      throw Explanation(.partial, place: text, "no such file, and no message found")
    }
    guard messages.count == 1 else { throw ambiguous(text, messages) }
    return only
  }

  /// The file of a message with that id; nil where there is none in the mail that is indexed.
  package func file(of id: MessageID) -> MessageFile? {
    let query = Query.exact(.id, id.octets)
    guard let set = try? SearchSet(searched, stemming: nil),
      let found = try? set.messages(query, .newestFirst, limit: 1).first
    else { return nil }
    return found.files.lazy.compactMap { $0.currentPath() }.first.map { MessageFile($0) }
  }

  private func read(
    _ file: MessageFile,
    _ indexed: FoundMessage? = nil
  ) throws(Explanation) -> Found {
    let current = try file.foundPath()
    do throws(SystemError) {
      let path = (try? FileSystem.realPath(current)) ?? current
      let octets = try FileOctets(Descriptor.open(path, .read))
      var content = try Self.content(octets)
      var partial = PartialFiles.Finding.whole
      if content.message.hasPartialMarks {
        partial = try PartialFiles(configuration.accounts).finding(file: path)
        if partial == .partial { content = try Self.content(octets, isPartialFile: true) }
      }
      let file = MessageFile(path)
      return Found(
        content: content,
        file: file,
        account: file.isInMaildir ? file.account(in: configuration) : nil,
        partial: partial,
        indexed: indexed,
        place: path.display
      )
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  private static func content(
    _ octets: any OctetSource,
    isPartialFile: Bool = false
  ) throws(SystemError) -> StreamedMessage {
    try SystemError.reading { () throws(SourceError) in
      try StreamedMessage(reading: octets, isPartialFile: isPartialFile)
    }
  }

  private func search(_ query: Query) throws(Explanation) -> [FoundMessage] {
    for reason in try searched.leftOut(of: query) { report(reason) }
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(searched, stemming: "english")
    }
    return try messages(query, in: set)
  }

  private func messages(
    _ query: Query,
    in set: SearchSet,
    limit: Int = listLimit + 1
  ) throws(Explanation) -> [FoundMessage] {
    do throws(IndexError) {
      return try set.messages(query, .newestFirst, limit: limit)
    } catch {
      throw Explanation(error, place: "index")
    }
  }

  /// The message that archives have; nil where they have none.
  private func archived(_ query: Query, _ text: String) throws(Explanation) -> Found? {
    guard !archives.isEmpty else { return nil }
    var set = SearchSet([IndexReader]())
    set.archives = archives.map { Archive($0, report: report) }
    let messages = try messages(query, in: set)
    guard !messages.isEmpty else { return nil }
    let only = try single(messages, text)
    guard let octets = set.archived(only) else {
      throw Explanation(.partial, place: text, "the message is gone from the archive")
    }
    // The archive's own seals decided: the one of this machine cannot be there.
    let isPartial = only.isPartial(octets)
    let content = try explaining(.noInput) { () throws(SystemError) in
      try Self.content(octets, isPartialFile: isPartial)
    }
    return Found(
      content: content,
      file: nil,
      account: nil,
      partial: isPartial ? .partial : .whole,
      indexed: only,
      place: "id:\(Printable.text(only.id))"
    )
  }

  private func ambiguous(_ text: String, _ messages: [FoundMessage]) -> Explanation {
    let isMore = messages.count > Self.listLimit
    let count = isMore ? "more than \(Self.listLimit)" : "\(messages.count)"
    var explanation = Explanation(
      .data,
      place: text,
      "the query finds \(count) messages; name one",
      hint: "name it by its id: or file"
    )
    let dates = RelativeDate(now: now)
    explanation.excerpt = messages.prefix(Self.listLimit).map { message in
      let author = message.from.first.map { Printable.text($0.shortName, limit: 30) } ?? ""
      let subject = Printable.text(message.subject, limit: 50)
      return "id:\(Printable.text(message.id))  \(dates.text(message.date))  \(author)  \(subject)"
    }
    return explanation
  }
}
