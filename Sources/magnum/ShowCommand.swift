internal import Configuration
internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal
internal import Threads

/// What `magnum show` does between its options and its exit status.
struct ShowCommand {
  private let options: ShowSubcommand
  private let console = Console()
  private let now = Clock.now()

  init(_ options: ShowSubcommand) {
    self.options = options
  }

  /// Runs, and gives the status to exit with.
  func run() -> ExitStatus {
    Signals.ignoreBrokenPipe()
    var status = ExitStatus.success
    do throws(ShowFailure) {
      if options.json { try showJSON() } else { try show(try messages()) }
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
    let query = try query(text)
    let set = try set()
    let found: [FoundMessage]
    do throws(IndexError) {
      found = try set.messages(query, .oldestFirst, limit: options.limit)
    } catch {
      throw ShowFailure(error)
    }
    var messages: [ShownMessage] = []
    for message in found {
      if let message = try shown(message) { messages.append(message) }
    }
    if messages.isEmpty { throw ShowFailure(nothing: text) }
    return messages
  }

  /// A message that was found, read; nil where all its files are gone.
  private func shown(_ message: FoundMessage) throws(ShowFailure) -> ShownMessage? {
    guard let path = message.files.lazy.compactMap({ $0.currentPath() }).first,
      let octets = try read(path)
    else { return nil }
    return ShownMessage(Message(octets), path: path, found: message)
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

  private func query(_ text: String) throws(ShowFailure) -> Query {
    do throws(QueryError) {
      let almanac = Almanac(now: now) { LocalTime.offset(at: $0) }
      return try QueryParser.parse(Array(text.utf8), almanac)
    } catch {
      throw ShowFailure(error, in: text)
    }
  }

  private func set() throws(ShowFailure) -> SearchSet {
    var accounts: [Account] = []
    if options.maildir.isEmpty {
      do throws(ConfigurationError) {
        accounts = try Configuration.load(explicit: options.global.path).accounts
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

  // MARK: JSON

  /// Threads as notmuch nests them: an array of threads, each an array of messages with the answers to them.
  private func showJSON() throws(ShowFailure) {
    let text = options.target.filter { $0 != "--" }.joined(separator: " ")
    let dates = RelativeDate(now: now)
    if options.target.count == 1, let message = try file(Path(text)) {
      let json = message.json(prefersHTML: options.html, dates).octets.dropLast()
      return console.print(octets: Array("[[[".utf8) + json + Array(",[]]]]\n".utf8))
    }
    let query = try query(text)
    let set = try set()
    let threads: [FoundThread]
    do throws(IndexError) {
      threads = try set.threads(query, .newestFirst, limit: options.limit)
    } catch {
      throw ShowFailure(error)
    }
    if threads.isEmpty { throw ShowFailure(nothing: text) }
    for (number, thread) in threads.enumerated() {
      console.print(octets: Array((number == 0 ? "[" : ",\n").utf8))
      try show(thread, dates)
    }
    console.print(octets: Array("]\n".utf8))
  }

  /// One message after another, however many there are and however deep the answers go; null for one that is gone.
  private func show(_ thread: FoundThread, _ dates: RelativeDate) throws(ShowFailure) {
    var nesting = Nesting()
    for (place, depth) in ThreadTree(thread.messages.map(\.member)).flattened {
      let message = try shown(thread.messages[place])
      let json = message?.json(prefersHTML: options.html, dates).octets.dropLast()
      console.print(octets: nesting.add(json.map { Array($0) } ?? Array("null".utf8), depth: depth))
    }
    console.print(octets: nesting.end)
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
