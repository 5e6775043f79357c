internal import ArgumentParser
internal import Spool
internal import Submission

/// `magnum queue hold`.
struct QueueHold: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold",
    abstract: "Stop entries of the queue until they are released."
  )

  @OptionGroup var global: ConfigurationOption

  @Argument(help: ArgumentHelp("The entries.", valueName: "entry"))
  var entries: [String]

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      try desk.each(entries) { (item) throws(SpoolError) in try desk.outbox.hold(item) }
    }
  }
}
