internal import ArgumentParser
internal import Spool
internal import Submission

/// `magnum queue discard`.
struct QueueDiscard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Take entries away for ever, unsent."
  )

  @OptionGroup var global: ConfigurationOption

  @Argument(help: ArgumentHelp("The entries.", valueName: "entry"))
  var entries: [String]

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      try desk.each(entries) { (item) throws(SpoolError) in try desk.outbox.discard(item) }
    }
  }
}
