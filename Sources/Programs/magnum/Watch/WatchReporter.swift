internal import MailModel
internal import CommandLine
internal import Platform
internal import Syncing
internal import Terminal
internal import Watch

/// Shows what happens in a watch, as text or as JSON.
struct WatchReporter: Sendable {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  private var console: Console { context.console }

  /// Whether a person or a program reads all that is reported.
  var isRead: Bool {
    console.errorTraits.isTerminal || context.globals.verbose || context.globals.json
  }

  /// What reports one sync.
  func syncReporter(_ memory: ProblemMemory) -> any Reporter {
    context.reportForm.reporter(context.name, console, isDryRun: false, memory)
  }

  /// Reports what happens beside the syncs.
  func reportEvent(_ event: WatchEvent) {
    if context.globals.json { return print(event) }
    switch event {
    case .listening(let account): writeNote("\(account): listening")
    case .waiting(let account, let seconds, true):
      // Nothing else says why mail does not come.
      let time = ClockTime.text(Clock.now() + Int64(seconds.rounded(.up)))
      context.report(
        place: account,
        "\(LoginState.limit) log-ins in the last hour, waits until \(time)",
        hint: "a server or network that ends connections causes this; -v shows each attempt"
      )
    case .waiting(let account, let seconds, false):
      writeNote("\(account): not connected, next attempt in \(HumanFormat.seconds(seconds))")
    case .reloaded: writeNote("configuration read anew")
    case .tooManyFolders(let account):
      context.report(
        place: account,
        "not all folders can be watched; changes here are found within a minute",
        hint: "raise fs.inotify.max_user_watches or max_user_instances, see sysctl(8)"
      )
    case .problem(let explanation): context.report(explanation)
    }
  }

  private func writeNote(_ text: String) {
    if context.globals.verbose { console.writeNote(text) }
  }

  private func print(_ event: WatchEvent) {
    var line = JSONLine()
    line.add("version", ReportForm.version)
    switch event {
    case .listening(let account):
      line.add("event", "listening")
      line.add("account", account)
    case .waiting(let account, let seconds, let isOutOfLogins):
      line.add("event", "waiting")
      line.add("account", account)
      line.add("seconds", Int(seconds.rounded(.up)))
      if isOutOfLogins { line.add("reason", "log-ins") }
    case .tooManyFolders(let account):
      line.add("event", "too-many-folders")
      line.add("account", account)
    case .reloaded: line.add("event", "reloaded")
    case .problem(let explanation):
      line.add("event", "problem")
      line.add("account", ifPresent: explanation.place)
      line.add("text", explanation.what)
      line.add("hint", ifPresent: explanation.hint)
    }
    console.print(octets: line.octets)
    console.flush()
  }
}
