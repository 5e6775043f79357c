internal import MailModel
internal import CommandLine
internal import Configuration
internal import Platform
internal import Syncing
internal import Terminal
internal import Watch

/// `magnum watch`.
enum WatchCommand {
  static var command: CommandDefinition {
    CommandDefinition(
      "watch",
      abstract: "Keep running and sync whenever mail or files change.",
      discussion: "See magnum-watch(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet, .verbose],
      options: [
        .flag("--once", sets: \.once, help: "Exit after the first sync of a change."),
        .text(
          "--exec",
          value: "command",
          sets: \.exec,
          help: "Run a shell command after each sync that changed files."
        ),
        .text(
          "--poll",
          value: "seconds",
          sets: \.poll,
          help: "Look at all mailboxes in this interval (default 300)."
        ),
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the protocol, without secrets and message bodies."
        ),
      ],
      operands: .many("account", completion: .names(.accounts)),
      check: { (options, _) throws(UsageMistake) in _ = try options.interval() },
      run: { options, context in watchAccounts(options, context) }
    )
  }

  /// What the options ask for.
  struct Options {
    var once = false
    var exec: String?
    var poll: String?
    var trace = false

    /// The seconds between syncs where nothing is heard.
    func interval() throws(UsageMistake) -> Double {
      guard let poll else { return 300 }
      guard let seconds = Int(poll), (1...86_400).contains(seconds) else {
        throw UsageMistake("--poll needs a number of seconds from 1 to 86400, not \"\(poll)\"")
      }
      return Double(seconds)
    }
  }

  private static func watchAccounts(_ options: Options, _ context: CommandContext) -> ExitStatus {
    let reporter = WatchReporter(context)
    var setting = WatchSetting(
      stateHome: Environment.stateHome,
      configuration: { () throws(Explanation) in try context.neededConfiguration() },
      reporter: { reporter.syncReporter($0) },
      observer: { reporter.reportEvent($0) }
    )
    setting.accounts = context.accountsNamed
    setting.poll = (try? options.interval()) ?? setting.poll
    setting.isOnce = options.once
    setting.command = options.exec.map { .shell($0) }
    setting.isTracing = options.trace
    setting.isRead = reporter.isRead
    setting.reportsAll = context.globals.json || context.globals.verbose
    return WatchRun(setting).watchAccounts()
  }
}
