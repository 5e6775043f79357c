package import Configuration
package import MailModel

/// Rules that rest: three of their moves came back within a day, since the server refuses them.
package struct RestingRules: Hashable, Sendable {
  /// Seconds for which what came back is remembered.
  static let memory: Int64 = 90 * 86_400

  private static let limit = 3
  private static let span: Int64 = 86_400

  /// The names of rules, each with that of an account.
  private var names: Set<[String]> = []

  /// Those that rest because of some acts.
  init(_ acts: [RecordedAct]) {
    var times: [[String]: [Int64]] = [:]
    for act in acts {
      guard case .rule(let name) = act.act.origin else { continue }
      for number in act.returned.keys where act.act.steps[number].isMove {
        times[[name, act.act.steps[number].account], default: []].append(act.act.time)
      }
    }
    for (name, times) in times where Self.isTooOften(times.sorted()) { names.insert(name) }
  }

  private static func isTooOften(_ times: [Int64]) -> Bool {
    zip(times, times.dropFirst(limit - 1)).contains { first, last in last - first <= span }
  }

  /// Whether the rule of that name rests in the account of that name.
  func rests(_ rule: String, in account: String) -> Bool { names.contains([rule, account]) }

  /// Why a rule is not used in an account; nil where it does not rest.
  package func problem(of rule: Rule, in account: Account) -> Explanation? {
    let name = rule.settings.name
    guard rests(name, in: account.name) else { return nil }
    return Explanation(
      .partial,
      place: "rule \(name)",
      "rests: the server of \(account.name) refused three of its moves within a day",
      hint: "magnum log lists them; a change of the configuration ends the rest"
    )
  }
}

extension RestingRules {
  /// The accounts in which a rule rests, each with the reason.
  package func problems(
    of rule: Rule,
    _ set: RuleSet
  ) -> [(account: String, problem: Explanation)] {
    set.configuration.accounts.compactMap { account in
      problem(of: rule, in: account).map { (account.name, $0) }
    }
  }
}

extension ActStep {
  /// Whether it takes a file to another folder.
  fileprivate var isMove: Bool {
    guard case .place(let from, let to) = change else { return false }
    return from.folder != to.folder
  }
}
