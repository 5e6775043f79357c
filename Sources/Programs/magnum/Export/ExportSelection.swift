internal import Archives
internal import Carriage
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Syncing

/// The messages that the operands of `magnum export` name.
struct ExportSelection {
  private let context: CommandContext
  private let options: ExportOptions
  private let configuration: Configuration
  private let accounts: [Account]
  private let now: Int64

  /// The longest list of messages that is read, in octets.
  private static let inputLimit = 256 << 20

  /// Among the messages of some accounts; `now` is what dates of queries are relative to.
  init(
    _ context: CommandContext,
    _ options: ExportOptions,
    _ configuration: Configuration,
    _ accounts: [Account],
    now: Int64
  ) {
    (self.context, self.options, self.configuration) = (context, options, configuration)
    (self.accounts, self.now) = (accounts, now)
  }

  /// The indexes of the accounts.
  private func set() throws(Explanation) -> SearchSet {
    guard !configuration.accounts.isEmpty else { return SearchSet([]) }
    return try configuration.searchSet(context.globals.accounts, stemming: "english") {
      [context] in _ = context.report($0)
    }
  }

  /// The messages that the operands name, the oldest that are found first, and the indexes that were asked: none for files.
  ///
  /// - Throws: that a file is gone; a mistake in a query.
  func items() throws(Explanation) -> ([ExportItem], SearchSet) {
    if context.operands == ["-"] {
      let set = try set()
      return (Self.each(try listed(try choice(set))), set)
    }
    switch try MessageWords(context.operands) {
    case .files(let files):
      var items: [ExportItem] = []
      for file in files { items.append(try item(file)) }
      return (Self.each(items), SearchSet([]))
    case .query(let text):
      if configuration.accounts.isEmpty { _ = try context.neededConfiguration() }
      let query = try configuration.query(text, now: now)
      let set = try set()
      for reason in try set.leftOut?.leftOut(of: query) ?? [] { context.report(reason) }
      return (try found(query, try choice(set)), set)
    }
  }

  private func choice(_ set: SearchSet) throws(Explanation) -> ExportChoice {
    var choice = try ExportChoice(accounts, set)
    choice.wholeThread = options.wholeThread
    choice.allCopies = options.allCopies
    return choice
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
  private func listed(_ choice: ExportChoice) throws(Explanation) -> [ExportItem] {
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
}
