internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import SyncState
internal import Terminal

/// `magnum queue cancel`: a message that is not sent yet becomes a draft again.
struct QueueCancel {
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "cancel",
      abstract: "Move unsent messages from the queue back to Drafts.",
      initial: NoOptions(),
      globals: [.config, .account, .json, .quiet],
      options: [],
      operands: .many("entry", minimum: 1, completion: .names(.entries)),
      run: { _, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in
          try QueueCancel(queue: queue).run()
        }
      }
    )
  }

  private func run() throws(SpoolError) -> ExitStatus {
    guard let configuration = queue.configuration() else { return .configuration }
    var statuses: [ExitStatus] = []
    for name in queue.command.operands {
      if let gone = reportGone(name) {
        statuses.append(gone)
        continue
      }
      statuses.append(
        try queue.with(name) { (outbox, item) throws(SpoolError) in
          try cancel(item, outbox, configuration)
        }
      )
    }
    return ExitStatus.mostSevere(of: statuses)
  }

  private func cancel(
    _ item: QueuedItem,
    _ outbox: Outbox,
    _ configuration: Configuration
  ) throws(SpoolError) -> ExitStatus {
    let place = "\(item.id)"
    guard let account = configuration.account(named: item.spool.account) else {
      queue.command.report(
        place: place,
        "the account has no maildir for drafts",
        hint: "magnum queue discard takes it out of the queue"
      )
      return .partial
    }
    var uncovering = DraftUncovering(configuration, item.spool.account, queue.command)
    uncovering.agent = item.content?.entry.action.agent
    let keeper = DraftKeeper(account, PartialFiles(configuration.accounts), uncovering)
    let outcome: Cancellation
    do throws(SpoolError) {
      outcome = try outbox.cancel(item, write: keeper.write)
    } catch {
      guard error.isOfOtherProcess else { throw error }
      return reportBusy(item)
    }
    if let problem = keeper.problem { return queue.command.report(problem) }
    if case .done = outcome {
      say(item, keeper.path)
      if let unindexed = keeper.unindexed { queue.command.report(unindexed) }
      return .success
    }
    let (words, hint) = Self.reason(outcome)
    queue.command.report(place: place, words, hint: hint)
    return .partial
  }

  /// Says of an entry that a person took out of the queue what became of it; nil where it is to be looked for.
  private func reportGone(_ name: String) -> ExitStatus? {
    guard let id = EntryID(name.utf8) else { return nil }
    for outbox in queue.outboxes {
      for spool in (try? outbox.spools()) ?? [] {
        guard let outcome = try? outbox.outcome(of: id, in: spool.account) else { continue }
        switch outcome {
        case .done: continue
        case .present(let item) where item.id == id && item.state != .discarded: return nil
        case .present, .cancelled: break
        }
        let (words, hint) = Self.reason(.ended(outcome))
        queue.command.report(place: name, words, hint: hint)
        return .partial
      }
    }
    return nil
  }

  /// Another program works on this very message, or has the queue for long.
  private func reportBusy(_ item: QueuedItem) -> ExitStatus {
    var isSending = false
    if case .sending = (try? item.spool.log(of: item.id))?.last?.fact { isSending = true }
    queue.command.report(
      place: "\(item.id)",
      isSending
        ? "not cancelled: it is being sent"
        : "not cancelled: another program works on it, and may send it",
      hint: "magnum queue list shows what became of it"
    )
    return .tryAgain
  }

  /// Why a message was not taken back, and what else there is.
  private static func reason(_ outcome: Cancellation) -> (words: String, hint: String?) {
    let others = "magnum queue discard gives it up; magnum queue edit sends it to others"
    switch outcome {
    case .done, .notKept: return ("not cancelled", nil)
    case .noMessage: return ("it is no message to be sent", "magnum queue discard gives it up")
    case .sentOn:
      return (
        "it is sent on: a draft would go to the recipients of the message itself",
        "magnum queue discard gives it up, hold stops it, edit sends it to others"
      )
    case .namesOthers(let name):
      return (
        "a draft would go to \(Printable.text(name)), whom it names and to whom it is not sent",
        "magnum queue discard gives it up, hold stops it, edit --message gives it other fields"
      )
    case .othersHaveIt: return ("too late: other recipients have it", others)
    case .mayBeSent:
      return ("too late: the server may have it: it did not answer the end of the message", others)
    case .ended(.done): return ("too late: it is sent", nil)
    case .ended(.cancelled): return ("it was cancelled already", "it is among the drafts")
    case .ended(.present(let item)) where item.state == .discarded:
      return ("it was discarded", "magnum queue undiscard \(item.id), then cancel it")
    case .ended(.present(let item)):
      return ("another version took its place", "magnum queue cancel \(item.id)")
    }
  }

  private func say(_ item: QueuedItem, _ path: Path?) {
    if queue.command.globals.json {
      queue.console.print(octets: ChangeLine(item, "cancel").json.octets)
    } else if !queue.command.globals.quiet {
      let file = path.map { "  \($0.display)" } ?? ""
      queue.console.print("cancelled \(item.id)\(file)")
    }
  }
}

/// Makes a draft of a message that is taken back.
private final class DraftKeeper {
  /// The file of the draft; nil where there is none.
  private(set) var path: Path?

  /// Why searches do not find it yet; nil where they do.
  private(set) var unindexed: Explanation?

  /// What kept it from being made; nil where nothing did.
  private(set) var problem: Explanation?

  private let account: Account
  private let partial: PartialFiles
  private let uncovering: DraftUncovering

  init(_ account: Account, _ partial: PartialFiles, _ uncovering: DraftUncovering) {
    self.account = account
    self.partial = partial
    self.uncovering = uncovering
  }

  /// Writes the draft, or finds one that was made when an attempt was cut short.
  func write(_ message: any OctetSource, _ begun: [UInt8]?) -> WrittenDraft? {
    do throws(Explanation) {
      let folder = try DraftsFolder(of: account)
      if let begun, let file = folder.file(named: begun) {
        path = file
        // The process that wrote it may have been stopped before it was durable.
        return WrittenDraft(name: begun) { folder.synchronise(file) ? true : nil }
      }
      let draft = try folder.write(try uncovering.draft(of: message), partial)
      return WrittenDraft(name: draft.name) { self.place(draft, folder) }
    } catch {
      problem = error
      return nil
    }
  }

  private func place(_ draft: FolderDelivery.Written, _ folder: DraftsFolder) -> Bool? {
    do throws(Explanation) {
      let placed = try folder.place(draft)
      (path, unindexed) = (placed.file, placed.unindexed)
      return true
    } catch {
      problem = error
      // It may not outlive a power failure.
      return folder.file(named: draft.name) == nil ? false : nil
    }
  }
}

/// What was done to an entry, for a program.
struct ChangeLine {
  private let item: QueuedItem
  /// The name of the subcommand that did it.
  private let change: String
  /// The entry that it was done to, or that has taken its place.
  private let id: EntryID
  private let isNew: Bool

  init(_ item: QueuedItem, _ change: String, of id: EntryID? = nil) {
    self.item = item
    self.change = change
    self.id = id ?? item.id
    isNew = false
  }

  init(_ item: QueuedItem, _ change: String, new id: EntryID) {
    self.item = item
    self.change = change
    self.id = id
    isNew = true
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("change", change)
    line.add("id", "\(id)")
    line.add("account", item.spool.account)
    line.add("replaces", ifPresent: isNew ? "\(item.id)" : nil)
    return line
  }
}
