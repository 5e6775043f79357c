internal import ArgumentParser
internal import Configuration
internal import Glibc
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// What all subcommands of `magnum queue` need: the spools, the console, words for what goes wrong.
struct QueueDesk {
  let console = Console()
  let outbox = Outbox(root: SpoolPlace.root(), user: geteuid())

  /// Runs a subcommand, and ends the program with its status.
  ///
  /// The queue needs no configuration; one that is named has to be there and right all the same.
  func run(
    config: Path?,
    _ body: (QueueDesk) throws(SpoolError) -> ExitStatus
  ) throws {
    Signals.ignoreBrokenPipe()
    var status = ExitStatus.success
    if let config, load(config) == nil { status = .configuration }
    do throws(SpoolError) {
      if status == .success { status = try body(self) }
    } catch {
      status = fail(error)
    }
    if console.finish() != nil { status = ExitStatus.gravest(of: [status, .output]) }
    FaultPoint.writeCount()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The configuration of that file, or of the well-known places; nil, and reported, where it is missing or wrong.
  func load(_ config: Path?) -> Configuration? {
    do throws(ConfigurationError) {
      return try Configuration.load(explicit: config)
    } catch {
      complain(error.place, error.message, hint: error.remedy)
      return nil
    }
  }

  /// Does something to each of the entries that are named, as far as they are there.
  func each(
    _ names: [String],
    _ body: (QueuedItem) throws(SpoolError) -> Void
  ) throws(SpoolError) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for name in names {
      guard let item = try item(name) else {
        statuses.append(.partial)
        continue
      }
      do throws(SpoolError) {
        try body(item)
      } catch {
        statuses.append(fail(error))
      }
    }
    return ExitStatus.gravest(of: statuses)
  }

  /// The entry that is named by its name or a part of it; `nil`, and said so, unless there is one.
  func item(_ name: String) throws(SpoolError) -> QueuedItem? {
    let items = try outbox.items(matching: Array(name.utf8))
    if let exact = items.first(where: { $0.id.description == name }) { return exact }
    guard let item = items.first, items.count == 1 else {
      complain(
        name,
        items.isEmpty ? "no such entry" : "\(items.count) entries have that in their names",
        hint: items.isEmpty ? nil : "give more of the name"
      )
      return nil
    }
    return item
  }

  func complain(_ place: String?, _ what: String, hint: String? = nil) {
    console.report(Diagnostic(program: "magnum queue", place: place, what: what, hint: hint))
  }

  private func fail(_ error: SpoolError) -> ExitStatus {
    let words = SpoolWords(error)
    complain(words.place, words.what, hint: words.hint)
    return words.status
  }
}
