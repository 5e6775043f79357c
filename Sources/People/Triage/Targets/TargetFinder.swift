internal import Archives
package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// Finds the messages that people and programs name: by files, by ids, threads and other queries.
package final class TargetFinder {
  private let configuration: Configuration
  private let accounts: [Account]
  private let rules: TargetRules
  private let now: Int64
  private var folders: [String: AccountFolders] = [:]
  private let searched: SearchedAccounts

  /// Why accounts and archives were left out of what was searched for; empty as long as only files were named.
  package private(set) var leftOut: [Explanation] = []

  /// How many messages were not taken for those of a thread that is named, since their subject alone joins them to it.
  package private(set) var guessed = 0

  /// A finder in the mail of accounts; all of them where none is named.
  ///
  /// - Throws: an account that is not configured.
  package init(
    _ configuration: Configuration,
    accounts names: [String] = [],
    _ rules: TargetRules = TargetRules(),
    now: Int64
  ) throws(Explanation) {
    self.configuration = configuration
    accounts = try configuration.accounts(named: names)
    searched = SearchedAccounts(accounts, named: names)
    self.rules = rules
    self.now = now
  }

  /// The folders of an account.
  func folders(of account: Account) -> AccountFolders {
    if let known = folders[account.name] { return known }
    let made = AccountFolders(account)
    folders[account.name] = made
    return made
  }

  /// The messages that words name: files, or all words together a query.
  ///
  /// - Parameters:
  ///   - words: what was typed.
  ///   - verb: what is to be done to them, which decides about the files that are meant.
  /// - Returns: the messages, each with its files, none of which is named twice.
  /// - Throws: that nothing is found; that it is not clear which files are meant.
  package func targets(_ words: [String], for verb: TriageVerb) throws(Explanation) -> [Target] {
    switch try MessageWords(words) {
    case .files(let files):
      var found: [[Target]] = []
      for file in files { found.append(try targets(file, verb)) }
      return merged(found.joined())
    case .query(let text): return merged(try search([text], verb).joined())
    }
  }

  /// The message of a file, or where whole threads are meant, all of its thread.
  private func targets(_ file: MessageFile, _ verb: TriageVerb) throws(Explanation) -> [Target] {
    let own = try Target(of: file, configuration)
    guard rules.wholeThread, !own.id.isEmpty else { return [own] }
    let found = try search(
      [Named(text: "id:\(Printable.text(own.id))", query: .exact(.id, own.id), mayBeMissing: true)],
      verb
    ).flatMap { $0 }
    // By the name that it has now; the index may have another one yet.
    let isFound = found.contains { target in
      target.files.contains { file in
        own.files.contains {
          $0.path.parent == file.path.parent && $0.file.name.base == file.file.name.base
        }
      }
    }
    return isFound ? found : [own] + found
  }

  /// The messages that lines name, each a file, or one message or thread.
  ///
  /// - Throws: as ``targets(_:for:)``; that a line is none of these.
  package func targets(
    lines: [[UInt8]],
    for verb: TriageVerb
  ) throws(Explanation) -> [Target] {
    var found: [[Target]] = []
    var queries: [(place: Int, text: String)] = []
    for line in lines where !line.allSatisfy({ $0 <= ASCII.space }) {
      switch try TargetLine(line, parse: query) {
      case .file(let file): found.append(try targets(file, verb))
      case .term(let text):
        queries.append((found.count, text))
        found.append([])
      }
    }
    for (query, targets) in zip(queries, try search(queries.map(\.text), verb)) {
      found[query.place] = targets
    }
    return merged(found.joined())
  }

  /// Chooses the files that a verb means, of messages that were found by other means.
  ///
  /// - Parameters:
  ///   - targets: the messages, each with the files among which is chosen.
  ///   - verb: what is to be done to them.
  /// - Returns: the messages with the files that are meant; those without any are left out.
  /// - Throws: that it is not clear which files are meant, unless the rules allow all copies.
  package func choose(
    among targets: [Target],
    for verb: TriageVerb
  ) throws(Explanation) -> [Target] {
    let ids = QueryScope(.or(targets.map { .exact(.id, $0.id) }))
    let choice = FileChoice(rules, ids, [], verb) { self.folders(of: $0) }
    return merged(try choice.chosen(of: targets))
  }

  /// A file is named once, whatever names it; messages of which that leaves none are left out.
  private func merged(_ targets: some Sequence<Target>) -> [Target] {
    var seen: Set<TargetFile> = []
    var result: [Target] = []
    for var target in targets {
      target.files = target.files.filter { seen.insert($0).inserted }
      if !target.files.isEmpty { result.append(target) }
    }
    return result
  }

  // MARK: Queries

  /// Something that names messages.
  private struct Named {
    let text: String
    let query: Query
    /// Whether it is all right where nothing is found.
    var mayBeMissing = false
  }

  private func search(
    _ texts: [String],
    _ verb: TriageVerb
  ) throws(Explanation) -> [[Target]] {
    var named: [Named] = []
    for text in texts { named.append(Named(text: text, query: try query(text))) }
    return try search(named, verb)
  }

  /// The messages that each of some queries finds, each index opened once.
  private func search(
    _ named: [Named],
    _ verb: TriageVerb
  ) throws(Explanation) -> [[Target]] {
    let queries = named.map { named in
      rules.wholeThread && !QueryScope(named.query).isThread ? .thread(named.query) : named.query
    }
    if queries.isEmpty { return [] }
    var chosen: [[Target]] = []
    for (named, found) in zip(named, try findings(of: queries, for: verb)) {
      if named.mayBeMissing, found.targets.isEmpty {
        chosen.append([])
        continue
      }
      chosen.append(try choose(found, named.text, verb))
    }
    return chosen
  }

  /// What a query finds, before it is chosen which files are meant.
  struct Findings {
    let query: Query
    /// The messages, the newest first, each with all of its files in the accounts.
    var targets: [Target]
    fileprivate let asked: AskedQuery
  }

  /// What queries find.
  ///
  /// - Throws: what is wrong with a query, or why an index cannot be asked.
  func findings(
    of queries: [Query],
    for verb: TriageVerb
  ) throws(Explanation) -> [Findings] {
    for query in queries {
      leftOut += try searched.leftOut(of: query).filter { !leftOut.contains($0) }
    }
    let threads = NamedThreads(searched.accounts)
    let limited = try threads.limited(queries)
    let asked = try threads.resolved(limited).map { AskedQuery($0, verb, rules) }
    guessed += try threads.guesses(in: queries, limited)
    var found = [FoundTargets](repeating: FoundTargets(), count: queries.count)
    for account in searched.accounts {
      for (place, results) in try AskedQuery.results(of: asked, in: account).enumerated() {
        found[place].add(results.messages, of: account)
        for (number, messages) in results.ofAlternatives.enumerated() {
          found[place].addMessages(messages, foundBy: number)
        }
      }
    }
    return queries.indices.map { place in
      Findings(query: queries[place], targets: found[place].targets, asked: asked[place])
    }
  }

  private func query(_ text: String) throws(Explanation) -> Query {
    guard !text.utf8.allSatisfy({ $0 <= ASCII.space }) else {
      throw Explanation(.usage, "no message is named", hint: "all messages are *")
    }
    return try configuration.query(text, now: now)
  }

  /// Sees to it that a Message-ID that is named alone means one message: who writes one may give it that of another.
  private func checkNames(_ targets: [Target], _ query: Query) throws(Explanation) {
    for id in Self.names(query) {
      let count = targets.count { $0.id == id }
      guard count > 1 else { continue }
      throw Explanation(
        .data,
        place: "id:\(Printable.text(id))",
        "\(count) messages of different text have this Message-ID",
        hint: "name a file (magnum-search --output=files), or take all with --all-copies"
      )
    }
  }

  /// The Message-IDs by which a query names messages.
  private static func names(_ query: Query) -> [[UInt8]] {
    switch query {
    case .exact(.id, let id): [id]
    case .or(let parts): parts.flatMap(names)
    default: []
    }
  }

  private func choose(
    _ found: Findings,
    _ text: String,
    _ verb: TriageVerb
  ) throws(Explanation) -> [Target] {
    guard !found.targets.isEmpty else {
      if rules.mayFindNothing { return [] }
      throw nothing(text, found.query)
    }
    let chosen = try choose(among: found.targets, of: found, for: verb)
    guard !chosen.isEmpty else {
      throw Explanation(
        .partial,
        place: text,
        "all messages found are in Trash, Junk or Drafts",
        hint: "name the folder: --folder"
      )
    }
    return chosen
  }

  /// Chooses the files that a verb means, of some of the messages that a query found.
  ///
  /// - Throws: that it is not clear which files are meant.
  func choose(
    among targets: [Target],
    of found: Findings,
    for verb: TriageVerb
  ) throws(Explanation) -> [Target] {
    let alternatives = found.asked.alternatives.map { QueryScope($0) }
    let scope = QueryScope(found.query)
    let choice = FileChoice(rules, scope, alternatives, verb) { self.folders(of: $0) }
    let chosen = try choice.chosen(of: targets)
    if verb.isMoving, !rules.allCopies { try checkNames(chosen, found.query) }
    return chosen
  }

  /// Why a query names no message: there is none, or only on other machines, where nothing is changed.
  ///
  /// Those that do not answer are left out.
  private func nothing(_ text: String, _ query: Query) -> Explanation {
    let nothing = Explanation(.partial, place: text, "no message found")
    guard accounts.count == configuration.accounts.count, !configuration.archives.isEmpty else {
      return nothing
    }
    let silent = Monitor<[Explanation]>([])
    let names = configuration.archives(finding: query) { reason in
      silent.withLock { $0.append(reason) }
    }
    leftOut += silent.withLock { $0 }
    guard !names.isEmpty else { return nothing }
    return Explanation(
      .data,
      place: text,
      "found only in \(names.count == 1 ? "the archive" : "the archives") "
        + "\(names.joined(separator: ", ")), whose messages are not changed from here"
    )
  }
}
