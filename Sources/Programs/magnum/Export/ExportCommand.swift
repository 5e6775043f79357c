internal import Archives
internal import Carriage
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Query
internal import SearchIndex
internal import SyncState
internal import Syncing
internal import Terminal

/// `magnum export`: messages as files of their own.
struct ExportCommand {
  struct Options {
    var place: String?
    var format = ExportFormat.mbox
    var wholeThread = false
    var allCopies = false
    var fetches = false
    var isForced = false
    var isDryRun = false
    var isConfirmed = false
  }

  private let options: Options
  private let context: CommandContext
  private let now = Clock.now()

  /// More octets than these are not written without a question, where a person can be asked.
  private static let unaskedLimit: UInt64 = 200_000_000
  /// The longest list of messages that is read, in octets.
  private static let inputLimit = 256 << 20

  static var command: CommandDefinition {
    CommandDefinition(
      "export",
      abstract: "Write messages to an mbox, to .eml files, to a new Maildir, or as JSON.",
      discussion:
        "Files, a query as in magnum-query(7), or - for lines with files, id: or thread: on "
        + "standard input. See magnum-export(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: table,
      operands: .many(
        "file-or-query",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try check(options, line) },
      changes: { options, _ in options.fetches && !options.isDryRun },
      run: { options, context in ExportCommand(options: options, context: context).exportMail() }
    )
  }

  private static var table: [CommandOption<Options>] {
    [
      .text(
        "--output",
        value: "path",
        completion: .files,
        sets: \.place,
        help: "The file or directory to write; - for standard output."
      ),
      .choice(
        "--format",
        value: "format",
        sets: \.format,
        help: "One mbox, .eml files in a directory, a Maildir, or a line of JSON a message."
      ),
      .flag("--thread", sets: \.wholeThread, help: "Include all messages of the threads."),
      .flag("--all-copies", sets: \.allCopies, help: "Write each copy of a message."),
      .flag(
        "--fetch",
        sets: \.fetches,
        help: "First fetch attachments that only the server has."
      ),
      .flag(
        "--force",
        sets: \.isForced,
        help: "Replace a file that is there; add to a directory what it lacks."
      ),
      .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print what would be done, and do nothing."),
      .flag("--yes", sets: \.isConfirmed, help: "Do not ask for confirmation."),
    ]
  }

  private static func check(_ options: Options, _ line: ParsedLine) throws(UsageMistake) {
    guard let place = options.place, !place.isEmpty else {
      throw UsageMistake("no place is given; use --output")
    }
    if line.operands.contains("-"), line.operands.count > 1 {
      throw UsageMistake("- cannot be combined with other messages")
    }
    guard place == "-" else { return }
    if options.format == .maildir { throw UsageMistake("a Maildir cannot go to standard output") }
    if options.isForced { throw UsageMistake("--force is for files and directories") }
    if line.globals.json {
      throw UsageMistake("--json prints the counts to standard output, where the messages go")
    }
  }

  private func exportMail() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.reporting { () throws(Explanation) in try exportMessages() }
  }

  private var isToOutput: Bool { options.place == "-" }

  private func exportMessages() throws(Explanation) -> ExitStatus {
    let configuration = try context.configuration(isNeeded: false)
    let accounts = try configuration.accounts(named: context.globals.accounts)
    let set = try set(configuration)
    let items = try items(configuration, accounts, set)
    guard !items.isEmpty else {
      throw Explanation(
        .partial,
        place: context.operands.joined(separator: " "),
        "no message found"
      )
    }
    if isToOutput, options.format == .eml, items.count > 1 {
      throw Explanation(
        .data,
        "\(items.count) messages found; standard output takes one as .eml",
        hint: "--format mbox writes several, and --output DIRECTORY a file for each"
      )
    }
    if options.isDryRun {
      printPlan(items)
      return .success
    }
    guard isConfirmed(items) else {
      context.console.writeNote("nothing is written")
      return .partial
    }
    if options.fetches { try fetchWhole(items, configuration) }
    let render = ExportedLine(context, now: now)
    let export = MailExport(
      options.format,
      to: isToOutput ? nil : options.place.map { Path(argument: $0) },
      force: options.isForced,
      keepsFolders: !options.wholeThread,
      accounts,
      set,
      render: { (message) throws(Explanation) in try render.octets(of: message) },
      progress: { [context] counts in
        context.console.drawFooter(["\(HumanFormat.count(counts.exported)) messages written"])
      },
      leaveOut: { [context] item, flaw in
        context.report(
          place: item.display,
          "left out: \(flaw.text)",
          hint: flaw == .partial ? "--fetch fetches the attachments first" : nil
        )
      }
    )
    defer { context.console.drawFooter([]) }
    let counts = try export.writeMessages(items)
    show(counts)
    return counts.left > 0 ? .partial : .success
  }

  // MARK: Which

  private func set(_ configuration: Configuration) throws(Explanation) -> SearchSet {
    guard !configuration.accounts.isEmpty else { return SearchSet([]) }
    return try configuration.searchSet(context.globals.accounts, stemming: "english") {
      [context] in _ = context.report($0)
    }
  }

  private func items(
    _ configuration: Configuration,
    _ accounts: [Account],
    _ set: SearchSet
  ) throws(Explanation) -> [ExportItem] {
    var choice = try ExportChoice(accounts, set)
    choice.wholeThread = options.wholeThread
    choice.allCopies = options.allCopies
    if context.operands == ["-"] { return Self.each(try listed(choice, configuration)) }
    switch MessageWords(context.operands) {
    case .files(let files):
      var items: [ExportItem] = []
      for file in files { items.append(try item(file)) }
      return Self.each(items)
    case .query(let text):
      if configuration.accounts.isEmpty { _ = try context.neededConfiguration() }
      let query = try configuration.query(text, now: now)
      for reason in try set.leftOut?.leftOut(of: query) ?? [] { context.report(reason) }
      return try found(query, choice)
    }
  }

  /// Messages that may be named several times, each once.
  private static func each(_ items: [ExportItem]) -> [ExportItem] {
    var named: Set<[UInt8]> = []
    return items.filter { named.insert($0.key).inserted }
  }

  private func item(_ file: MessageFile) throws(Explanation) -> ExportItem {
    let path = try file.foundPath()
    let size = (try? FileSystem.status(path))?.size ?? 0
    return ExportItem(.named(path), date: 0, size: UInt64(max(0, size)))
  }

  private func found(
    _ query: Query,
    _ choice: ExportChoice
  ) throws(Explanation) -> [ExportItem] {
    do throws(IndexError) {
      return try choice.items(query)
    } catch {
      throw Explanation(error, place: "index")
    }
  }

  /// The messages that lines of standard input name: each a file, or one message or thread.
  private func listed(
    _ choice: ExportChoice,
    _ configuration: Configuration
  ) throws(Explanation) -> [ExportItem] {
    let lines = try CommandContext.standardInput(limit: Self.inputLimit)
    var items: [ExportItem] = []
    for line in lines.split(separator: ASCII.lineFeed) {
      if let file = MessageFile(named: Path([UInt8](line))) {
        items.append(try item(file))
        continue
      }
      let words = line.split(separator: ASCII.space)
      let isName = ["id:", "thread:"].contains { line.starts(with: $0.utf8) }
      guard isName, words.count == 1 else {
        throw Explanation(
          .data,
          place: Printable.text(line, limit: 100),
          "a line of standard input is to be a file, or id: or thread: alone; nothing is written",
          hint: "magnum-search prints such lines with --output=files, messages or threads"
        )
      }
      let text = String(decoding: line, as: UTF8.self)
      items += try found(try configuration.query(text, now: now), choice)
    }
    return items
  }

  // MARK: What is said

  private func printPlan(_ items: [ExportItem]) {
    let size = items.reduce(0) { $0 + $1.size }
    if context.globals.json {
      var line = JSONLine()
      line.add("version", 1)
      line.add("messages", items.count)
      line.add("octets", size)
      return context.console.print(octets: line.octets)
    }
    guard !context.globals.quiet else { return }
    context.console.print(
      "\(Self.messages(items.count)) (\(HumanFormat.bytes(size))) would be written"
    )
  }

  private static func messages(_ count: Int) -> String {
    count == 1 ? "1 message" : "\(HumanFormat.count(count)) messages"
  }

  private func isConfirmed(_ items: [ExportItem]) -> Bool {
    let size = items.reduce(0) { $0 + $1.size }
    guard size > Self.unaskedLimit, !options.isConfirmed, context.console.canAsk else {
      return true
    }
    return context.console.confirm(
      "write \(Self.messages(items.count)) (\(HumanFormat.bytes(size)))?"
    )
  }

  private func show(_ counts: ExportCounts) {
    context.console.drawFooter([])
    guard !isToOutput else { return }
    if context.globals.json {
      var line = JSONLine()
      line.add("version", 1)
      line.add("exported", counts.exported)
      line.add("there", counts.there)
      line.add("left", counts.left)
      line.add("octets", counts.octets)
      return context.console.print(octets: line.octets)
    }
    guard !context.globals.quiet else { return }
    var parts = ["\(Self.messages(counts.exported)) written"]
    if counts.there > 0 { parts.append("\(HumanFormat.count(counts.there)) already there") }
    if counts.left > 0 { parts.append("\(HumanFormat.count(counts.left)) left out") }
    context.console.print(parts.joined(separator: ", "))
  }

  /// Has the messages fetched whole whose attachments are only on the server.
  private func fetchWhole(
    _ items: [ExportItem],
    _ configuration: Configuration
  ) throws(Explanation) {
    let partial = PartialFiles(configuration.accounts)
    var files: [(file: MessageFile, account: Account)] = []
    for item in items {
      let path: Path?
      switch item.place {
      case .file(let file): path = file.currentPath()
      case .named(let named): path = named
      case .archived, .read: path = nil
      }
      guard let path, let finding = try? partial.finding(file: path), finding == .partial,
        let account = MessageFile(path).account(in: configuration), account.server != nil
      else { continue }
      files.append((MessageFile(path), account))
    }
    guard !files.isEmpty else { return }
    let fetch = try AttachmentsFetch(files, configuration, context)
    try fetch.fetchAttachments(reportedAs: .text(.quiet))
  }
}

/// The line of JSON that stands for a message.
private final class ExportedLine {
  private let protection: ProtectionLook
  private let dates: RelativeDate

  init(_ context: CommandContext, now: Int64) {
    var wishes = ProtectionLook.Options(verifies: nil, decrypts: nil)
    wishes.followsConfiguration = false
    protection = ProtectionLook(wishes, context, isOnTerminal: false)
    dates = RelativeDate(now: now)
  }

  func octets(of exported: ExportedMessage) throws(Explanation) -> [UInt8] {
    let octets: [UInt8]
    do throws(SourceError) {
      octets = try exported.octets.whole()
    } catch {
      throw Explanation(.partial, error.description)
    }
    let message = Message(octets)
    let reading = try protection.read(message)
    var shown = ShownMessage(message, path: exported.path, found: nil)
    shown.tags = Self.tags(exported)
    let wishes = ShownPart.Wishes(prefersHTML: false, includesHTML: false, room: .max)
    var line = shown.json(wishes, dates, reading)
    if let account = exported.account { line.add("account", account) }
    line.add("folder", octets: exported.folder)
    return line.octets
  }

  private static func tags(_ message: ExportedMessage) -> [String] {
    let marks: [(SystemFlags, String)] = [
      (.draft, "draft"), (.flagged, "flagged"), (.forwarded, "passed"), (.answered, "replied"),
    ]
    let flags = marks.filter { message.flags.contains($0.0) }.map(\.1)
    let unread = message.flags.contains(.seen) ? [] : ["unread"]
    return (flags + unread + message.tags.map { Printable.text($0) }).sorted()
  }
}
