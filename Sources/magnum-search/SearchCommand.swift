internal import ArchiveProtocol
internal import Archives
internal import CommandLine
internal import Configuration
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// What the program does between its options and its exit status.
struct SearchCommand {
  let options: SearchOptions
  let context: CommandContext
  private let now = Clock.now()

  init(_ options: SearchOptions, _ context: CommandContext) {
    var options = options
    if context.globals.json { options.format = .json }
    self.options = options
    self.context = context
  }

  /// Runs, and gives the status to exit with.
  func run() -> ExitStatus {
    do throws(Explanation) {
      return try answer()
    } catch {
      return context.report(error)
    }
  }

  private func answer() throws(Explanation) -> ExitStatus {
    let configuration = options.maildirs.isEmpty ? try configuration() : nil
    let settings = configuration?.search ?? SearchSettings()
    let set = try set(configuration)
    try checkIdentity(of: set)
    // A single query is looked at first: it may ask for an account that is left out.
    if options.serve || options.batch || options.format == .mutt { report(set.leftOut?.leftOut) }
    if options.serve { return serve(set) }
    if options.batch { return ExitStatus.gravest(of: [answerAll(set, settings), outcome(set)]) }
    let text = context.operands.joined(separator: " ")
    let count = try answer(text, set, settings)
    return ExitStatus.gravest(of: [
      options.failEmpty && count == 0 ? .empty : .success, outcome(set),
    ])
  }

  private func report(_ reasons: [Explanation]?) {
    for reason in reasons ?? [] { context.report(reason) }
  }

  /// Whether an archive that was to be searched was out, or an account was left out, where that matters.
  private func outcome(_ set: SearchSet) -> ExitStatus {
    guard options.strict else { return .success }
    return ExitStatus.gravest(of: [
      set.archives.contains(where: \.isOut) ? .tryAgain : .success,
      set.leftOut?.leftOut.isEmpty == false ? .partial : .success,
    ])
  }

  /// Answers what another machine asks, until it asks no more.
  private func serve(_ set: SearchSet) -> ExitStatus {
    let console = context.console
    let server = ArchiveServer(set, program: Version.text) { console.print(octets: $0) }
    server.greet()
    console.flush()
    while let line = readLine() {
      server.answer(Array(line.utf8))
      console.flush()
    }
    return .success
  }

  /// Answers the queries on standard input, each in its turn; a mistake in one does not keep the others from theirs.
  private func answerAll(_ set: SearchSet, _ settings: SearchSettings) -> ExitStatus {
    var statuses: [ExitStatus] = []
    while let line = readLine() {
      do throws(Explanation) {
        _ = try answer(line, set, settings)
      } catch {
        statuses.append(context.report(error))
        // So that who reads an answer a query still does.
        if options.format == .json || options.format == .sexp {
          context.console.print(options.format == .json ? "null" : "nil")
        }
      }
      context.console.flush()
    }
    return ExitStatus.gravest(of: statuses)
  }

  // MARK: Where to search

  private func set(_ configuration: Configuration?) throws(Explanation) -> SearchSet {
    let stem = options.stem ?? "english"
    let stemming = stem == "none" ? nil : stem
    if let configuration {
      let names = context.globals.accounts
      return try configuration.searchSet(names, stemming: stemming, isLocal: options.isLocal) {
        [context] in _ = context.report($0)
      }
    }
    do throws(SystemError) {
      var readers: [IndexReader] = []
      for path in options.maildirs {
        readers.append(IndexReader(try IndexPlace.of(Path(argument: path)), stemming: stemming))
      }
      return SearchSet(readers)
    } catch {
      throw SearchExplanation.of(error)
    }
  }

  /// What answers a query: where it is about files or revisions, the indexes of this machine alone.
  private func searched(_ set: SearchSet, for query: Query) -> SearchSet {
    guard !set.archives.isEmpty else { return set }
    if options.wantsFiles {
      let names = set.archives.compactMap { ($0 as? Archive)?.name }.joined(separator: ", ")
      let place = set.archives.count == 1 ? "archive" : "archives"
      context.console.note(
        "\(context.name): \(place) \(names): not searched, since what is found there has no files here"
      )
      return set.withoutArchives
    }
    return query.isAboutRevisions ? set.withoutArchives : set
  }

  private func configuration() throws(Explanation) -> Configuration {
    try context.neededConfiguration(
      otherwise: "name a Maildir with --maildir, or describe an account: see magnum-config(5)"
    )
  }

  // MARK: Answers

  /// Answers a query; gives how many results there were.
  private func answer(
    _ text: String,
    _ set: SearchSet,
    _ settings: SearchSettings
  ) throws(Explanation) -> Int {
    if options.format == .mutt { return try complete(text, set) }
    let asked: Query
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      let names = NamedQueries(settings.queries)
      asked = try QueryParser.parse(Array(text.utf8), dates, names: names)
    } catch {
      throw Explanation(error, in: text)
    }
    let leftOut = try set.leftOut?.leftOut(of: asked)
    if !options.batch { report(leftOut) }
    let excluded = options.exclusion.tags(beside: asked, usual: settings.excludedTags)
    let query = options.exclusion.query(asked, without: excluded)
    let set = searched(set, for: query)
    // Before the answer: a change in between counts as one after it.
    let revision = options.lastmod ? try revision(of: set) : nil
    if let links = options.links { return try link(query, set, Path(argument: links)) }
    do throws(IndexError) {
      let count = try answer(query, set, revision, excluded)
      // Programs that read both streams as one would take a remark for an answer.
      if count == 0, !options.batch, !options.format.isStructured {
        for line in SearchRemarks(set).lines(text, query) {
          context.console.note("\(context.name): \(line)")
        }
      }
      return count
    } catch {
      throw Explanation(error)
    }
  }

  private func answer(
    _ query: Query,
    _ set: SearchSet,
    _ revision: IndexRevision?,
    _ excluded: [[UInt8]]
  ) throws(IndexError) -> Int {
    guard options.count || options.output == .count else { return try list(query, set, excluded) }
    let count = try count(query, set)
    if !context.globals.quiet { print(count, revision) }
    return count
  }

  private func count(_ query: Query, _ set: SearchSet) throws(IndexError) -> Int {
    switch options.output {
    case .messages where options.duplicate != nil, .files where options.duplicate != nil:
      try copied(query, set).count
    case .summary, .messages, .count: try set.count(query)
    case .threads, .tree: try set.countThreads(query)
    case .files: try allFiles(query, set)
    case .tags, .addresses, .senders, .recipients: try words(query, set).count
    }
  }

  private func list(
    _ query: Query,
    _ set: SearchSet,
    _ excluded: [[UInt8]]
  ) throws(IndexError) -> Int {
    let format = options.format
    var printer = ResultPrinter(context.console, format, isQuiet: context.globals.quiet)
    switch options.output {
    case .summary: try summaries(query, set, excluded, &printer)
    case .threads:
      let isBare = format.isStructured
      for id in try set.threadIDs(
        query,
        options.order,
        offset: try offset(query, set),
        limit: options.bound
      ) {
        printer.add(Array((isBare ? id : "thread:\(id)").utf8))
      }
    case .messages where options.duplicate != nil:
      for message in try copied(query, set) { printer.add(word(message.id)) }
    case .messages:
      let offset = try offset(query, set)
      for id in try set.ids(query, options.order, offset: offset, limit: options.bound) {
        printer.add(word(id))
      }
    case .files:
      for path in try files(query, set) { printer.add(path.octets) }
    case .tree: try trees(query, set, excluded, &printer)
    case .tags: for word in try words(query, set) { printer.add(word) }
    case .addresses, .senders, .recipients: try addresses(query, set, &printer)
    case .count: break
    }
    printer.finish()
    return printer.count
  }

  private func summaries(
    _ query: Query,
    _ set: SearchSet,
    _ excluded: [[UInt8]],
    _ printer: inout ResultPrinter
  ) throws(IndexError) {
    let dates = RelativeDate(now: now)
    let threads = try set.threads(
      query,
      options.order,
      offset: try offset(query, set),
      limit: options.bound,
      detail: .list
    )
    let uncounted = options.exclusion.uncounted(excluded)
    for thread in threads.map({ options.exclusion.shown($0, without: excluded) }) {
      let words = ThreadWords(thread: thread, order: options.order, uncounted: uncounted)
      printer.add(words.line(dates), words.json(dates))
    }
  }

  private func trees(
    _ query: Query,
    _ set: SearchSet,
    _ excluded: [[UInt8]],
    _ printer: inout ResultPrinter
  ) throws(IndexError) {
    let dates = RelativeDate(now: now)
    let threads = try set.threads(
      query,
      options.order,
      offset: try offset(query, set),
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
  private func offset(_ query: Query, _ set: SearchSet) throws(IndexError) -> Int {
    guard options.offset < 0 else { return options.offset }
    let count =
      switch options.output {
      case .summary, .threads, .tree: try set.countThreads(query)
      case .addresses, .senders, .recipients: try words(query, set).count
      case .files where options.duplicate == nil: try allFiles(query, set)
      case .files, .messages, .tags, .count: try set.count(query)
      }
    return max(0, count + options.offset)
  }

  /// The messages that have a file of the number asked for.
  private func copied(_ query: Query, _ set: SearchSet) throws(IndexError) -> [FoundMessage] {
    let messages = try set.messages(
      query,
      options.order,
      offset: try offset(query, set),
      limit: options.bound
    )
    guard let duplicate = options.duplicate else { return messages }
    return messages.filter { $0.files.count >= duplicate }
  }

  /// How many files there are.
  private func allFiles(_ query: Query, _ set: SearchSet) throws(IndexError) -> Int {
    try set.messages(query, .unsorted).reduce(0) { $0 + $1.files.count }
  }

  /// The files of what is found, by the names they have now; each is a result.
  private func files(_ query: Query, _ set: SearchSet) throws(IndexError) -> [Path] {
    if let duplicate = options.duplicate {
      return try copied(query, set).compactMap { $0.files[duplicate - 1].currentPath() }
    }
    let offset = try offset(query, set)
    let (enough, isTooMany) = offset.addingReportingOverflow(options.bound)
    let messages = try set.messages(query, options.order, limit: isTooMany ? .max : enough)
    return messages.flatMap(\.files).dropFirst(offset).prefix(options.bound)
      .compactMap { $0.currentPath() }
  }

  private func words(_ query: Query, _ set: SearchSet) throws(IndexError) -> [[UInt8]] {
    let messages = try set.messages(query, options.order)
    if options.output == .tags {
      return Set(messages.flatMap(\.tags)).sorted().map { Array($0.rawValue.utf8) }
    }
    return people(messages).map(\.person.nameAddress)
  }

  private func addresses(
    _ query: Query,
    _ set: SearchSet,
    _ printer: inout ResultPrinter
  ) throws(IndexError) {
    let people = people(try set.messages(query, options.order))
    for (person, count) in people.dropFirst(try offset(query, set)).prefix(options.bound) {
      var line = JSONLine()
      line.add("name", octets: person.name)
      line.add("address", octets: person.address)
      line.add("name-addr", octets: person.nameAddress)
      line.add("count", count)
      line.add("version", ResultWords.version)
      printer.add(Printable.text(person.nameAddress), line)
    }
  }

  /// How many messages are looked at for people that are completed, and of those that the user wrote.
  private static let (seenLimit, ownLimit) = (600, 400)

  /// With more words that begin as typed, the newest messages are looked at, whoever is in them: after a letter or two, to
  /// find all messages of a quarter of all people takes longer than anybody waits for a list.
  private static let wordLimit = 300

  /// Prints the people whose names or addresses begin so, as mutt's query_command wants them.
  private func complete(_ text: String, _ set: SearchSet) throws(Explanation) -> Int {
    var ranked = RankedPeople(text, own: try ownAddresses(), now: now)
    do throws(IndexError) {
      var rare: [[UInt8]] = []
      for start in ranked.wanted
      where try !set.hasMoreWords(
        than: Self.wordLimit,
        beginning: start,
        in: RankedPeople.fields
      ) {
        rare.append(start)
      }
      try take(rare, set, &ranked)
      if ranked.isEmpty, rare.count < ranked.wanted.count { try take(ranked.wanted, set, &ranked) }
    } catch {
      throw Explanation(error)
    }
    let people = ranked.people.prefix(options.bound)
    // Mutt shows the first line as a message.
    var printer = ResultPrinter(context.console, .text, isQuiet: context.globals.quiet)
    printer.add(Array("\(people.count) found".utf8))
    for person in people {
      let name = person.name.map { $0 < ASCII.space || $0 == ASCII.delete ? ASCII.space : $0 }
      printer.add(person.address + [ASCII.tab] + name)
    }
    return people.count
  }

  /// Takes the people of messages in whose addresses there are words that begin so.
  private func take(
    _ starts: [[UInt8]],
    _ set: SearchSet,
    _ ranked: inout RankedPeople
  ) throws(IndexError) {
    if let query = ranked.ownQuery(starts) {
      for message in try set.messages(query, .newestFirst, limit: Self.ownLimit) {
        ranked.take(message)
      }
    }
    let query = RankedPeople.query(starts)
    for message in try set.messages(query, .newestFirst, limit: Self.seenLimit) {
      ranked.take(message)
    }
  }

  /// The addresses of the user, in small letters.
  private func ownAddresses() throws(Explanation) -> Set<[UInt8]> {
    guard options.maildirs.isEmpty else { return [] }
    let configuration = try configuration()
    let all =
      configuration.senders.flatMap(\.addresses) + configuration.accounts.compactMap(\.address)
    return Set(all.map { $0.utf8.map { ASCII.lowercased($0) } })
  }

  /// Those who wrote or got messages in the order of the messages, with how often they did.
  private func people(_ messages: [FoundMessage]) -> [(person: Person, count: Int)] {
    var list = PeopleList(options.deduplicate)
    for message in messages {
      var people = options.output == .recipients ? [] : message.from
      if options.output != .senders { people += message.to + message.cc }
      for person in people where !person.text.isEmpty { list.add(person) }
    }
    return list.people
  }

  /// Makes a Maildir of links to the files of what is found.
  private func link(
    _ query: Query,
    _ set: SearchSet,
    _ directory: Path
  ) throws(Explanation) -> Int {
    let paths: [Path]
    do throws(IndexError) {
      paths = try files(query, set)
    } catch {
      throw Explanation(error)
    }
    let maildir: LinkedMaildir
    do throws(LinkedMaildir.Refusal) {
      maildir = try LinkedMaildir(directory)
    } catch {
      throw SearchExplanation.of(error, directory)
    }
    do throws(SystemError) {
      for path in paths { try maildir.link(path) }
    } catch {
      throw SearchExplanation.of(error)
    }
    return paths.count
  }
}
