internal import ArgumentParser
internal import Spool
internal import Submission

/// `magnum queue release`.
struct QueueRelease: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Let entries go on that are held."
  )

  @OptionGroup var global: ConfigurationOption

  @Argument(help: ArgumentHelp("The entries.", valueName: "entry"))
  var entries: [String]

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      try desk.each(entries) { (item) throws(SpoolError) in try desk.outbox.release(item) }
    }
  }
}
