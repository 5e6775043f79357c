internal import ArgumentParser

/// `magnum accounts`: what the configuration has, and whether it works.
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "List the accounts, and try whether they work.",
    discussion: "See magnum-accounts(1).",
    subcommands: [AccountsList.self, AccountsTest.self],
    defaultSubcommand: AccountsList.self
  )
}
