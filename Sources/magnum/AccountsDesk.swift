internal import ArgumentParser
internal import Configuration
internal import Platform
internal import Terminal

/// What commands about accounts need: the configuration, the console, an end with a status.
struct AccountsDesk {
  let program: String
  let console = Console()

  /// Runs a command with the configuration, and ends the program with its status.
  func run(config: Path?, _ body: (Configuration) -> ExitStatus) throws {
    Signals.ignoreBrokenPipe()
    var status: ExitStatus
    do throws(ConfigurationError) {
      status = body(try Configuration.load(explicit: config))
    } catch {
      complain(error.place, error.message, hint: error.remedy)
      status = .configuration
    }
    if console.finish() != nil { status = ExitStatus.gravest(of: [status, .output]) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The names of the accounts that are meant, all of them where none is named; says which there are not.
  func names(
    _ wanted: [String],
    in configuration: Configuration
  ) -> (names: [String], status: ExitStatus) {
    var all = configuration.accounts.map(\.name)
    all += configuration.senders.map(\.name).filter { !all.contains($0) }
    var status = ExitStatus.success
    for name in wanted where !all.contains(name) {
      complain(name, "no such account", hint: "there are: \(all.joined(separator: ", "))")
      status = .usage
    }
    return (wanted.isEmpty ? all : all.filter { wanted.contains($0) }, status)
  }

  func complain(_ place: String?, _ what: String, hint: String? = nil) {
    console.report(Diagnostic(program: program, place: place, what: what, hint: hint))
  }
}
