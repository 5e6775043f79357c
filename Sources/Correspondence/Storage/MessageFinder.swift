package import CommandLine
package import Configuration
package import MIME
package import Platform
internal import Octets
internal import Query
internal import SearchIndex
internal import Terminal

/// Finds the one message that a person names: by its file, its id, or a query that only it fits.
package struct MessageFinder {
  /// A message that was found.
  package struct Found {
    /// The message; what is attached is read where it is needed.
    package let content: ThinMessage
    /// The message without most of what is attached.
    package var message: Message { content.message }
    /// Its file.
    package let file: MessageFile
    /// The account in whose Maildir it lies; nil for a file elsewhere.
    package let account: Account?
  }

  /// How many messages are listed where one is wanted and several are found.
  private static let listLimit = 20

  private let configuration: Configuration
  /// The accounts whose mail is looked through.
  private let searched: SearchedAccounts
  private let now: Int64
  private let report: (Explanation) -> Void

  /// A finder in the mail of accounts; all of them where none is named.
  ///
  /// - Parameters:
  ///   - configuration: the accounts.
  ///   - names: those to look in; empty for all.
  ///   - now: the time that queries are about, in seconds since 1970.
  ///   - report: gets why an account is left out of a search.
  /// - Throws: an account that is not configured.
  package init(
    _ configuration: Configuration,
    accounts names: [String] = [],
    now: Int64 = Clock.now(),
    report: @escaping (Explanation) -> Void
  ) throws(Explanation) {
    self.configuration = configuration
    searched = SearchedAccounts(try configuration.accounts(named: names), named: names)
    self.now = now
    self.report = report
  }

  /// The message of a file.
  package func one(file path: Path) throws(Explanation) -> Found {
    try read(MessageFile(path))
  }

  /// The message that words name together.
  ///
  /// - Throws: that there is none; that there are several, with a list of them.
  package func one(_ words: [String]) throws(Explanation) -> Found {
    if words.count == 1, let path = Self.file(words[0]) { return try read(MessageFile(path)) }
    if words == ["-"] {
      throw Explanation(
        .usage,
        "a message is not read from standard input here",
        hint: "name it by its id: or file; examples/muttrc has a pipe that gets the id"
      )
    }
    let text = words.joined(separator: " ")
    let messages = try search(text)
    guard let only = messages.first else {
      throw Explanation(.partial, place: text, "no such file, and no message found")
    }
    guard messages.count == 1 else { throw ambiguous(text, messages) }
    guard let path = only.files.lazy.compactMap({ $0.currentPath() }).first else {
      throw Explanation(.partial, place: text, "the file of the message is gone")
    }
    return try read(MessageFile(path))
  }

  /// The file of a message with that id; nil where there is none in the mail that is indexed.
  package func file(of id: MessageID) -> MessageFile? {
    let query = Query.exact(.id, id.octets)
    guard let set = try? SearchSet(searched, stemming: nil),
      let found = try? set.messages(query, .newestFirst, limit: 1).first
    else { return nil }
    return found.files.lazy.compactMap { $0.currentPath() }.first.map { MessageFile($0) }
  }

  private static func file(_ word: String) -> Path? {
    let path = Path(argument: word)
    guard let status = try? FileSystem.status(path), status.kind == .regular else { return nil }
    return (try? FileSystem.realPath(path)) ?? path
  }

  private func read(_ file: MessageFile) throws(Explanation) -> Found {
    do throws(SystemError) {
      guard let path = file.currentPath() else { throw SystemError.notFound(file.path) }
      let octets = try FileOctets(Descriptor.open(path, .read))
      let content = try SystemError.reading { () throws(SourceError) in
        try ThinMessage(reading: octets)
      }
      let file = MessageFile(path)
      return Found(
        content: content,
        file: file,
        account: file.isInMaildir ? file.account(in: configuration) : nil
      )
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  private func search(_ text: String) throws(Explanation) -> [FoundMessage] {
    let query = try configuration.query(text, now: now)
    for reason in try searched.leftOut(of: query) { report(reason) }
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(searched, stemming: "english")
    }
    do throws(IndexError) {
      return try set.messages(query, .newestFirst, limit: Self.listLimit + 1)
    } catch {
      throw Explanation(error, place: "index")
    }
  }

  private func ambiguous(_ text: String, _ messages: [FoundMessage]) -> Explanation {
    let isMore = messages.count > Self.listLimit
    let count = isMore ? "more than \(Self.listLimit)" : "\(messages.count)"
    var explanation = Explanation(
      .data,
      place: text,
      "\(count) messages found, and one is wanted",
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
