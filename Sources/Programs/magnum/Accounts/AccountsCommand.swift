internal import CommandLine
internal import Configuration
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
        AccountsExport.command, AccountsRelabel.command,
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

/// An account in a list.
struct AccountLine {
  private let name: String
  private let account: Account?
  private let sender: Sender?
  private let isDefault: Bool

  init(_ name: String, _ configuration: Configuration) {
    self.name = name
    account = configuration.account(named: name)
    sender = configuration.sender(named: name)
    isDefault = configuration.defaultSender?.name == name
  }

  var text: String {
    let parts = [name, address, account?.maildir.display, imap, sender?.server.description]
    return parts.compactMap { $0 }.map { Printable.text($0.utf8) }.joined(separator: "  ")
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", name)
    line.add("address", ifPresent: address)
    if let sender {
      line.add("name", ifPresent: sender.fullName)
      line.add("addresses", sender.addresses)
      line.add("default", isDefault)
    }
    line.add("maildir", ifPresent: account?.maildir.display)
    line.add("imap", ifPresent: imap)
    line.add("smtp", ifPresent: sender?.server.description)
    return line
  }

  private var address: String? { sender?.address ?? account?.address }

  private var imap: String? { account?.server.map { ServerText.text($0) } }
}
