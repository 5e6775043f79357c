internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import MailStore
internal import Maildir
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import SyncState
internal import Syncing

/// Has messages fetched whole whose attachments are only on the server: their mailboxes are synced, and their files exchanged.
struct AttachmentsFetch {
  private let files: [(file: MessageFile, account: Account)]
  private let configuration: Configuration
  private let context: CommandContext

  /// A fetch of the messages of files, each with the account in whose Maildir it lies.
  ///
  /// - Throws: that one is none of a mirrored account.
  init(
    _ files: [(file: MessageFile, account: Account)],
    _ configuration: Configuration,
    _ context: CommandContext
  ) throws(Explanation) {
    for (file, account) in files where account.server == nil {
      throw Self.unmirrored(file.path.display)
    }
    self.files = files
    self.configuration = configuration
    self.context = context
  }

  /// A fetch of a message that was found.
  ///
  /// - Throws: the same.
  init(
    _ found: MessageFinder.Found,
    _ configuration: Configuration,
    _ context: CommandContext
  ) throws(Explanation) {
    guard let file = found.file, let account = found.account else {
      throw Self.unmirrored(found.place)
    }
    try self.init([(file, account)], configuration, context)
  }

  private static func unmirrored(_ place: String) -> Explanation {
    Explanation(
      .data,
      place: place,
      "it lies in no Maildir of an account with a server, so that nothing of it can be fetched"
    )
  }

  /// Fetches, and reports the syncs that it takes.
  ///
  /// - Parameter form: how they are reported; nil for as the user asks for.
  /// - Throws: why a message is not whole.
  func fetchAttachments(reportedAs form: ReportForm? = nil) throws(Explanation) {
    Interruption.shared.watchSignals()
    let memory = ProblemMemory(stateHome: Environment.stateHome, isWatched: true, now: Clock.now())
    defer { memory.save() }
    let reporter = (form ?? context.reportForm).reporter(
      context.name,
      context.console,
      isDryRun: false,
      memory
    )
    var scope = AccompanyingWork.Scope()
    scope.sends = false
    let work = AccompanyingWork(configuration, accounts, scope, reporter) { context.report($0) }
    work.finishActs()
    let lacksRoom = Monitor(false)
    let reports = SyncRun.syncAccounts(
      accounts,
      of: configuration.accounts,
      options: options,
      stateHome: Environment.stateHome,
      interruption: .shared,
      before: { work.begin($0) },
      requests: { work.requests(of: $0) },
      arriving: { work.arriving($0) },
      postSync: { (account, report) throws(SyncFailure) in try work.runPostSync(account, report) },
      observer: { event in
        if case .problem(_, .mailbox(let problem)) = event.kind, case .noRoom = problem {
          lacksRoom.withLock { $0 = true }
        }
        work.handleEvent(event)
      }
    )
    let obstacle = obstacle(in: reports, lacksRoom: lacksRoom.withLock { $0 })
    for (file, _) in files { try check(file, obstacle) }
  }

  /// What status stands for a message that is not whole after these syncs, and what can be done.
  private func obstacle(
    in reports: [AccountReport],
    lacksRoom: Bool
  ) -> (status: ExitStatus, hint: String?) {
    if lacksRoom { return (.cannotCreate, nil) }
    switch ExitStatus.mostSevere(of: reports.map { ExitStatus($0.outcome) }) {
    case .success where reports.contains { $0.day != nil }:
      return (.tryAgain, "daily-limit is reached; a higher one lets it come today")
    case .success:
      let hint = "the server no longer has the message as it was, with what was attached"
      return (.unavailable, hint)
    case .tryAgain:
      return (.tryAgain, "they are fetched once the server can be reached; run it again then")
    case let status: return (status, nil)
    }
  }

  private var accounts: [Account] {
    let names = Set(files.map(\.account.name))
    return configuration.accounts.filter { names.contains($0.name) }
  }

  /// The directory of a file's mailbox, below the account's root.
  private static func folder(of file: MessageFile, _ account: Account) -> [UInt8] {
    let root = real(account.maildir).octets
    let directory = real(file.path.parent.parent).octets
    return Array(directory.dropFirst(root.count).drop { $0 == UInt8(ascii: "/") })
  }

  private static func real(_ path: Path) -> Path { (try? FileSystem.realPath(path)) ?? path }

  private var options: SyncOptions {
    var options = SyncOptions()
    var patterns: [String: [MailboxPattern]] = [:]
    for (file, account) in files {
      let tree = FolderTree(root: account.maildir, layout: account.layout)
      let folder = Self.folder(of: file, account)
      patterns[account.name, default: []].append(MailboxPattern(tree.naming.name(of: folder)))
      options.completions.append(
        SyncOptions.FileReference(
          account: account.name,
          folder: folder,
          name: FileName(file.path.lastComponent).base
        )
      )
    }
    options.selections = patterns.map { SyncOptions.Selection(account: $0.key, patterns: $0.value) }
    return options
  }

  private func check(
    _ file: MessageFile,
    _ obstacle: (status: ExitStatus, hint: String?)
  ) throws(Explanation) {
    guard let path = file.currentPath() else {
      throw Explanation(
        .unavailable,
        place: file.path.display,
        "the message is no longer on the server, or moved; its attachments cannot be fetched"
      )
    }
    let partial = PartialFiles(configuration.accounts)
    if (try? partial.isWhole(file: path, "not fetched")) == true { return }
    throw Explanation(
      obstacle.status,
      place: path.display,
      "its attachments could not be fetched",
      hint: obstacle.hint
    )
  }
}
