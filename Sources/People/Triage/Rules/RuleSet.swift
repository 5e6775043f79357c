package import Configuration
package import MailModel
internal import Octets

/// Rules of the configuration in their order: all that are for this machine, or those that are named.
package struct RuleSet: Sendable {
  package let rules: [Rule]
  let configuration: Configuration
  let now: Int64

  /// - Parameters:
  ///   - names: the rules; none for all that are for the machine.
  ///   - configuration: where they stand.
  ///   - host: the name of this machine.
  ///   - now: what dates in their queries count from, in seconds since 1970.
  /// - Throws: a mistake in a rule, named or not; a name that none has.
  package init(
    _ names: [String] = [],
    in configuration: Configuration,
    on host: [UInt8],
    now: Int64
  ) throws(Explanation) {
    (self.configuration, self.now) = (configuration, now)
    var rules: [Rule] = []
    // Read once for all rules.
    let folders = Dictionary(first: configuration.accounts.map { ($0.name, AccountFolders($0)) })
    for settings in configuration.rules {
      let rule = try Rule(
        settings,
        in: configuration,
        { folders[$0.name] ?? AccountFolders($0) },
        now: now
      )
      rules.append(rule)
    }
    self.rules = rules.filter { rule in
      names.isEmpty ? rule.settings.applies(on: host) : names.contains(rule.settings.name)
    }
  }

  /// Takes names of rules off the beginning of words of which the others are a query.
  ///
  /// - Parameters:
  ///   - words: what was typed.
  ///   - count: how many of them may be names, since `--` follows; nil where none does.
  ///   - configuration: where the rules stand.
  /// - Returns: the names, and the words of the query.
  /// - Throws: a word before `--` that is the name of no rule.
  package static func split(
    _ words: [String],
    before count: Int?,
    in configuration: Configuration
  ) throws(Explanation) -> (names: [String], query: [String]) {
    let known = configuration.rules.map(\.name)
    let names = words.prefix(count ?? .max).prefix { known.contains($0) }
    if let count, names.count < count {
      let word = words[names.count]
      throw Explanation(
        .usage,
        "there is no rule \"\(Printable.text(word.utf8, limit: 40))\"",
        hint: Suggestion.nearest(to: word, among: known).map { "did you mean \($0)?" }
      )
    }
    return (Array(names), Array(words.dropFirst(names.count)))
  }

  /// What is wrong with a rule in each of its accounts where something is: its folder is not there, or not mirrored.
  ///
  /// - Parameter rule: the rule.
  /// - Returns: the accounts with what is wrong there.
  /// - Throws: that folders cannot be read.
  package func problems(
    of rule: Rule
  ) throws(Explanation) -> [(account: String, problem: Explanation)] {
    var problems: [(account: String, problem: Explanation)] = []
    for account in configuration.accounts
    where rule.accounts.contains(account.name) {
      let folders = AccountFolders(account)
      guard let problem = try rule.problem(in: folders, configuration.accounts) else { continue }
      problems.append((account.name, problem))
    }
    return problems
  }

  /// What is wrong with the rules in an account, by their names.
  ///
  /// - Throws: that folders cannot be read.
  package func problems(
    in account: Account
  ) throws(Explanation) -> [(rule: String, problem: Explanation)] {
    let folders = AccountFolders(account)
    var problems: [(rule: String, problem: Explanation)] = []
    for rule in rules where rule.accounts.contains(account.name) {
      guard let problem = try rule.problem(in: folders, configuration.accounts) else { continue }
      problems.append((rule.settings.name, problem))
    }
    return problems
  }
}
