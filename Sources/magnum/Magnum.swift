internal import CommandLine
internal import Platform

/// The program magnum: what people do with their mail, a subcommand each.
@main
enum Magnum {
  static func main() {
    Program(command, version: Version.text(of: "magnum")).main()
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "magnum",
      abstract: "Read and keep mail at a terminal.",
      discussion: "See magnum(7), and a manual page for each subcommand, such as magnum-index(1).",
      subcommands: [
        IndexCommand.command, ShowCommand.command, QueueCommand.command, AccountsCommand.command,
        StatusCommand.command, WatchCommand.command, VerifyCommand.command,
        RestoreCommand.command, AttachmentsCommand.command,
      ] + TriageCommand.all + TagCommand.all + [
        TagsCommand.command, InsertCommand.command, UndoCommand.command, LogCommand.command,
      ] + ComposeCommand.all + [
        CommandDefinition(
          "sync",
          abstract: "Mirror IMAP mailboxes: magnum-sync(1).",
          program: "magnum-sync"
        ),
        CommandDefinition(
          "search",
          abstract: "Find messages: magnum-search(1).",
          program: "magnum-search"
        ),
        CommandDefinition(
          "send",
          abstract: "Send a message: magnum-send(1).",
          program: "magnum-send"
        ),
        CompleteCommand.command,
      ]
    )
  }
}
