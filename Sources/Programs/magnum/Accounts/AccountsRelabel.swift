internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import MailStore
internal import MailboxActions
internal import Octets
internal import Platform
internal import Restoration
internal import Spool
internal import SyncEngine
internal import SyncPlan
internal import SyncState
internal import Terminal

/// `magnum accounts relabel`: an account takes the messages of its former Maildir over, where labels are something else now.
struct AccountsRelabel {
  /// What its options ask for.
  struct Options {
    var source: String?
    var isDryRun = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "relabel",
      abstract: "Link the mail of a former Maildir into the new one, after labels was changed.",
      discussion: "The next sync fetches only what is missing. The former Maildir stays as it is.",
      initial: Options(),
      globals: [.config, .json, .quiet],
      options: [
        .text(
          "--from",
          value: "maildir",
          completion: .directories,
          sets: \.source,
          help: "The former Maildir of the account."
        ),
        .flag(
          "-n",
          "--dry-run",
          sets: \.isDryRun,
          help: "Print what would be done, and do nothing."
        ),
      ],
      operands: .one("account", completion: .names(.accounts)),
      check: { options, _ throws(UsageMistake) in
        guard options.source == nil else { return }
        throw UsageMistake("no former Maildir is given; use --from")
      },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in AccountsRelabel(options: options, context: context).linkMail() }
    )
  }

  private func linkMail() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration(relabel)
  }

  private func relabel(_ configuration: Configuration) throws(Explanation) -> ExitStatus {
    let account = try account(in: configuration)
    let source = try source(for: account)
    try RelabelCheck.check(source, for: account, among: configuration.accounts)
    let places = try places(of: account, configuration)
    let lock = options.isDryRun ? nil : try lock(account)
    defer { lock?.release() }
    let report = RelabelReport(context, account, source.root, isDryRun: options.isDryRun)
    let relabelling = Relabelling(
      source,
      to: account,
      among: configuration.accounts,
      places,
      isDryRun: options.isDryRun,
      interruption: .shared,
      progress: { report.showProgress($0) },
      observe: { report.show($0, $1) }
    )
    let counts = try relabelling.relabel()
    report.show(counts)
    if counts.isInterrupted { return .tryAgain }
    return counts.left + counts.changed > 0 ? .partial : .success
  }

  private func account(in configuration: Configuration) throws(Explanation) -> Account {
    let account = try configuration.accounts(named: context.operands)[0]
    guard account.server != nil else {
      throw Explanation(.usage, place: account.name, "this account has no server with labels")
    }
    return account
  }

  private func source(for account: Account) throws(Explanation) -> MaildirSource {
    do throws(MaildirSource.Mistake) {
      return try MaildirSource(
        Path(argument: options.source ?? ""),
        into: [],
        mirror: account.maildir,
        ownPlaces: [Environment.stateHome.appending("magnum"), SpoolPlace.system]
          + SpoolPlace.roots()
      )
    } catch {
      throw Self.explanation(error, account.name)
    }
  }

  private static func explanation(
    _ mistake: MaildirSource.Mistake,
    _ account: String
  ) -> Explanation {
    switch mistake {
    case .ownMirror(let path, let root):
      Explanation(
        .usage,
        place: path.display,
        "it is the maildir of '\(account)', contains it, or is part of it: \(root.display)",
        hint: "set a new maildir for '\(account)', and name the former one"
      )
    case .absent, .noDirectory, .noMaildir, .state, .system:
      RestorationWords.explanation(mistake, account)
    }
  }

  private func places(
    of account: Account,
    _ configuration: Configuration
  ) throws(Explanation) -> [LabelPlace] {
    do throws(SyncFailure) {
      return try SyncRun.labelPlaces(
        of: account,
        among: configuration.accounts,
        stateHome: Environment.stateHome,
        interruption: .shared
      )
    } catch {
      guard case .labels(.notOffered) = error, account.sync.labels == .folders else {
        throw error.explanation(account: account.name)
      }
      throw Explanation(
        .usage,
        place: account.name,
        "the server has no labels",
        hint: "this command is for servers with labels, such as Gmail"
      )
    }
  }

  /// No sync runs beside it.
  private func lock(_ account: Account) throws(Explanation) -> FileLock? {
    let store = AccountPlaces(of: account).store
    do throws(SystemError) {
      try FileSystem.makeDirectories(store.directory)
    } catch {
      throw Explanation(.cannotCreate, error.description)
    }
    do throws(SyncFailure) {
      return try store.lockBesideSync()
    } catch {
      throw error.explanation(account: account.name)
    }
  }
}
