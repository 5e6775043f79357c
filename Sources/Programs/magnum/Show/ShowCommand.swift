internal import Archives
internal import Carriage
internal import MailModel
internal import CommandLine
internal import Configuration
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Query
internal import SearchIndex
internal import SyncState
internal import Terminal
internal import Threads

/// `magnum show`: messages and threads for reading.
struct ShowCommand {
  private let options: ShowOptions
  private let context: CommandContext
  private let now = Clock.now()
  private let room: Room
  private let protection: ProtectionLook
  private let senders: SenderLook

  /// How many octets of JSON there is room for still.
  private final class Room {
    var left: Int
    init(_ left: Int) { self.left = left }
  }

  private init(options: ShowOptions, context: CommandContext) {
    (self.options, self.context) = (options, context)
    room = Room(options.maxBytes ?? .max)
    senders = SenderLook(context)
    protection = ProtectionLook(
      options.protection(options.format(json: context.globals.json)),
      context,
      isOnTerminal: TerminalTraits.of(descriptor: 1).isTerminal
    )
  }

  private var console: Console { context.console }

  static var command: CommandDefinition {
    CommandDefinition(
      "show",
      abstract: "Show a message or a thread.",
      discussion:
        "Files, - for standard input, or a query as in magnum-query(7), such as id:x@y or "
        + "thread:0123456789abcdef. See magnum-show(1).",
      initial: ShowOptions(),
      globals: [.config, .account, .json, .verbose],
      options: ShowOptions.table,
      operands: .many(
        "file-or-query",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { _, _ in false },
      run: { options, context in ShowCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    do throws(Explanation) {
      switch options.format(json: context.globals.json) {
      case .text: try showText(try messages())
      case .raw: try showRaw(try messages())
      case .eml: return try shownExport([try one()]).write(as: .eml)
      case .mbox: return try shownExport(try messages()).write(as: .mbox)
      case .json, .sexp: try showJSON()
      }
      return protection.hasFailed ? .partial : .success
    } catch {
      return context.report(error)
    }
  }

  /// The operands as one text: a query.
  private var target: String { context.operands.joined(separator: " ") }

  // MARK: What to show

  private func messages() throws(Explanation) -> [ShownMessage] {
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
  private func shown(
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
  private func named() throws(Explanation) -> [ShownMessage]? {
    var messages: [ShownMessage] = []
    for operand in context.operands {
      do throws(SystemError) {
        guard let named = try NamedMessage.read(operand) else { return nil }
        let message = message(named.octets, operand == "-" ? nil : named.path)
        messages.append(ShownMessage(message, path: named.path, found: nil))
      } catch {
        throw ShowExplanation.of(error)
      }
    }
    return messages
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

  private func query(_ text: String) throws(Explanation) -> Query {
    if let problem = Explanation(notUTF8: "query", text) { throw problem }
    let isCalling = options.maildir.isEmpty && text.contains("query")
    let names = isCalling ? NamedQueries(try configuration().search.queries) : .none
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      return try QueryParser.parse(Array(text.utf8), dates, names: names)
    } catch {
      throw Explanation(error, in: text)
    }
  }

  private func set() throws(Explanation) -> SearchSet {
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

  // MARK: How to show it

  /// The one message that is meant.
  private func one() throws(Explanation) -> ShownMessage {
    let messages = try messages()
    guard messages.count == 1 else { throw ShowExplanation.severalFiles(messages.count) }
    return messages[0]
  }

  private func shownExport(_ messages: [ShownMessage]) throws(Explanation) -> ShownExport {
    let isArchived = messages.contains { $0.found != nil && $0.path == nil }
    return ShownExport(
      context,
      messages,
      isArchived ? try set() : SearchSet([]),
      roots: options.maildir.map { Path(argument: $0) }
    )
  }

  private func showRaw(_ messages: [ShownMessage]) throws(Explanation) {
    if let number = options.part {
      try show(number, of: messages) { message in
        Section(Array(number.utf8)).flatMap { message.part($0) }
      }
    } else if let number = options.nthPart, number > 0 {
      try show("\(number)", of: messages) { $0.parts.dropFirst(number - 1).first }
    } else {
      for message in messages { console.print(content: message.message.octets) }
    }
  }

  private func show(
    _ number: String,
    of messages: [ShownMessage],
    _ find: (Message) -> Part?
  ) throws(Explanation) {
    guard messages.count == 1 else { throw ShowExplanation.ambiguous(messages.count) }
    let reading =
      options.decrypt?.isWanted == true
      ? try protection.read(messages[0].message) : .unread(messages[0].message)
    for line in protection.hasFailed ? ProtectionLines(reading).all : [] {
      console.writeNote("\(context.name): \(line)")
    }
    guard let part = find(reading.message) else { throw ShowExplanation.noPart(number) }
    guard !reading.isHidden(part) else {
      throw ShowExplanation.hidden(number)
    }
    // A message inside may be encoded against the standard; what it is read from is decoded.
    console.print(content: part.messageInside.map { Array($0.octets) } ?? part.decoded)
  }

  // MARK: JSON

  /// Threads as notmuch nests them: an array of threads, each an array of messages with the answers to them.
  private func showJSON() throws(Explanation) {
    let text = target
    let dates = RelativeDate(now: now)
    // As notmuch does: a file among several is asked for in the place of the message.
    if options.nthPart == 0 || options.duplicate != nil { return try showAlone(dates) }
    if let messages = options.unthreaded ? try messages() : try named() {
      let threads = try messages.map { (message) throws(Explanation) in
        Array("[[".utf8) + (try json(message, dates)) + Array(",[]]]".utf8)
      }
      return print(
        json: [ASCII.openBracket] + threads.joined(separator: Array(",\n".utf8))
          + [ASCII.closeBracket, ASCII.lineFeed]
      )
    }
    let query = try query(text)
    let set = try set()
    for reason in try set.leftOut?.leftOut(of: query) ?? [] { context.report(reason) }
    let threads: [FoundThread]
    do throws(IndexError) {
      let order: SearchOrder = options.sort == .oldestFirst ? .oldestFirst : .newestFirst
      threads = try set.threads(query, order, limit: options.limit)
    } catch {
      throw Explanation(error, place: "index")
    }
    if threads.isEmpty { throw ShowExplanation.nothing(text) }
    for (number, thread) in threads.enumerated() {
      print(json: Array((number == 0 ? "[" : ",\n").utf8))
      try show(thread, set, dates)
    }
    print(json: Array("]\n".utf8))
  }

  /// One message, not in a thread.
  private func showAlone(_ dates: RelativeDate) throws(Explanation) {
    let messages = try messages()
    guard messages.count == 1 else { throw ShowExplanation.ambiguous(messages.count) }
    print(json: try json(messages[0], dates) + [ASCII.lineFeed])
  }

  private func json(
    _ message: ShownMessage,
    _ dates: RelativeDate
  ) throws(Explanation) -> [UInt8] {
    let reading = try protection.read(message.message)
    let wishes = ShownPart.Wishes(
      prefersHTML: options.html,
      includesHTML: options.includeHTML,
      room: max(0, room.left)
    )
    var message = message
    message.sender = senders.verdict(on: message)
    let octets = message.json(options.body == .true ? wishes : nil, dates, reading).octets
    room.left -= octets.count
    return octets.dropLast()
  }

  private func print(json: [UInt8]) {
    console.print(octets: options.format == .sexp ? SexpText.of(json: json) : json)
  }

  /// One message after another, however many there are and however deep the answers go; null for one that is gone, or
  /// that was not found and is not wanted.
  private func show(
    _ thread: FoundThread,
    _ set: SearchSet,
    _ dates: RelativeDate
  ) throws(Explanation) {
    var nesting = Nesting()
    for (place, depth) in ThreadTree(thread.messages.map(\.member)).flattened {
      let found = thread.messages[place]
      let isWanted = found.isMatch || options.entireThread == .true
      let message = isWanted ? try shown(found, set) : nil
      let json = try message.map { (message) throws(Explanation) in try self.json(message, dates) }
      print(json: nesting.add(json ?? Array("null".utf8), depth: depth))
    }
    print(json: nesting.end)
  }

  private func showText(_ messages: [ShownMessage]) throws(Explanation) {
    var text = MessageText(
      prefersHTML: options.html,
      showsAllHeaders: options.headers,
      style: TextStyle(options.colour, TerminalTraits.of(descriptor: 1))
    )
    for message in messages {
      let reading = try protection.read(message.message)
      let tags = message.found?.tags ?? []
      text.add(reading, tags: tags, sender: senders.verdict(on: message))
    }
    if !options.noPager, Pager.isWanted, Pager.show(text.octets) { return }
    console.print(octets: text.octets)
  }
}
