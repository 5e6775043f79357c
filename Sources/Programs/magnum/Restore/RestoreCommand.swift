internal import CommandLine
internal import Configuration
internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Outgoing
internal import Platform
internal import Restoration
internal import Spool
internal import Terminal

/// `magnum restore`.
struct RestoreCommand {
  /// What its options ask for.
  struct Options {
    var account: String?
    var prefix: String?
    var isDryRun = false

    /// The levels of the mailbox below which everything goes; none where it is the server's top level.
    func levels() throws(UsageMistake) -> [[UInt8]] {
      guard let prefix else { return [] }
      let levels = prefix.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
      guard levels.allSatisfy({ !$0.isEmpty }) else {
        throw UsageMistake("--into needs a mailbox such as Archive/2019, not \"\(prefix)\"")
      }
      return levels.map(Array.init)
    }

    /// The account; `others` are those that `--account` names.
    func account(_ others: [String]) throws(UsageMistake) -> String {
      let named = Set(others + [account].compactMap { $0 })
      guard let name = named.first else { throw UsageMistake("no account is given; use --to") }
      guard named.count == 1 else { throw UsageMistake("a restore has one account") }
      return name
    }
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "restore",
      abstract: "Upload a Maildir to a server, each message once, and verify that it arrived.",
      discussion: "The status is 1 if anything is not there. See magnum-restore(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet, .verbose],
      options: [
        .text(
          "--to",
          value: "account",
          completion: .names(.accounts),
          sets: \.account,
          help: "The account to whose server it is uploaded."
        ),
        .text(
          "--into",
          value: "mailbox",
          sets: \.prefix,
          help: "Put everything below this mailbox of the server."
        ),
        .flag(
          "-n",
          "--dry-run",
          sets: \.isDryRun,
          help: "Print what would be done, and do nothing."
        ),
      ],
      operands: .one("maildir", completion: .directories),
      check: { (options, line) throws(UsageMistake) in
        _ = try options.levels()
        _ = try options.account(line.globals.accounts)
      },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in RestoreCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration(restoreAccount)
  }

  private func restoreAccount(_ configuration: Configuration) throws(Explanation) -> ExitStatus {
    let account = try account(in: configuration)
    let status = restore(try source(for: account), to: account, of: configuration.accounts)
    return ExitStatus.mostSevere(of: [status, reportForeignMail()])
  }

  /// Names mail of other kinds that lies beside the Maildirs, and is not restored.
  private func reportForeignMail() -> ExitStatus {
    let directory = Path(argument: context.operands[0])
    let mail = ForeignMail(below: directory)
    guard mail.total > 0 else { return .success }
    let files = mail.total == 1 ? "file" : "files"
    let place = (try? options.account(context.globals.accounts)) ?? "ACCOUNT"
    return context.report(
      Explanation(
        .partial,
        place: directory.display,
        "not restored, since it is in no Maildir: \(mail.total) \(files) of mail (\(mail.text))",
        hint: "magnum import SOURCE --to \(place)/FOLDER brings it in"
      )
    )
  }

  private func account(in configuration: Configuration) throws(Explanation) -> Account {
    let name = (try? options.account(context.globals.accounts)) ?? ""
    guard let account = configuration.account(named: name) else {
      throw Explanation(unknownAccount: name, known: configuration.accounts.map(\.name))
    }
    guard account.server != nil else {
      throw Explanation(
        .usage,
        place: name,
        "this account has no server to restore to",
        hint: "set \"imap\" in its section; see magnum-config(5)"
      )
    }
    return account
  }

  private func source(for account: Account) throws(Explanation) -> MaildirSource {
    do throws(MaildirSource.Mistake) {
      return try MaildirSource(
        Path(argument: context.operands[0]),
        into: (try? options.levels()) ?? [],
        mirror: account.maildir,
        ownPlaces: [Environment.stateHome.appending("magnum"), SpoolPlace.system]
          + SpoolPlace.roots()
      )
    } catch {
      throw RestorationWords.explanation(error, account.name)
    }
  }

  private func restore(
    _ source: MaildirSource,
    to account: Account,
    of configured: [Account]
  ) -> ExitStatus {
    let show = RestorationOutput(context, account.name, isDryRun: options.isDryRun)
    let restoration = AccountRestoration(
      source,
      to: account,
      of: configured,
      isDryRun: options.isDryRun,
      stateHome: Environment.stateHome,
      interruption: .shared,
      observer: { show.event($0) }
    )
    let report = restoration.restoreAccount()
    show.report(report)
    if let failure = report.failure {
      return context.report(failure.explanation(account: account.name))
    }
    return report.isComplete ? .success : .partial
  }
}
