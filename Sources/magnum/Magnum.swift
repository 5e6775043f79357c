internal import ArgumentParser

/// The program magnum: what people do with mail at a terminal, a subcommand each.
@main
struct Magnum: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnum",
    abstract: "Work with mail at a terminal.",
    version: Version.text,
    subcommands: [QueueCommand.self]
  )
}
