internal import CommandLine
internal import Configuration
internal import Glibc
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import SyncEngine
internal import Terminal

/// `magnum complete`: the names with which shells complete command lines, one a line.
///
/// It is silent about what is wrong, since it runs while somebody types.
enum CompleteCommand {
  /// What is asked for.
  enum Question: String, CaseIterable {
    case accounts, mailboxes, entries
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "complete",
      abstract: "Print names for the completion of command lines.",
      initial: NoOptions(),
      globals: [.config],
      options: [],
      operands: .one("accounts|mailboxes|entries"),
      check: { (_, line) throws(UsageMistake) in
        guard line.operands.first.flatMap(Question.init) == nil else { return }
        throw UsageMistake("it is one of: accounts, mailboxes, entries")
      },
      run: { _, context in
        for name in names(context) where name.allSatisfy({ $0 >= ASCII.space && $0 != 0x7F }) {
          context.console.print(octets: name + [ASCII.lineFeed])
        }
        return .success
      }
    ).hidden
  }

  private static func names(_ context: CommandContext) -> [[UInt8]] {
    let question = context.operands.first.flatMap(Question.init)
    if question == .entries {
      let outbox = Outbox(root: SpoolPlace.root(), user: geteuid())
      return ((try? outbox.listing())?.items ?? []).map { Array($0.id.description.utf8) }
    }
    guard let configuration = try? context.configuration() else { return [] }
    let accounts = AccountNames.all(in: configuration)
    guard question == .mailboxes else { return accounts.map { Array($0.utf8) } }
    return configuration.accounts.filter { $0.server != nil }.flatMap { account in
      let standing = try? AccountStanding(account, stateHome: Environment.stateHome)
      let name = Array(account.name.utf8)
      return [name] + (standing?.names ?? []).map { name + [ASCII.slash] + $0 }
    }
  }
}
