package import Configuration
package import MailModel
internal import Octets
package import Platform
internal import SyncEngine
package import Triage

/// Something that is reported of the rules of an account.
package enum RuleOutcome: Sendable {
  /// There was no list of messages that came, or a damaged one: rules begin now.
  case begun(isDamaged: Bool)
  /// Rules did something.
  case sorted(SortedArrivals)
  /// Something is wrong; `name` is that of what stands until a person mends it, nil for what may be gone in the next run.
  case problem(name: String?, Explanation)
}

/// Applies the rules of the configuration to mail that syncs bring.
package final class RuleStage: Sendable {
  private struct State: Sendable {
    /// What rules did in the sync of an account.
    var sorted: [String: SortedArrivals] = [:]
    /// The accounts whose server is to be told of it.
    var pushes: Set<String> = []
    /// The accounts whose sync is past the rules.
    var handled: Set<String> = []
    var statuses: [ExitStatus] = []
  }

  private let configuration: Configuration
  private let stateHome: Path
  private let stores: [String: ArrivalStore]
  /// Whether rules are applied; else it is only recorded what came.
  private let isSorting: Bool
  private let set: Result<RuleSet, Explanation>
  private let state = Monitor(State())

  /// The rules for this machine and these accounts; nil where there are none.
  ///
  /// - Parameters:
  ///   - configuration: where they stand.
  ///   - accounts: the accounts.
  ///   - isSynced: whether it is about those of them that have a server; else about the others.
  ///   - stateHome: where lists of new messages lie.
  ///   - isSorting: whether rules are applied; else it is only recorded what came.
  package init?(
    _ configuration: Configuration,
    _ accounts: [Account],
    isSynced: Bool = true,
    stateHome: Path,
    isSorting: Bool
  ) {
    let host = configuration.rules.isEmpty ? [] : MachineName.current
    let rules = configuration.rules.filter { $0.applies(on: host) }
    let own = accounts.filter { account in
      (account.server != nil) == isSynced && rules.contains { $0.accounts.contains(account.name) }
    }
    guard !own.isEmpty else { return nil }
    self.configuration = configuration
    self.stateHome = stateHome
    self.isSorting = isSorting
    stores = Dictionary(first: own.map { ($0.name, ArrivalStore(of: $0, in: stateHome)) })
    do throws(Explanation) {
      set = .success(try RuleSet(in: configuration, on: host, now: Clock.now()))
    } catch {
      set = .failure(error)
    }
  }

  /// What came of it, for the status of a program.
  package var statuses: [ExitStatus] { state.withLock { $0.statuses } }

  /// Takes new messages of an account before they are recorded; nil where no rule is for it.
  func observer(of account: Account) -> ArrivalObserver? {
    guard let store = stores[account.name] else { return nil }
    return { (batch) throws(SystemError) in try store.record(batch, now: Clock.now()) }
  }

  /// Has rules begin for an account, before its sync.
  func begin(_ account: Account) -> [RuleOutcome] {
    guard let store = stores[account.name] else { return [] }
    var outcomes: [RuleOutcome] = []
    do throws(SystemError) {
      switch try store.begin(now: Clock.now()) {
      case .known: break
      case .begun: outcomes.append(.begun(isDamaged: false))
      case .lost: outcomes.append(.begun(isDamaged: true))
      }
    } catch {
      let problem = Explanation(.cannotCreate, place: account.name, "rules: \(error.description)")
      outcomes.append(.problem(name: nil, problem))
    }
    addStatuses(of: outcomes)
    return outcomes
  }

  /// What is wrong with the rules for an account, which are left out because of it.
  private func problems(_ account: Account) -> [RuleOutcome] {
    do throws(Explanation) {
      return try set.get().problems(in: account).map { .problem(name: "rule \($0)", $1) }
    } catch {
      return [.problem(name: "rules", error)]
    }
  }

  private func addStatuses(of outcomes: [RuleOutcome]) {
    for case .problem(_, let problem) in outcomes {
      state.withLock { $0.statuses.append(problem.status) }
    }
  }

  // MARK: Sorting

  /// Applies the rules where all mail of a sync is in place and indexed.
  ///
  /// Not behind a sync that failed or looked at single mailboxes: a message that was moved might look like one that came.
  func handleEvent(_ event: SyncEvent) -> [RuleOutcome] {
    switch event.kind {
    case .started:
      state.withLock { state in
        state.sorted[event.account] = nil
        state.handled.remove(event.account)
      }
      return []
    case .mirrored(let report), .finished(let report):
      guard isSorting, let store = stores[event.account],
        let account = configuration.account(named: event.account),
        !Interruption.shared.isRequested,
        state.withLock({ $0.handled.insert(event.account).inserted })
      else { return [] }
      // Only now: the first sync of an account makes the folders.
      var outcomes = report.hasFailed ? [] : problems(account)
      addStatuses(of: outcomes)
      if case .success(let set) = set {
        // What a server that takes no changes of labels cannot be told waits.
        let mayAct = report.isWhole && !report.hasFailed && !report.isPullOnly
        outcomes += sort(account, set, store, isWhole: mayAct)
      }
      return outcomes
    default: return []
    }
  }

  /// Records what programs delivered to an account without a server, before it is indexed.
  package func recordDeliveries(of account: Account) -> [RuleOutcome] {
    guard let store = stores[account.name], case .success(let set) = set else { return [] }
    let begun = begin(account)
    let isBeginning = begun.contains { if case .begun = $0 { true } else { false } }
    do throws(Explanation) {
      let triage = Triage(configuration, stateHome: stateHome)
      try triage.recordDeliveries(of: account, by: set, store, areOld: isBeginning)
      return begun
    } catch {
      let outcomes = [RuleOutcome.problem(name: nil, error)]
      addStatuses(of: outcomes)
      return begun + outcomes
    }
  }

  /// Applies the rules to what was recorded, all of which is indexed.
  package func sortDeliveries(of account: Account) -> [RuleOutcome] {
    guard let store = stores[account.name] else { return [] }
    var outcomes = problems(account)
    addStatuses(of: outcomes)
    if case .success(let set) = set { outcomes += sort(account, set, store, isWhole: true) }
    return outcomes
  }

  private func sort(
    _ account: Account,
    _ set: RuleSet,
    _ store: ArrivalStore,
    isWhole: Bool
  ) -> [RuleOutcome] {
    var sorted = SortedArrivals()
    var outcomes: [RuleOutcome] = []
    do throws(Explanation) {
      let triage = Triage(configuration, stateHome: stateHome)
      try triage.sortArrivals(of: account, by: set, store, isWhole: isWhole, &sorted)
    } catch {
      // Another command is at work: the next sync applies them.
      if error.status != .tryAgain { outcomes.append(.problem(name: nil, error)) }
    }
    outcomes += sorted.problems.map { .problem(name: nil, $0) }
    addStatuses(of: outcomes)
    guard !sorted.rules.isEmpty else { return outcomes }
    state.withLock { state in
      state.sorted[account.name] = sorted
      state.pushes.insert(account.name)
    }
    return [.sorted(sorted)] + outcomes
  }

  /// Whether the server is to be told of what rules did in an account; asked once.
  func takePush(of account: Account) -> Bool {
    state.withLock { $0.pushes.remove(account.name) != nil }
  }

  /// A report that names new messages where rules put them, and leaves out those that are out of the way.
  func placed(_ report: AccountReport) -> AccountReport {
    guard let sorted = state.withLock({ $0.sorted[report.account] }) else { return report }
    var report = report
    report.total.arrivals = report.total.arrivals.mapMessages { message in
      guard let place = sorted.place(of: message.file, in: message.maildir) else { return message }
      guard !place.isQuiet else { return nil }
      return Arrivals.Message(
        mailbox: place.folder,
        maildir: place.maildir,
        file: place.file,
        rules: place.rules
      )
    }
    return report
  }
}
