internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SyncState

/// Applies rules to messages that came, a rule after the other, each by an act of its own.
struct ArrivalSorting {
  /// How many messages are looked at at once.
  static let portion = 1000

  private let account: Account
  private let set: RuleSet
  private let triage: Triage
  private let finder: TargetFinder
  /// The folders in which messages arrive for the rules that can be used, by the numbers of these.
  private var mailboxes: [Int: Set<[UInt8]>] = [:]
  /// Whether the server's mailboxes are labels of messages.
  private let hasLabels: Bool
  /// Where messages go by now, by what their copies have in common, where mailboxes are labels.
  private var targets: [UInt64: Set<[UInt8]>] = [:]
  var search: ArrivalSearch
  private(set) var questions: RuleQuestions

  private var folders: AccountFolders { finder.folders(of: account) }

  /// Sorts by the rules that can be used and do not rest.
  init(
    _ account: Account,
    _ set: RuleSet,
    _ triage: Triage,
    _ resting: RestingRules
  ) throws(Explanation) {
    (self.account, self.set, self.triage) = (account, set, triage)
    finder = try TargetFinder(set.configuration, accounts: [account.name], now: set.now)
    search = ArrivalSearch(account, finder)
    questions = RuleQuestions(set.rules, set.configuration.accounts, .besideSync)
    let store = AccountPlaces(of: account).store
    let summary = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try store.loadSummary()
    }
    hasLabels = summary?.hasLabels == true
    for (number, rule) in set.rules.enumerated() where rule.accounts.contains(account.name) {
      guard resting.problem(of: rule, in: account) == nil,
        try rule.problem(in: folders, set.configuration.accounts) == nil
      else { continue }
      mailboxes[number] = Set(try rule.mailboxes(in: folders))
    }
  }

  /// Applies the rules to files.
  mutating func sort(
    _ files: inout [ArrivedFile],
    _ sorted: inout SortedArrivals
  ) throws(Explanation) {
    try decide(&files)
    defer { for file in files { addPlace(of: file, to: &sorted) } }
    for number in set.rules.indices where mailboxes[number] != nil {
      try apply(number, to: &files, &sorted)
    }
  }

  // MARK: Which rules

  private mutating func decide(_ files: inout [ArrivedFile]) throws(Explanation) {
    let numbers = mailboxes.keys.sorted()
    guard !numbers.isEmpty, !files.isEmpty else { return }
    let all = Query.or(
      files.map { file in
        file.id.isEmpty ? .exact(.file, file.file.file.name.base) : .exact(.id, file.id)
      }
    )
    let queries = numbers.map { Query.and([all, set.rules[$0].query]) }
    let found = try finder.findings(of: queries, for: .read).map { findings in
      Set(findings.targets.map(\.identity))
    }
    let messages = files.map { file in
      let matching = zip(numbers, found).filter { number, identities in
        identities.contains(file.identity)
          && mailboxes[number]?.contains(file.first.folder) == true
      }
      return RuleQuestions.Message(file: file.file, rules: matching.map(\.0))
    }
    for (index, decision) in questions.decide(messages).enumerated() {
      files[index].isWaiting = decision == nil
      files[index].decision = decision ?? RuleDecision()
    }
  }

  // MARK: What they do

  private mutating func apply(
    _ number: Int,
    to files: inout [ArrivedFile],
    _ sorted: inout SortedArrivals
  ) throws(Explanation) {
    let rule = set.rules[number]
    let (plan, indices) = try planned(number, files)
    guard !plan.steps.isEmpty else { return }
    let name = rule.settings.name
    let result = try triage.carryOut(plan, command: [UInt8]("rule \(name)".utf8), by: .rule(name))
    if !sorted.rules.contains(name) { sorted.rules.append(name) }
    sorted.problems += result.unindexed
    if let remainder = result.remainder {
      sorted.problems.append(
        Explanation(.partial, place: "rule \(name)", remainder.error.description)
      )
    }
    let (undone, failed) = (result.undone, Set(result.failed.map(\.step)))
    for (message, index) in indices.enumerated() {
      let steps = plan.steps.indices.filter { plan.steps[$0].message == message }
      let taken = steps.filter { !undone.contains($0) }
      files[index].apply(taken.map { plan.steps[$0].step })
      if !taken.isEmpty { files[index].rules.append(name) }
      if steps.contains(where: failed.contains) { files[index].hasFailed = true }
      guard !taken.isEmpty, try isQuiet(rule, files[index]) else { continue }
      files[index].isQuiet = true
    }
  }

  /// The act of a rule, and the files that the messages in it are of.
  private mutating func planned(
    _ number: Int,
    _ files: [ArrivedFile]
  ) throws(Explanation) -> (act: PlannedAct, indices: [Int]) {
    let (rule, accounts) = (set.rules[number], set.configuration.accounts)
    let folders = { [finder] (account: Account) in finder.folders(of: account) }
    let tags = TagReader()
    var moving = rule.mover.map { ActPlanner($0, and: rule.edit, tags: tags, accounts, folders) }
    var marking = rule.edit.map { ActPlanner(.tag($0), tags: tags, accounts, folders) }
    var (act, indices, names) = (PlannedAct(), [Int](), FolderFiles())
    for (index, file) in files.enumerated()
    where file.decision.rules.contains(number) && !file.hasFailed {
      guard names.current(file.file) != nil else { continue }
      let isMover = file.decision.mover == number
      let isMoved = isMover ? try !hasAlready(file, rule) : false
      let own =
        isMoved ? try moving?.plan([file.target]).steps : try marking?.plan([file.target]).steps
      let steps = PlannedAct.Step.marking(own ?? [], of: file.file, tags)
      guard !steps.isEmpty else { continue }
      act.steps += steps.map { step in
        var step = step
        step.message = indices.count
        return step
      }
      indices.append(index)
    }
    return (act, indices)
  }

  /// Whether the message is in the folder of a rule already, or another file of it goes there, where a mailbox can hold it once.
  private mutating func hasAlready(_ file: ArrivedFile, _ rule: Rule) throws(Explanation) -> Bool {
    guard hasLabels, let folder = try rule.mover?.target(in: folders) else { return false }
    let isThere = file.others.contains { $0.account.name == account.name && $0.folder == folder }
    return !targets[file.identity, default: []].insert(folder).inserted || isThere
  }

  /// Whether a rule had a message put out of the way, so that new mail is not reported for it.
  private func isQuiet(_ rule: Rule, _ file: ArrivedFile) throws(Explanation) -> Bool {
    if let edit = rule.edit {
      let isMuted = edit.added.contains { $0.equalsCaseless(Query.muted) }
      if isMuted || edit.marks.on.contains(.seen) { return true }
    }
    switch try folders.role(of: file.file.folder) {
    case .trash, .junk: return true
    default: return false
    }
  }

  private func addPlace(of file: ArrivedFile, to sorted: inout SortedArrivals) {
    guard !file.rules.isEmpty else { return }
    let place = SortedArrivals.Place(
      maildir: folders.tree.path(of: file.file.folder),
      folder: folders.name(file.file.folder),
      file: file.file.file,
      rules: file.rules,
      isQuiet: file.isQuiet
    )
    let (base, folder) = (file.first.file.name.base, file.first.folder)
    sorted.add(place, of: base, in: folders.tree.path(of: folder))
  }
}
