internal import Archives
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import SyncState
internal import Terminal

// Which messages are shown.
extension ShowCommand {
  func messages() throws(Explanation) -> [ShownMessage] {
    if let named = try named() { return named }
    let text = target
    let query = try query(text)
    let set = try set()
    for reason in try set.leftOut?.leftOut(of: query) ?? [] { context.report(reason) }
    let found: [FoundMessage]
    do throws(IndexError) {
      // The newest of many, the oldest of them first.
      found = try set.messages(query, .newestFirst, limit: options.limit).reversed()
    } catch {
      throw Explanation(error, place: "index")
    }
    if found.count == options.limit, let count = try? set.count(query), count > found.count {
      console.writeNote(
        "\(context.name): the newest \(found.count) of \(count) messages; --limit shows more"
      )
    }
    var messages: [ShownMessage] = []
    for message in found {
      if let message = try shown(message, set) { messages.append(message) }
    }
    if messages.isEmpty { throw ShowExplanation.nothing(text) }
    return messages
  }

  /// A message that was found, read; nil where all its files are gone.
  func shown(
    _ message: FoundMessage,
    _ set: SearchSet
  ) throws(Explanation) -> ShownMessage? {
    guard let path = path(of: message), let octets = try read(path) else {
      return options.duplicate == nil ? archived(message, set) : nil
    }
    return ShownMessage(self.message(octets, path), path: path, found: message)
  }

  private func path(of message: FoundMessage) -> Path? {
    guard let duplicate = options.duplicate else { return message.currentPath() }
    return message.files.dropFirst(duplicate - 1).first?.currentPath()
  }

  /// A message as an archive has it; nil where it has it no more, or is out.
  private func archived(_ message: FoundMessage, _ set: SearchSet) -> ShownMessage? {
    set.archived(message).map {
      let shown = Message($0, isPartialFile: message.isPartial($0))
      return ShownMessage(shown, path: nil, found: message)
    }
  }

  /// The messages that the operands name; nil where one of them names none, and all are a query.
  func named() throws(Explanation) -> [ShownMessage]? {
    var messages: [ShownMessage] = []
    for operand in context.operands {
      guard let named = try read(named: operand) else {
        if let mistake = MessageWords.mistake(in: context.operands) { throw mistake }
        return nil
      }
      let message = message(named.octets, operand == "-" ? nil : named.path)
      messages.append(ShownMessage(message, path: named.path, found: nil))
    }
    return messages
  }

  private func read(named operand: String) throws(Explanation) -> NamedMessage? {
    do throws(SystemError) {
      return try NamedMessage.read(operand)
    } catch {
      throw ShowExplanation.of(error)
    }
  }

  /// A message, as a partial file where it is one of an account, or of the Maildirs that are named.
  private func message(_ octets: [UInt8], _ file: Path?) -> Message {
    let message = Message(octets)
    // Few are, and the others need no configuration.
    guard message.hasPartialMarks else { return message }
    let accounts = try? context.configuration(isNeeded: false).accounts
    let roots = options.maildir.map { Path(argument: $0) }
    return PartialFiles(accounts ?? [], roots: roots).message(octets, file: file)
  }

  private func read(_ path: Path) throws(Explanation) -> [UInt8]? {
    do throws(SystemError) {
      return try FileSystem.readFile(path, limit: NamedMessage.limit)
    } catch {
      throw ShowExplanation.of(error)
    }
  }

  func query(_ text: String) throws(Explanation) -> Query {
    if let problem = Explanation(notUTF8: "query", text) { throw problem }
    let isCalling = options.maildir.isEmpty && text.holds("query")
    let names = isCalling ? NamedQueries(try configuration().search.queries) : .none
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      return try QueryParser.parse(Array(text.utf8), dates, names: names)
    } catch {
      throw Explanation(error, in: text)
    }
  }

  func set() throws(Explanation) -> SearchSet {
    if options.maildir.isEmpty {
      return try configuration().searchSet(context.globals.accounts, stemming: "english") {
        [context] in _ = context.report($0)
      }
    }
    do throws(SystemError) {
      var readers: [IndexReader] = []
      for path in options.maildir {
        readers.append(IndexReader(try IndexPlace.of(Path(argument: path))))
      }
      return SearchSet(readers)
    } catch {
      throw ShowExplanation.of(error)
    }
  }

  private func configuration() throws(Explanation) -> Configuration {
    try context.neededConfiguration(
      otherwise:
        "name a file, or a Maildir with --maildir, or describe an account: see magnum-config(5)"
    )
  }
}
