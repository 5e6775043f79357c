internal import CommandLine
internal import Configuration
internal import Glibc
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// What all subcommands of `magnum queue` need: the command context, and the queues of the user.
struct QueueContext {
  let command: CommandContext
  let outbox = Outbox(root: SpoolPlace.root(), user: geteuid())

  var console: Console { command.console }

  /// Runs a subcommand, and gives its status.
  ///
  /// The queue needs no configuration; one that is named has to be there and right all the same.
  static func run(
    _ command: CommandContext,
    _ body: (QueueContext) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    let context = QueueContext(command: command)
    if command.globals.config != nil, context.configuration() == nil { return .configuration }
    do throws(SpoolError) {
      return try body(context)
    } catch {
      return context.report(error)
    }
  }

  /// The configuration; nil, and reported, where it is missing or wrong.
  func configuration() -> Configuration? {
    do throws(ConfigurationError) {
      return try command.configuration()
    } catch {
      command.report(error.explanation)
      return nil
    }
  }

  /// Does something to each of the entries that are named, as far as they are there.
  func each(_ body: (QueuedItem) throws(SpoolError) -> Void) throws(SpoolError) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for name in command.operands {
      guard let item = try item(name) else {
        statuses.append(.partial)
        continue
      }
      do throws(SpoolError) {
        try body(item)
      } catch {
        statuses.append(report(error))
      }
    }
    return ExitStatus.gravest(of: statuses)
  }

  /// The entry that is named by its name or a part of it; nil, and reported, unless there is one.
  ///
  /// With `--account` only the queues of those accounts are looked through.
  func item(_ name: String) throws(SpoolError) -> QueuedItem? {
    let accounts = command.globals.accounts
    let items = try outbox.items(matching: Array(name.utf8))
      .filter { accounts.isEmpty || accounts.contains($0.spool.account) }
    if let exact = items.first(where: { $0.id.description == name }) { return exact }
    guard let item = items.first, items.count == 1 else {
      command.report(
        place: name,
        items.isEmpty ? "no such entry" : "\(items.count) entries have that in their names",
        hint: items.isEmpty ? nil : "give more of the name"
      )
      return nil
    }
    return item
  }

  /// Reports what is wrong with a queue, and gives the status that says so.
  func report(_ error: SpoolError) -> ExitStatus { command.report(error.explanation) }
}
