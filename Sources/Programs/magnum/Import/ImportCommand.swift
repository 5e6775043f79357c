internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import Platform
internal import Spool
internal import Terminal

/// `magnum import`: mail from files into folders.
struct ImportCommand {
  private let options: ImportOptions
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "import",
      abstract:
        "Bring mail from mbox files, .eml files and Maildirs into folders, each message once.",
      discussion:
        "Files, directories, or - for standard input. The status is 1 if a message is left out. "
        + "See magnum-import(1).",
      initial: ImportOptions(),
      globals: [.config, .json, .quiet],
      options: ImportOptions.table,
      operands: .many("source", minimum: 1, completion: .files),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in ImportCommand(options: options, context: context).importMail() }
    )
  }

  private func importMail() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.reporting { () throws(Explanation) in try importSources() }
  }

  private func importSources() throws(Explanation) -> ExitStatus {
    let wanted = try options.wanted()
    let configuration = try context.configuration(isNeeded: false)
    let target = try ImportTarget(
      options.target ?? "",
      configuration,
      byLabels: options.folders == .labels
    )
    let places =
      [Environment.stateHome.appending("magnum"), SpoolPlace.system] + SpoolPlace.roots()
    let search = try MailSearch(context.operands, target: target.root, ownPlaces: places)
    // Not held while standard input is waited for.
    let lock = options.isDryRun ? nil : try ImportLock.acquire()
    defer { lock?.release() }
    // All folders are looked at before anything is written.
    for source in search.sources { _ = try target.folder(source.levels) }
    guard try isConfirmed(search, target) else {
      context.console.writeNote("nothing is changed")
      return .partial
    }
    let output = ImportOutput(context, target, isDryRun: options.isDryRun)
    let run = MailImport(
      wanted,
      to: target,
      configuration,
      progress: { output.showProgress($0) },
      observe: { output.show($0) }
    )
    defer { context.console.drawFooter([]) }
    let counts: ImportCounts
    do throws(Explanation) {
      counts = try run.importMessages(search)
    } catch {
      if run.counts.read > 0 { output.show(run.counts, search) }
      throw error
    }
    output.show(counts, search)
    if !options.isDryRun, let unindexed = run.updateIndex() { context.report(unindexed) }
    if counts.isInterrupted { return .tryAgain }
    return counts.left > 0 ? .partial : .success
  }

  /// Asks a person where messages go to a server with the next sync.
  private func isConfirmed(
    _ search: MailSearch,
    _ target: ImportTarget
  ) throws(Explanation) -> Bool {
    guard let account = target.account, account.server != nil, !options.isDryRun,
      !options.isConfirmed, context.console.canAsk
    else { return true }
    let count = search.sources.count
    let size = search.octets > 0 ? " (\(HumanFormat.bytes(UInt64(search.octets))))" : ""
    return context.console.confirm(
      "import \(count) \(count == 1 ? "source" : "sources")\(size); the next sync of "
        + "\(account.name) uploads the messages. Go on?"
    )
  }
}

/// Keeps imports apart: one at a time.
enum ImportLock {
  static func acquire() throws(Explanation) -> FileLock? {
    let directory = Environment.stateHome.appending("magnum")
    do throws(SystemError) {
      try FileSystem.makeDirectories(directory)
      switch try FileLock.acquire(directory.appending("import.lock")) {
      case .acquired(let lock): return lock
      case .unsupported: return nil
      case .heldByOther:
        throw SystemError(operation: "flock", path: directory.appending("import.lock"), code: 11)
      }
    } catch {
      guard error.code == 11 else { throw Explanation(.cannotCreate, error.description) }
      throw Explanation(.tryAgain, "another import is running", hint: "try again when it has ended")
    }
  }
}
