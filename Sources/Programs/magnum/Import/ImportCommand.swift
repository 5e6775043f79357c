internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import Mbox
internal import Octets
internal import Platform
internal import Spool
internal import Terminal
internal import Triage

/// `magnum import`: mail from files into folders.
struct ImportCommand {
  struct Options {
    var target: String?
    var kind = MboxKind.auto
    var tags: [String] = []
    var keepsFields = false
    var isUnread = false
    var includesDeleted = false
    var again = false
    var isDryRun = false
    var isConfirmed = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "import",
      abstract:
        "Bring mail from mbox files, .eml files and Maildirs into folders, each message once.",
      discussion:
        "Files, directories, or - for standard input. The status is 1 if a message is left out. "
        + "See magnum-import(1).",
      initial: Options(),
      globals: [.config, .json, .quiet],
      options: table,
      operands: .many("source", minimum: 1, completion: .files),
      check: { (options, line) throws(UsageMistake) in try check(options, line) },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in ImportCommand(options: options, context: context).importMail() }
    )
  }

  private static var table: [CommandOption<Options>] {
    [
      .text(
        "--to",
        value: "place",
        completion: .names(.mailboxes),
        sets: \.target,
        help: "ACCOUNT/FOLDER, or the path of a Maildir that belongs to no account."
      ),
      .choice(
        "--mbox-kind",
        value: "kind",
        sets: \.kind,
        help: "The rules by which the mbox was written; auto: told message by message."
      ),
      .texts(
        "--tag",
        value: "tag",
        completion: .names(.tags),
        addsTo: \.tags,
        help: "Set this tag on all messages that are added."
      ),
      .flag(
        "--keep-fields",
        sets: \.keepsFields,
        help: "Leave fields of mail programs, such as Status, in the messages."
      ),
      .flag(
        "--unread",
        sets: \.isUnread,
        help: "Messages are unread unless something marks them as read."
      ),
      .flag(
        "--with-deleted",
        sets: \.includesDeleted,
        help: "Include messages that were deleted and are still in their file."
      ),
      .flag("--again", sets: \.again, help: "Add messages even if they are already there."),
      .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print what would be done, and do nothing."),
      .flag("--yes", sets: \.isConfirmed, help: "Do not ask for confirmation."),
    ]
  }

  private static func check(_ options: Options, _ line: ParsedLine) throws(UsageMistake) {
    guard options.target != nil else { throw UsageMistake("no place is given; use --to") }
    if line.operands.contains("-"), line.operands.count > 1 {
      throw UsageMistake("- cannot be combined with other sources")
    }
  }

  private func importMail() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.reporting { () throws(Explanation) in try importSources() }
  }

  private func importSources() throws(Explanation) -> ExitStatus {
    let wanted = try carriageOptions()
    let configuration = try context.configuration(isNeeded: false)
    let target = try ImportTarget(options.target ?? "", configuration)
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
    let counts = try run.importMessages(search)
    output.show(counts, search)
    if !options.isDryRun, let unindexed = run.updateIndex() { context.report(unindexed) }
    if counts.isInterrupted { return .tryAgain }
    return counts.left > 0 ? .partial : .success
  }

  /// - Throws: that a word is no tag that all messages can get.
  private func carriageOptions() throws(Explanation) -> MailImportOptions {
    let tags = try TagEdit(options.tags.map { "+" + $0 })
    guard !tags.isMoving else {
      throw Explanation(
        .usage,
        "the tag \"inbox\" says where a message is",
        hint: "--to names the folder"
      )
    }
    var wanted = MailImportOptions()
    wanted.kind = options.kind
    wanted.keepsFields = options.keepsFields
    wanted.isUnread = options.isUnread
    wanted.includesDeleted = options.includesDeleted
    wanted.again = options.again
    wanted.tags = tags.added
    wanted.marks = tags.marks
    wanted.isDryRun = options.isDryRun
    return wanted
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
    let question =
      "import \(count) \(count == 1 ? "source" : "sources")\(size); the next sync of "
      + "\(account.name) uploads the messages. Go on? [y/N] "
    return context.console.ask(question).map { ["y", "yes"].contains($0.lowercased()) } ?? false
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
