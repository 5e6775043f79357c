internal import Archives
internal import MailModel
internal import CommandLine
internal import Configuration
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
  func run() -> ExitStatus { context.reporting { () throws(Explanation) in try answer() } }

  private func answer() throws(Explanation) -> ExitStatus {
    let configuration = options.maildirs.isEmpty ? try configuration() : nil
    let settings = configuration?.search ?? SearchSettings()
    let set = try set(configuration)
    try checkIdentity(of: set)
    // A single query is looked at first: it may ask for an account that is left out.
    if options.serve || options.batch || options.format == .mutt { report(set.leftOut?.leftOut) }
    if options.serve { return serve(set) }
    if options.batch { return ExitStatus.mostSevere(of: [answerAll(set, settings), outcome(set)]) }
    let text = context.operands.joined(separator: " ")
    let answer = try answer(text, set, settings)
    return ExitStatus.mostSevere(of: [
      options.failEmpty && answer.count == 0 ? .empty : .success, answer.status, outcome(set),
    ])
  }

  private func report(_ reasons: [Explanation]?) {
    for reason in reasons ?? [] { context.report(reason) }
  }

  /// How many results a query had, and whether all of the mail was asked, where that matters.
  private struct Answer {
    let count: Int
    let status: ExitStatus
  }

  /// Whether an archive that was to be searched was out, or an account was left out, where that matters.
  private func outcome(_ set: SearchSet) -> ExitStatus {
    guard options.strict else { return .success }
    return ExitStatus.mostSevere(of: [
      set.archives.contains(where: \.isOut) ? .tryAgain : .success,
      set.leftOut?.leftOut.isEmpty == false ? .partial : .success,
    ])
  }

  /// Answers what another machine asks, until it asks no more.
  private func serve(_ set: SearchSet) -> ExitStatus {
    let console = context.console
    let server = ArchiveServer(set, program: Version.text(of: "magnum-search")) {
      console.print(octets: $0)
    }
    server.greet()
    console.flush()
    var lines = InputLines(limit: ArchiveServer.lineLimit)
    while let line = lines.next() {
      // Who asks so has nothing to say that is understood.
      guard server.answer(line) else { break }
      console.flush()
    }
    console.flush()
    return .success
  }

  /// Answers the queries on standard input, each in its turn; a mistake in one does not keep the others from theirs.
  private func answerAll(_ set: SearchSet, _ settings: SearchSettings) -> ExitStatus {
    var statuses: [ExitStatus] = []
    while let line = readLine() {
      do throws(Explanation) {
        statuses.append(try answer(line, set, settings).status)
      } catch {
        statuses.append(context.report(error))
        // So that who reads an answer a query still does.
        if options.format == .json || options.format == .sexp {
          context.console.print(options.format == .json ? "null" : "nil")
        }
      }
      context.console.flush()
    }
    return ExitStatus.mostSevere(of: statuses)
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
    if options.wantsFiles || query.isAboutRevisions {
      let names = set.archives.compactMap { ($0 as? Archive)?.name }.joined(separator: ", ")
      let place = set.archives.count == 1 ? "archive" : "archives"
      context.console.writeNote(
        "\(context.name): \(place) \(names): not searched, since "
          + (options.wantsFiles
            ? "what is found there has no files here"
            : "lastmod: is about an index of this machine")
      )
      return set.withoutArchives
    }
    return set
  }

  private func configuration() throws(Explanation) -> Configuration {
    try context.neededConfiguration(
      otherwise: "name a Maildir with --maildir, or describe an account: see magnum-config(5)"
    )
  }

  // MARK: Answers

  private func answer(
    _ text: String,
    _ set: SearchSet,
    _ settings: SearchSettings
  ) throws(Explanation) -> Answer {
    if options.format == .mutt { return Answer(count: try complete(text, set), status: .success) }
    if let problem = Explanation(notUTF8: "query", text) { throw problem }
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
    let status: ExitStatus = options.strict && leftOut?.isEmpty == false ? .partial : .success
    let excluded = options.exclusion.tags(beside: asked, usual: settings.excludedTags)
    let query = options.exclusion.query(asked, without: excluded)
    let set = searched(set, for: query)
    // Before the answer: a change in between counts as one after it.
    let revision = options.lastmod ? try revision(of: set) : nil
    let results = results(query, set, excluded)
    if let links = options.links {
      return Answer(count: try link(results, Path(argument: links)), status: status)
    }
    do throws(IndexError) {
      let count = try answer(results, revision)
      // Programs that read both streams as one would take a remark for an answer.
      if count == 0, !options.batch, !options.noRemarks, !options.format.isStructured {
        for line in SearchRemarks(set).lines(text, query) {
          context.console.writeNote("\(context.name): \(line)")
        }
      }
      return Answer(count: count, status: status)
    } catch {
      throw Explanation(error)
    }
  }

  private func results(_ query: Query, _ set: SearchSet, _ excluded: [[UInt8]]) -> SearchResults {
    SearchResults(
      options: options,
      query: query,
      set: set,
      excluded: excluded,
      now: now,
      console: context.console,
      isQuiet: context.globals.quiet
    )
  }

  private func answer(
    _ results: SearchResults,
    _ revision: IndexRevision?
  ) throws(IndexError) -> Int {
    guard options.count || options.output == .count else { return try results.list() }
    let count = try results.count()
    if !context.globals.quiet { print(count, revision) }
    return count
  }

  private func complete(_ text: String, _ set: SearchSet) throws(Explanation) -> Int {
    let completion = PeopleCompletion(
      set: set,
      bound: options.bound,
      now: now,
      console: context.console,
      isQuiet: context.globals.quiet
    )
    return try completion.printPeople(text, own: try ownAddresses())
  }

  /// The addresses of the user, in small letters.
  private func ownAddresses() throws(Explanation) -> Set<[UInt8]> {
    guard options.maildirs.isEmpty else { return [] }
    let configuration = try configuration()
    let all =
      configuration.senders.flatMap(\.addresses) + configuration.accounts.compactMap(\.address)
    return Set(all.map { $0.utf8.map { ASCII.lowercased($0) } })
  }

  /// Makes a Maildir of links to the files of what is found.
  private func link(_ results: SearchResults, _ directory: Path) throws(Explanation) -> Int {
    let paths: [Path]
    do throws(IndexError) {
      paths = try results.files()
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
