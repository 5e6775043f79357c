internal import Configuration
internal import MailModel
internal import Maildir
internal import Octets
internal import Query

/// Finds what rules do to messages of one account: which of them find a message, what counts of that, and on which files.
struct RuleSorting {
  /// The messages that rules look at.
  enum Scope {
    /// Those that a query finds.
    case query(Query)
    /// The newest of the mailboxes in which messages arrive for a rule, at most so many of all mailboxes together.
    case newest(Int)
  }

  let account: Account
  let rules: [Rule]
  let accounts: [Account]
  private let scope: Scope
  /// The only folder whose files are meant, by the name that people know; nil for those of the queries.
  private let folder: [UInt8]?
  let finder: TargetFinder
  private var questions: RuleQuestions
  private var folders: AccountFolders { finder.folders(of: account) }

  init(
    _ account: Account,
    _ set: RuleSet,
    _ scope: Scope,
    _ targets: TargetRules,
    _ asking: RuleAsking
  ) throws(Explanation) {
    self.account = account
    self.scope = scope
    rules = set.rules
    accounts = set.configuration.accounts
    questions = RuleQuestions(rules, accounts, asking)
    folder = targets.folder.map { [UInt8]($0.utf8) }
    var targets = targets
    targets.mayFindNothing = true
    finder = try TargetFinder(set.configuration, accounts: [account.name], targets, now: set.now)
  }

  /// Adds what the rules do to the messages of the account.
  ///
  /// - Throws: why the index or the folders cannot be read; that it is not clear which files are meant.
  mutating func add(to plan: inout RulePlan) throws(Explanation) {
    var mailboxes: [Int: [[UInt8]]] = [:]
    for (number, rule) in rules.enumerated() where rule.accounts.contains(account.name) {
      if let problem = try rule.problem(in: folders, accounts) {
        plan.leftOut.append(problem)
      } else {
        mailboxes[number] = try rule.mailboxes(in: folders)
      }
    }
    let seen = try newest(Set(mailboxes.values.joined()))
    var found: [Int: TargetFinder.Findings] = [:]
    for number in rules.indices {
      guard let own = mailboxes[number] else { continue }
      found[number] = try findings(of: rules[number], own, seen)
    }
    if finder.guessed > 0 { plan.hasGuesses = true }
    plan.leftOut += finder.leftOut.filter { !plan.leftOut.contains($0) }
    try add(found, to: &plan)
  }

  // MARK: Which messages

  /// What a rule finds, with the files that it may mean.
  private func findings(
    of rule: Rule,
    _ mailboxes: [[UInt8]],
    _ seen: Set<UInt64>?
  ) throws(Explanation) -> TargetFinder.Findings? {
    let base: Query
    switch scope {
    case .query(let query): base = query
    case .newest:
      if mailboxes.isEmpty { return nil }
      base = inside(mailboxes)
    }
    let query = Query.and([base, rule.query])
    guard var findings = try finder.findings(of: [query], for: rule.verb).first else { return nil }
    var targets: [Target] = []
    for target in findings.targets where seen?.contains(target.identity) ?? true {
      if let target = try meant(target, mailboxes, query) { targets.append(target) }
    }
    findings.targets = targets
    return findings
  }

  private func inside(_ mailboxes: some Sequence<[UInt8]>) -> Query {
    let places = Query.or(
      mailboxes.map { .exact(.folder, folders.tree.naming.name(of: $0)) }
    )
    return account.sync.labels == .tags ? .and([places, .exact(.tag, TagName.inbox)]) : places
  }

  /// The messages that are looked at, by their identities; nil for all that are found.
  private func newest(_ mailboxes: Set<[UInt8]>) throws(Explanation) -> Set<UInt64>? {
    guard case .newest(let limit) = scope else { return nil }
    guard !mailboxes.isEmpty,
      let found = try finder.findings(of: [inside(mailboxes)], for: .read).first
    else { return [] }
    return Set(found.targets.prefix(limit).map(\.identity))
  }

  /// A message with those of its files that a rule may mean; nil where there are none.
  ///
  /// These are no drafts, and unless folders are named, none in Sent, Drafts, Trash or Junk.
  private func meant(
    _ target: Target,
    _ mailboxes: [[UInt8]],
    _ query: Query
  ) throws(Explanation) -> Target? {
    let isNamed = folder != nil || !QueryScope(query).places.isEmpty
    var target = target
    var files: [TargetFile] = []
    for file in target.files where !file.file.name.flags.contains(.draft) {
      if let folder, !folders.isMeant(file.folder, by: folder) { continue }
      switch scope {
      case .newest: if !mailboxes.contains(file.folder) { continue }
      case .query where isNamed: break
      case .query: if try folders.isAside(file.folder) { continue }
      }
      files.append(file)
    }
    target.files = files
    return files.isEmpty ? nil : target
  }

  // MARK: What is done to them

  private mutating func add(
    _ found: [Int: TargetFinder.Findings],
    to plan: inout RulePlan
  ) throws(Explanation) {
    var order: [UInt64] = []
    var matches: [UInt64: [(rule: Int, target: Target)]] = [:]
    for number in rules.indices {
      for target in found[number]?.targets ?? [] {
        if matches[target.identity] == nil { order.append(target.identity) }
        matches[target.identity, default: []].append((number, target))
      }
    }
    let decisions = decisions(of: matches, order)
    plan.leftOut += questions.problems.map(\.problem)
    plan.add(
      unasked: rules.indices.compactMap { number in
        questions.unasked[number].map { (rules[number], $0) }
      }
    )
    let moved = try moved(found, decisions)
    let sorted = order.compactMap { identity -> Sorted? in
      guard let decision = decisions[identity], let matches = matches[identity] else { return nil }
      return self.sorted(matches, decision, moved[identity])
    }
    try addSteps(of: sorted, to: &plan)
  }

  /// Which rules count for each message; none for one that had to wait.
  private mutating func decisions(
    of matches: [UInt64: [(rule: Int, target: Target)]],
    _ order: [UInt64]
  ) -> [UInt64: RuleDecision] {
    let messages = order.compactMap { identity -> (UInt64, RuleQuestions.Message)? in
      guard let found = matches[identity], let file = found.first?.target.files.first else {
        return nil
      }
      return (identity, RuleQuestions.Message(file: file, rules: found.map(\.rule)))
    }
    let decided = zip(messages, questions.decide(messages.map(\.1)))
    return Dictionary(
      first: decided.compactMap { message, decision in
        decision.map { (message.0, $0) }
      }
    )
  }

  /// The messages that are moved, each with the files that are.
  private func moved(
    _ found: [Int: TargetFinder.Findings],
    _ decisions: [UInt64: RuleDecision]
  ) throws(Explanation) -> [UInt64: Target] {
    var moved: [UInt64: Target] = [:]
    for (number, rule) in rules.enumerated() {
      guard let mover = rule.mover, let findings = found[number] else { continue }
      let folder = try mover.target(in: folders)
      var own: [Target] = []
      for var target in findings.targets where decisions[target.identity]?.mover == number {
        target.files = try target.files(outside: folder, folders)
        if !target.files.isEmpty { own.append(target) }
      }
      guard !own.isEmpty else { continue }
      for target in try finder.choose(among: own, of: findings, for: mover) {
        moved[target.identity] = target
      }
    }
    return moved
  }

  private func sorted(
    _ matches: [(rule: Int, target: Target)],
    _ decision: RuleDecision,
    _ moved: Target?
  ) -> Sorted? {
    let counting = matches.filter { decision.rules.contains($0.rule) }
    guard var marked = counting.first?.target else { return nil }
    let marking = counting.filter { rules[$0.rule].edit != nil }
    let words = marking.flatMap { rules[$0.rule].edit?.words ?? [] }
    // Each rule was checked by itself, and so are all of them.
    let edit = words.isEmpty ? nil : try? TagEdit(words)
    var files: [TargetFile] = []
    for file in marking.flatMap(\.target.files)
    where !files.contains(file) && moved?.files.contains(file) != true { files.append(file) }
    marked.files = files
    let mover = moved.flatMap { target in decision.mover.map { (rule: $0, target: target) } }
    let names = counting.map(\.rule).filter { rules[$0].edit != nil || $0 == mover?.rule }
      .map { rules[$0].settings.name }
    return Sorted(mover: mover, marked: marked, edit: edit, names: names)
  }
}

extension Target {
  /// Its files that do not lie in a folder to which it goes; where labels are tags, the place does not say so.
  fileprivate func files(
    outside folder: [UInt8]?,
    _ folders: AccountFolders
  ) throws(Explanation) -> [TargetFile] {
    var outside: [TargetFile] = []
    for file in files {
      let isLabelled = try folders.isLabelled(file.folder)
      if isLabelled || file.folder != folder { outside.append(file) }
    }
    return outside
  }
}
