internal import ArgumentParser
internal import Configuration
internal import Octets
internal import Platform
internal import SyncEngine
internal import Terminal

/// The program magnum-sync: options in, one run of the engine, its events out, an exit status.
@main
struct MagnumSync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnum-sync",
    abstract: "Mirror IMAP mailboxes into Maildir folders, once.",
    usage: "magnum-sync [options] [account | account/mailbox-pattern ...]",
    discussion: "Without arguments all accounts are synced. See magnum-sync(1).",
    version: Version.text
  )

  @Option(
    name: .long,
    help: ArgumentHelp("Read this configuration file.", valueName: "file"),
    completion: .file()
  )
  var config: String?

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and do nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Change nothing on the server, whatever the configuration says.")
  var pull = false

  @Flag(name: .long, help: "Look at every file and message, whatever the last run remembers.")
  var scan = false

  @Flag(name: .long, help: "Print events as JSON, one a line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print each step.")
  var verbose = false

  @Flag(name: .long, help: "Print the protocol, without secrets and message bodies.")
  var trace = false

  @Flag(name: .long, help: "List the server's mailboxes, and do nothing.")
  var listMailboxes = false

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp(
      "Let all deletions in this mailbox through, this once.",
      valueName: "account/mailbox"
    )
  )
  var allowMassDelete: [String] = []

  @Argument(
    help: ArgumentHelp(
      "What to sync; all accounts by default.",
      valueName: "account[/mailbox-pattern]"
    )
  )
  var targets: [String] = []

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    for target in allowMassDelete where target.split(separator: "/", maxSplits: 1).count < 2 {
      throw ValidationError("--allow-mass-delete wants ACCOUNT/MAILBOX, not \"\(target)\"")
    }
  }

  func run() throws {
    let status = SyncCommand(self).run()
    FaultPoint.writeCount()
    ProcessEnd.now(status: status.rawValue)
  }
}
