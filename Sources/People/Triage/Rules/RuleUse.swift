/// How often rules did something to messages that came, as the journal has it.
package struct RuleUse: Hashable, Sendable {
  /// What a rule did in an account.
  package struct Count: Hashable, Sendable {
    /// How many messages it did something to.
    package internal(set) var messages = 0
    /// When it did so last, in seconds since 1970.
    package internal(set) var last: Int64 = 0
  }

  private var counts: [[String]: Count] = [:]

  init(_ acts: [Act]) {
    for act in acts {
      guard case .rule(let name) = act.origin, act.undoing == nil else { continue }
      let chains = StepChains([act])
      for (account, steps) in Dictionary(grouping: act.steps, by: \.account) {
        var count = counts[[name, account]] ?? Count()
        count.messages += Set(steps.map(chains.file)).count
        count.last = max(count.last, act.time)
        counts[[name, account]] = count
      }
    }
  }

  /// What a rule did in an account; nil for nothing.
  package func count(of rule: String, in account: String) -> Count? { counts[[rule, account]] }
}
