internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import MailStore
internal import Maildir
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import SyncEvents
internal import Syncing

/// Has a message fetched whole whose attachments are only on the server: its mailbox is synced, and its file exchanged.
struct AttachmentsFetch {
  private let file: MessageFile
  private let account: Account
  private let configuration: Configuration
  private let context: CommandContext

  /// A fetch of the message of a file.
  ///
  /// - Throws: that it is none of a mirrored account.
  init(
    _ found: MessageFinder.Found,
    _ configuration: Configuration,
    _ context: CommandContext
  ) throws(Explanation) {
    guard let file = found.file, let account = found.account, account.server != nil else {
      throw Explanation(
        .data,
        place: found.place,
        "it lies in no Maildir of an account with a server, so that nothing of it can be fetched"
      )
    }
    self.file = file
    self.account = account
    self.configuration = configuration
    self.context = context
  }

  /// Fetches.
  ///
  /// - Returns: where the file is now.
  /// - Throws: why the message is not whole.
  func run() throws(Explanation) -> Path {
    Interruption.shared.watchSignals()
    let memory = ProblemMemory(stateHome: Environment.stateHome, isWatched: true, now: Clock.now())
    defer { memory.save() }
    let reporter = context.reportForm.reporter(
      context.name,
      context.console,
      isDryRun: false,
      memory
    )
    var scope = SideWork.Scope()
    scope.sends = false
    let work = SideWork(configuration, [account], scope, reporter) { context.report($0) }
    work.finishActs()
    let lacksRoom = Monitor(false)
    let reports = SyncRun.run(
      [account],
      of: configuration.accounts,
      options: options,
      stateHome: Environment.stateHome,
      interruption: .shared,
      before: { work.begin($0) },
      requests: { work.requests(of: $0) },
      news: { work.news($0, $1) },
      observer: { event in
        if case .problem(_, .mailbox(let problem)) = event.kind, case .noRoom = problem {
          lacksRoom.withLock { $0 = true }
        }
        work.take(event)
      }
    )
    let status = ExitStatus.gravest(of: reports.map { ExitStatus($0.outcome) })
    return try result(lacksRoom.withLock { $0 } ? .cannotCreate : status)
  }

  /// The directory of the file's mailbox, below the account's root.
  private var folder: [UInt8] {
    let root = Self.real(account.maildir).octets
    let directory = Self.real(file.path.parent.parent).octets
    return Array(directory.dropFirst(root.count).drop { $0 == UInt8(ascii: "/") })
  }

  private static func real(_ path: Path) -> Path { (try? FileSystem.realPath(path)) ?? path }

  private var options: SyncOptions {
    let tree = FolderTree(root: account.maildir, layout: account.layout)
    var options = SyncOptions()
    let pattern = MailboxPattern(tree.naming.name(of: folder))
    options.selections = [SyncOptions.Selection(account: account.name, patterns: [pattern])]
    options.completions = [
      SyncOptions.FileReference(
        account: account.name,
        folder: folder,
        name: FileName(file.path.lastComponent).base
      )
    ]
    return options
  }

  private func result(_ status: ExitStatus) throws(Explanation) -> Path {
    guard let path = file.currentPath() else {
      throw Explanation(
        .unavailable,
        place: file.path.display,
        "the message is no longer on the server, or moved; its attachments cannot be fetched"
      )
    }
    if (try? WholeMessage.check(file: path, "not fetched")) != nil { return path }
    throw Explanation(
      status == .success ? .unavailable : status,
      place: path.display,
      "its attachments could not be fetched",
      hint: status == .tryAgain
        ? "they are fetched once the server can be reached; run it again then" : nil
    )
  }
}
