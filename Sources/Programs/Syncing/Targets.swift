package import Configuration
package import MailModel
internal import Octets
package import SyncEngine

/// The accounts and mailboxes that the command line names.
package struct Targets {
  /// An argument that names nothing.
  package struct Mistake: Explainable {
    var argument: String
    var known: [String]
    /// Whether the account exists and has no server.
    var isPlainMaildir = false

    /// What is wrong with it.
    package var explanation: Explanation {
      if isPlainMaildir {
        return Explanation(
          .usage,
          place: argument,
          "this account has no server to sync with",
          hint: "set \"imap\" in its section; see magnum-config(5)"
        )
      }
      var explanation = Explanation(unknownAccount: argument, known: known)
      if known.isEmpty {
        explanation.hint =
          "no account has a Maildir; see \"maildir\" and \"imap\" in magnum-config(5)"
      }
      return explanation
    }
  }

  /// The accounts that are synced.
  package let accounts: [Account]
  /// Those that were named, and which of their mailboxes.
  package let selections: [SyncOptions.Selection]
  /// The mailboxes in which the deletion guard is overridden.
  package let massDeletionAllowed: [SyncOptions.Selection]
  /// The mailboxes of which what is missing here is fetched again.
  package let fetchedAgain: [SyncOptions.Selection]

  /// All accounts where no argument names one.
  package init(
    _ arguments: [String],
    massDeletion: [String],
    fetchAgain: [String] = [],
    in configuration: Configuration
  ) throws(Mistake) {
    var selections: [SyncOptions.Selection] = []
    for argument in arguments {
      selections.append(try Self.selection(argument, configuration))
    }
    var allowed: [SyncOptions.Selection] = []
    for argument in massDeletion { allowed.append(try Self.selection(argument, configuration)) }
    var wanted: [SyncOptions.Selection] = []
    for argument in fetchAgain { wanted.append(try Self.selection(argument, configuration)) }
    fetchedAgain = wanted
    // What is fetched again alone is about its accounts alone.
    if selections.isEmpty {
      selections = wanted.map { SyncOptions.Selection(account: $0.account, patterns: []) }
    }
    self.selections = Self.widened(selections)
    massDeletionAllowed = allowed
    accounts = configuration.accounts.filter { [selections] account in
      selections.isEmpty || selections.contains { $0.account == account.name }
    }
  }

  private static func selection(
    _ argument: String,
    _ configuration: Configuration
  ) throws(Mistake) -> SyncOptions.Selection {
    let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let account = configuration.account(named: name) else {
      throw Mistake(argument: name, known: configuration.accounts.map(\.name))
    }
    guard account.server != nil else {
      throw Mistake(argument: name, known: [], isPlainMaildir: true)
    }
    let patterns = parts.dropFirst().filter { !$0.isEmpty }.map { MailboxPattern(String($0)) }
    return SyncOptions.Selection(account: name, patterns: patterns)
  }

  /// An account that is named without a mailbox means all of its mailboxes, whatever else is named.
  private static func widened(
    _ selections: [SyncOptions.Selection]
  ) -> [SyncOptions.Selection] {
    let whole = Set(selections.filter { $0.patterns.isEmpty }.map(\.account))
    return selections.filter { $0.patterns.isEmpty || !whole.contains($0.account) }
  }
}
