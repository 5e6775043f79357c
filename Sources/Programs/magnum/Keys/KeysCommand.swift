internal import CommandLine
internal import Configuration
internal import GnuPG
internal import MailModel
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

/// `magnum keys`: the keys of addresses, and what they would be used for.
struct KeysCommand {
  private let context: CommandContext
  private let tools: GnuPG

  static var command: CommandDefinition {
    CommandDefinition(
      "keys",
      abstract: "List OpenPGP and S/MIME keys, and which would be used; fetch keys.",
      discussion: "See magnum-keys(1).",
      subcommands: [list, KeysFetch.command],
      default: "list",
      otherNames: ["ls": "list", "show": "list", "get": "fetch", "locate": "fetch"]
    )
  }

  private static var list: CommandDefinition {
    CommandDefinition(
      "list",
      abstract: "List the keys of addresses, or your own, and which would be used.",
      initial: NoOptions(),
      globals: [.config, .account, .json, .verbose],
      options: [],
      operands: .many("address"),
      changes: { _, _ in false },
      run: { _, context in
        Interruption.shared.watchSignals()
        return context.reporting { () throws(Explanation) in
          try KeysCommand(context, GnuPG(for: context)).list()
        }
      }
    )
  }

  init(_ context: CommandContext, _ tools: GnuPG) {
    (self.context, self.tools) = (context, tools)
  }

  private func list() throws(Explanation) -> ExitStatus {
    let configuration = try context.configuration(isNeeded: false)
    guard context.operands.isEmpty else {
      let targets = context.operands.map { KeyTarget($0, configuration.senders) }
      return try list(targets, configuration)
    }
    let accounts = AccountNames(context, in: configuration)
    guard accounts.status == .success else { return accounts.status }
    let senders = configuration.senders.filter { accounts.names.contains($0.name) }
    let own = senders.flatMap { sender in
      sender.addresses.map { KeyTarget($0, [sender]) }
    }
    guard !own.isEmpty else {
      throw Explanation(
        .usage,
        "no account has an address of its own",
        hint: "name addresses: magnum keys ADDRESS"
      )
    }
    return try list(own, configuration)
  }

  /// Lists the keys of each address.
  func list(
    _ targets: [KeyTarget],
    _ configuration: Configuration
  ) throws(Explanation) -> ExitStatus {
    var counts: [Bool] = []
    let policy = configuration.defaultSender?.composing.protection.uncertified ?? .ask
    for target in targets {
      let rows = try KeySearch(tools, context).rows(of: target, policy)
      if rows.isEmpty, !context.globals.json {
        context.console.print("\(Printable.text(target.address, limit: 254)): no key")
      }
      for row in rows {
        context.console.print(octets: context.globals.json ? row.json.octets : row.text)
      }
      counts.append(rows.contains { !$0.uses.isEmpty })
    }
    return counts.allSatisfy { $0 } ? .success : counts.contains(true) ? .partial : .empty
  }
}

/// An address whose keys are listed.
struct KeyTarget {
  let address: [UInt8]
  /// The settings of the account that it belongs to; nil for an address of another person.
  let own: ProtectionSettings?

  init(_ address: String, _ senders: [Sender]) {
    self.address = Array(address.utf8)
    own =
      senders.first { sender in
        sender.addresses.contains { $0.utf8.elementsEqual(address.utf8) }
      }?.composing.protection
  }
}
