internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// What a query finds, in the form that the options ask for.
struct SearchResults {
  let options: SearchOptions
  let query: Query
  let set: SearchSet
  /// The tags whose messages are left out.
  let excluded: [[UInt8]]
  let now: Int64
  let console: Console
  let isQuiet: Bool

  /// How many there are.
  func count() throws(IndexError) -> Int {
    switch options.output {
    case .messages where options.duplicate != nil, .files where options.duplicate != nil:
      try copied().count
    case .summary, .messages, .count: try set.count(query)
    case .threads, .tree: try set.countThreads(query)
    case .files: try allFiles()
    case .tags, .addresses, .senders, .recipients: try words().count
    case .lists: try set.lists(query).count
    }
  }

  /// Prints them; gives how many were printed.
  func list() throws(IndexError) -> Int {
    let format = options.format
    var printer = ResultPrinter(console, format, isQuiet: isQuiet)
    switch options.output {
    case .summary: try summaries(&printer)
    case .threads:
      let isBare = format.isStructured
      for id in try set.threadIDs(
        query,
        options.order,
        offset: try offset(),
        limit: options.bound
      ) {
        printer.add(Array((isBare ? id : "thread:\(id)").utf8))
      }
    case .messages where options.duplicate != nil:
      for message in cut(try copied()) { printer.add(word(message.id)) }
    case .messages:
      for id in try ids() { printer.add(word(id)) }
    case .files:
      for path in try files() { printer.add(path.octets) }
    case .tree: try trees(&printer)
    case .tags: for word in try words() { printer.add(word) }
    case .lists: try lists(&printer)
    case .addresses, .senders, .recipients: try addresses(&printer)
    case .count: break
    }
    printer.finish()
    return printer.count
  }

  private func ids() throws(IndexError) -> [[UInt8]] {
    // Counted from the end, they are the ids themselves: of several messages with one id it is named once.
    if options.offset < 0 { return cut(try set.ids(query, options.order)) }
    return try set.ids(query, options.order, offset: options.offset, limit: options.bound)
  }

  private func summaries(_ printer: inout ResultPrinter) throws(IndexError) {
    let dates = RelativeDate(now: now)
    let threads = try set.threads(
      query,
      options.order,
      offset: try offset(),
      limit: options.bound,
      detail: .list
    )
    let uncounted = options.exclusion.uncounted(excluded)
    for thread in threads.map({ options.exclusion.shown($0, without: excluded) }) {
      let words = ThreadWords(thread: thread, order: options.order, uncounted: uncounted)
      printer.add(words.line(dates), words.json(dates))
    }
  }

  private func trees(_ printer: inout ResultPrinter) throws(IndexError) {
    let dates = RelativeDate(now: now)
    let threads = try set.threads(
      query,
      options.order,
      offset: try offset(),
      limit: options.bound
    )
    for thread in threads.map({ options.exclusion.shown($0, without: excluded) }) {
      let tree = TreeWords(thread)
      printer.add(tree.text(dates), tree.json(dates))
    }
  }

  /// A Message-ID as a result: bare in JSON, else as a query.
  private func word(_ id: [UInt8]) -> [UInt8] {
    let isBare = options.format.isStructured
    return isBare ? id : ResultWords.id(id)
  }

  /// How many results are left out; where that is counted from the end, they are counted first.
  private func offset() throws(IndexError) -> Int {
    guard options.offset < 0 else { return options.offset }
    let count =
      switch options.output {
      case .summary, .threads, .tree: try set.countThreads(query)
      case .addresses, .senders, .recipients: try words().count
      case .files: try allFiles()
      case .lists: try set.lists(query).count
      case .messages, .tags, .count: try set.count(query)
      }
    return max(0, count + options.offset)
  }

  /// The messages that have a file of the number asked for.
  private func copied() throws(IndexError) -> [FoundMessage] {
    let messages = try set.messages(query, options.order)
    guard let duplicate = options.duplicate else { return messages }
    return messages.filter { $0.files.count >= duplicate }
  }

  /// Those of all results that are wanted.
  private func cut<Item>(_ all: [Item]) -> [Item] {
    let offset = options.offset < 0 ? max(0, all.count + options.offset) : options.offset
    return Array(all.dropFirst(offset).prefix(options.bound))
  }

  /// How many files there are.
  private func allFiles() throws(IndexError) -> Int {
    try set.files(query, .unsorted).count
  }

  /// The files of what is found, by the names they have now; each is a result.
  func files() throws(IndexError) -> [Path] {
    if let duplicate = options.duplicate {
      return cut(try copied()).compactMap { $0.files[duplicate - 1].currentPath() }
    }
    let offset = try offset()
    let (enough, isTooMany) = offset.addingReportingOverflow(options.bound)
    let files = try set.files(query, options.order, limit: isTooMany ? .max : enough)
    return files.dropFirst(offset).prefix(options.bound).compactMap { $0.currentPath() }
  }

  private func words() throws(IndexError) -> [[UInt8]] {
    if options.output == .tags {
      return try set.tags(query).sorted().map { Array($0.rawValue.utf8) }
    }
    return try people().map(\.person.nameAddress)
  }

  private func lists(_ printer: inout ResultPrinter) throws(IndexError) {
    let dates = RelativeDate(now: now)
    let found = try set.lists(query)
    for list in cut(options.sort == .oldestFirst ? found.reversed() : found) {
      let way = list.offer?.way.word ?? "none"
      var line = JSONLine()
      line.add("version", ResultWords.version)
      line.add("list", octets: list.id)
      line.add("count", list.count)
      line.add("timestamp", list.newest.date)
      line.add("way", way)
      let name = Printable.text(list.id, limit: 300)
      printer.add("\(name)  \(list.count)  \(dates.text(list.newest.date))  \(way)", line)
    }
  }

  private func addresses(_ printer: inout ResultPrinter) throws(IndexError) {
    let people = try people()
    for (person, count) in people.dropFirst(try offset()).prefix(options.bound) {
      var line = JSONLine()
      line.add("name", octets: person.name)
      line.add("address", octets: person.address)
      line.add("name-addr", octets: person.nameAddress)
      line.add("count", count)
      line.add("version", ResultWords.version)
      let text = options.bareAddresses ? person.address : person.nameAddress
      printer.add((options.withCounts ? "\(count)\t" : "") + Printable.text(text), line)
    }
  }

  /// Those who wrote or got messages in the order of the messages, with how often they did.
  private func people() throws(IndexError) -> [(person: Person, count: Int)] {
    var list = PeopleList(options.deduplicate)
    var fields: PeopleFields = []
    if options.output != .recipients { fields.insert(.senders) }
    if options.output != .senders { fields.insert(.recipients) }
    if options.deduplicate != .no, let people = try set.people(query, options.order, fields) {
      for (person, count) in people where !person.text.isEmpty { list.add(person, count) }
      return list.people
    }
    for message in try set.messages(query, options.order) {
      var people = fields.contains(.senders) ? message.from : []
      if fields.contains(.recipients) { people += message.to + message.cc }
      for person in people where !person.text.isEmpty { list.add(person) }
    }
    return list.people
  }
}
