internal import Configuration
internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// What `magnum show` does between its options and its exit status.
struct ShowCommand {
  private let options: ShowSubcommand
  private let console = Console()

  init(_ options: ShowSubcommand) {
    self.options = options
  }

  /// Runs, and gives the status to exit with.
  func run() -> ExitStatus {
    Signals.ignoreBrokenPipe()
    var status = ExitStatus.success
    do throws(ShowFailure) {
      try show(try messages())
    } catch {
      console.report(error.diagnostic)
      status = error.status
    }
    return console.finish() == nil ? status : .output
  }

  // MARK: What to show

  private func messages() throws(ShowFailure) -> [ShownMessage] {
    let text = options.target.filter { $0 != "--" }.joined(separator: " ")
    if options.target.count == 1, let message = try file(Path(text)) { return [message] }
    let found = try found(text)
    var messages: [ShownMessage] = []
    for message in found {
      guard let path = message.files.lazy.compactMap({ $0.currentPath() }).first,
        let octets = try read(path)
      else { continue }
      messages.append(ShownMessage(Message(octets), path: path, found: message))
    }
    if messages.isEmpty { throw ShowFailure(nothing: text) }
    return messages
  }

  private func file(_ path: Path) throws(ShowFailure) -> ShownMessage? {
    guard let status = try? FileSystem.status(path), status.kind == .regular else { return nil }
    guard let octets = try read(path) else { return nil }
    return ShownMessage(Message(octets), path: path, found: nil)
  }

  private func read(_ path: Path) throws(ShowFailure) -> [UInt8]? {
    do throws(SystemError) {
      return try FileSystem.readFile(path, limit: 1 << 31)
    } catch {
      throw ShowFailure(error)
    }
  }

  private func found(_ text: String) throws(ShowFailure) -> [FoundMessage] {
    let query: Query
    do throws(QueryError) {
      let almanac = Almanac(now: Clock.now()) { LocalTime.offset(at: $0) }
      query = try QueryParser.parse(Array(text.utf8), almanac)
    } catch {
      throw ShowFailure(error, in: text)
    }
    let set = try set()
    do throws(IndexError) {
      return try set.messages(query, .oldestFirst, limit: options.limit)
    } catch {
      throw ShowFailure(error)
    }
  }

  private func set() throws(ShowFailure) -> SearchSet {
    var accounts: [Account] = []
    if options.maildir.isEmpty {
      do throws(ConfigurationError) {
        accounts = try Configuration.load(explicit: options.config.map { Path($0) }).accounts
      } catch {
        throw ShowFailure(error)
      }
    }
    do throws(SystemError) {
      if options.maildir.isEmpty { return try SearchSet(accounts, stemming: "english") }
      var readers: [IndexReader] = []
      for path in options.maildir { readers.append(IndexReader(try IndexPlace.of(Path(path)))) }
      return SearchSet(readers)
    } catch {
      throw ShowFailure(error)
    }
  }

  // MARK: How to show it

  private func show(_ messages: [ShownMessage]) throws(ShowFailure) {
    if options.raw {
      for message in messages { console.print(octets: message.message.octets) }
    } else if let part = options.part {
      try show(part, of: messages)
    } else if options.json {
      showJSON(messages)
    } else {
      showText(messages)
    }
  }

  private func show(_ number: String, of messages: [ShownMessage]) throws(ShowFailure) {
    guard messages.count == 1 else { throw ShowFailure(ambiguous: messages.count) }
    guard let section = Section(Array(number.utf8)), let part = messages[0].message.part(section)
    else { throw ShowFailure(part: number) }
    console.print(octets: part.kind == .leaf ? part.decoded : Array(part.body))
  }

  private func showJSON(_ messages: [ShownMessage]) {
    for (number, message) in messages.enumerated() {
      let json = message.json(prefersHTML: options.html).octets.dropLast()
      console.print(
        octets: (number == 0 ? [ASCII.openBracket] : [ASCII.comma, ASCII.lineFeed]) + json
      )
    }
    console.print(octets: [ASCII.closeBracket, ASCII.lineFeed])
  }

  private func showText(_ messages: [ShownMessage]) {
    var text: [UInt8] = []
    for (number, message) in messages.enumerated() {
      if number > 0 { text += Array("\n\(String(repeating: "─", count: 72))\n\n".utf8) }
      text += message.text(prefersHTML: options.html, allHeaders: options.headers)
    }
    if !options.noPager, Pager.isWanted, Pager.show(text) { return }
    console.print(octets: text)
  }
}
