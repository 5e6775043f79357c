internal import CommandLine
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts`: what the configuration has, and whether it works.
enum AccountsCommand {
  static var command: CommandDefinition {
    CommandDefinition(
      "accounts",
      abstract: "List the accounts, add some, test them, log in.",
      discussion: "See magnum-accounts(1).",
      subcommands: [
        list, AccountsFolders.command, AccountsAdd.command, AccountsTest.command,
        AccountsLogin.command,
        AccountsLogout.command, AccountsToken.command, AccountsImport.command,
        AccountsExport.command,
      ],
      default: "list",
      otherNames: ["ls": "list", "new": "add", "setup": "add", "init": "add", "check": "test"]
    )
  }

  private static var list: CommandDefinition {
    CommandDefinition(
      "list",
      abstract: "List the accounts of the configuration.",
      initial: NoOptions(),
      globals: [.config, .account, .json],
      options: [],
      changes: { _, _ in false },
      run: { _, context in
        context.withConfiguration { configuration in
          let accounts = AccountNames(context, in: configuration)
          for name in accounts.names {
            let line = AccountLine(name, configuration)
            if context.globals.json {
              context.console.print(octets: line.json.octets)
            } else {
              context.console.print(line.text)
            }
          }
          return accounts.status
        }
      }
    )
  }
}
