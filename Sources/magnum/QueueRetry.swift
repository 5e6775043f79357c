internal import ArgumentParser
internal import Spool
internal import Submission

/// `magnum queue retry`.
struct QueueRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Put failed entries back into the queue."
  )

  @OptionGroup var global: ConfigurationOption

  @Argument(help: ArgumentHelp("The entries.", valueName: "entry"))
  var entries: [String]

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      try desk.each(entries) { (item) throws(SpoolError) in try desk.outbox.retry(item) }
    }
  }
}
