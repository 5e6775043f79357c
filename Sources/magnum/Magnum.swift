internal import ArgumentParser

/// The program magnum: what people do with their mail, a subcommand each.
@main
struct Magnum: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnum",
    abstract: "Read and keep mail at a terminal.",
    discussion: "See magnum(7), and a manual page for each subcommand, such as magnum-index(1).",
    version: Version.text,
    subcommands: [
      IndexSubcommand.self, ShowSubcommand.self, QueueCommand.self, AccountsCommand.self,
      StatusCommand.self,
    ]
  )

  @OptionGroup var global: ConfigurationOption
}
