internal import ArgumentParser
internal import MailModel
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// `magnum index`: makes and mends indexes.
struct IndexSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Make mail searchable: take in what is new, or make the index anew.",
    discussion: "Without a directory the Maildirs of all accounts. See magnum-index(1)."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Make the index anew; the old one answers meanwhile.")
  var rebuild = false

  @Flag(name: .long, help: "Read every directory, trusting no times.")
  var scan = false

  @Flag(name: .long, help: "Look for damage, and change nothing.")
  var check = false

  @Flag(name: .long, help: "Write the index anew without gaps.")
  var compact = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Option(name: .long, help: ArgumentHelp("Wait so long for another writer.", valueName: "seconds"))
  var wait = 10.0

  @Option(name: .long, help: "Which mail without references a subject links to a thread.")
  var subjectThreading: SubjectThreading?

  @Argument(
    help: ArgumentHelp("A Maildir, or the directory above some.", valueName: "directory"),
    completion: .directory
  )
  var directory: String?

  func validate() throws {
    let modes = [rebuild, scan, check, compact].filter { $0 }.count
    if modes > 1 {
      throw ValidationError("--rebuild, --scan, --check and --compact exclude each other")
    }
    if directory != nil, global.path != nil {
      throw ValidationError("a directory and --config exclude each other")
    }
  }

  func run() throws {
    let status = IndexCommand(self).run()
    FaultPoint.writeCount()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

extension SubjectThreading: ExpressibleByArgument {}
