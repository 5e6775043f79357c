internal import MailModel
internal import CommandLine
internal import Configuration

/// The accounts that a command line means: operands and values of `--account` alike.
struct AccountNames {
  /// Those that are configured, in the order of the configuration; all of them where none is named.
  private(set) var names: [String]
  /// The status that says whether all of them are known.
  private(set) var status = ExitStatus.success

  /// Reports each name that is not configured.
  init(_ context: CommandContext, in configuration: Configuration) {
    let all = Self.all(in: configuration)
    let wanted = context.accountsNamed
    names = wanted.isEmpty ? all : all.filter { wanted.contains($0) }
    for name in wanted where !all.contains(name) {
      status = context.report(Explanation(unknownAccount: name, known: all))
    }
  }
}

extension AccountNames {
  /// All that are configured, in the order of the configuration.
  static func all(in configuration: Configuration) -> [String] {
    let names = configuration.accounts.map(\.name)
    return names + configuration.senders.map(\.name).filter { !names.contains($0) }
  }
}

extension CommandContext {
  /// What is named of accounts, by operands and by `--account`.
  var accountsNamed: [String] { globals.accounts + operands }
}
