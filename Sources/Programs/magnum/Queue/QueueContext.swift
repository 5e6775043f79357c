internal import MailModel
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

  let outboxes = SpoolPlace.roots().map { Outbox(root: $0, user: geteuid()) }

  var console: Console { command.console }

  /// Runs a subcommand, and gives its status.
  ///
  /// The queue needs no configuration; one that is named has to be there and right all the same.
  static func runSubcommand(
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
    do throws(Explanation) {
      return try command.neededConfiguration()
    } catch {
      command.report(error)
      return nil
    }
  }

  /// Does something to each of the entries that are named, as far as they are there.
  func each(
    in states: [EntryState],
    _ body: (Outbox, QueuedItem) throws(SpoolError) -> ExitStatus
  ) throws(SpoolError) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for name in command.operands { statuses.append(try with(name, in: states, body)) }
    return ExitStatus.mostSevere(of: statuses)
  }

  /// Does something, with the rights of the user who owns it, to the entry that is named by its name or a part of it; what
  /// is wrong is reported.
  func with(
    _ name: String,
    in states: [EntryState] = EntryState.wanted,
    _ body: (Outbox, QueuedItem) throws(SpoolError) -> ExitStatus
  ) throws(SpoolError) -> ExitStatus {
    guard let (outbox, item) = find(name, states) else { return .partial }
    do throws(SpoolError) {
      return try outbox.asUser { () throws(SpoolError) in try body(outbox, item) }
    } catch {
      return report(error)
    }
  }

  /// The entry that is named; nil, and reported, unless there is one.
  ///
  /// With `--account` only the queues of those accounts are looked through. Root sees those of the system's users, too.
  private func find(_ name: String, _ states: [EntryState]) -> (Outbox, QueuedItem)? {
    guard !name.isEmpty else {
      // It is a part of every name.
      command.report("\"\" names no entry", hint: "see: magnum queue list")
      return nil
    }
    if let exact = exact(name, states, in: outboxes) { return exact }
    var found = items(in: outboxes, name, states)
    if found.isEmpty, UserIdentity.effective == 0 {
      if let exact = exact(name, states, in: Outbox.shared) { return exact }
      found = items(in: Outbox.shared, name, states)
    }
    guard let only = found.first, found.count == 1 else {
      report(name, found.count, states)
      return nil
    }
    return only
  }

  private func report(_ name: String, _ count: Int, _ states: [EntryState]) {
    guard count == 0 else {
      let words = "\(count) entries have that in their names"
      return command.report(place: name, words, hint: "give more of the name")
    }
    let isWanted = states == EntryState.wanted
    command.report(
      place: name,
      "no such entry",
      hint: isWanted ? "what is sent is no longer there: magnum queue list shows what is" : nil
    )
  }

  /// The entry of exactly that name; nil where it is not there, or the queues cannot be read.
  ///
  /// Commands may name thousands of entries: none of them needs the names of all others.
  private func exact(
    _ name: String,
    _ states: [EntryState],
    in outboxes: [Outbox]
  ) -> (Outbox, QueuedItem)? {
    guard let id = EntryID(name.utf8) else { return nil }
    let accounts = command.globals.accounts
    for outbox in outboxes {
      let item = try? outbox.asUser { () throws(SpoolError) in
        try outbox.item(id, of: accounts.isEmpty ? nil : accounts, in: states)
      }
      if let item { return (outbox, item) }
    }
    return nil
  }

  private func items(
    in outboxes: [Outbox],
    _ name: String,
    _ states: [EntryState]
  ) -> [(outbox: Outbox, item: QueuedItem)] {
    let accounts = command.globals.accounts
    return outboxes.flatMap { outbox in
      listing(of: outbox, accounts.isEmpty ? nil : accounts, Array(name.utf8), in: states)
        .items.map { (outbox, $0) }
    }
  }

  /// What is in queues; those that cannot be read are reported.
  func listing(
    of outbox: Outbox,
    _ accounts: [String]? = nil,
    _ text: [UInt8] = [],
    in states: [EntryState] = EntryState.wanted
  ) -> QueueListing {
    do throws(SpoolError) {
      let listing = try outbox.asUser { () throws(SpoolError) in
        try outbox.listing(of: accounts, matching: text, in: states)
      }
      for problem in listing.problems { _ = report(problem.error) }
      return listing
    } catch {
      _ = report(error)
      return QueueListing(error)
    }
  }

  /// Reports what is wrong with a queue, and gives the status that says so.
  func report(_ error: SpoolError) -> ExitStatus { command.report(error.explanation) }
}
