internal import CommandLine

/// The program magnum: what people do with their mail, a subcommand each.
enum Magnum {
  static var program: SuiteProgram { SuiteProgram(command, named: "magnum") }

  static var command: CommandDefinition {
    CommandDefinition(
      "magnum",
      abstract: "Fetch, find, read, sort, write and send mail.",
      discussion: "See magnum(7), and a manual page for each subcommand, such as magnum-index(1).",
      subcommands: [
        IndexCommand.command, ShowCommand.command, QueueCommand.command, AccountsCommand.command,
        StatusCommand.command, WatchCommand.command, VerifyCommand.command,
        RestoreCommand.command, ImportCommand.command,
        ExportCommand.command, AttachmentsCommand.command, KeysCommand.command,
      ] + TriageCommand.all + TagCommand.all + [
        TagsCommand.command, SnoozeCommand.command, RemindCommand.command, RulesCommand.command,
        UnsubscribeCommand.command, InsertCommand.command, UndoCommand.command, LogCommand.command,
      ] + ComposeCommand.all + [
        InviteCommand.command,
        CommandDefinition(
          "sync",
          abstract: "Mirror IMAP mailboxes: magnum-sync(1).",
          program: MagnumSync.program
        ),
        CommandDefinition(
          "search",
          abstract: "Find messages: magnum-search(1).",
          program: MagnumSearch.program
        ),
        CommandDefinition(
          "send",
          abstract: "Send a message: magnum-send(1).",
          program: MagnumSend.program
        ),
        MCPCommand.command, CompleteCommand.command,
      ],
      otherNames: otherNames,
      groups: groups
    )
  }

  private static let groups: [(title: String, names: [String])] = [
    ("FETCH AND SEND", ["sync", "send", "watch", "queue", "status"]),
    ("FIND AND READ", ["search", "show", "attachments"]),
    (
      "SORT",
      [
        "read", "unread", "flag", "unflag", "archive", "delete", "junk", "notjunk", "move", "copy",
        "snooze", "remind", "insert", "tag", "tags", "mute", "unmute", "rules", "unsubscribe",
        "undo", "log",
      ]
    ),
    ("WRITE", ["compose", "reply", "reply-all", "forward", "invite", "resume"]),
    ("SET UP AND CHECK", ["accounts", "keys", "index", "verify", "restore", "import", "export"]),
    ("SERVE PROGRAMS", ["mcp"]),
  ]

  /// What mutt, notmuch, himalaya and the like call the same.
  private static let otherNames = [
    "rm": "delete", "del": "delete", "remove": "delete", "trash": "delete", "ls": "search",
    "list": "search", "find": "search", "inbox": "search tag:inbox", "new": "sync",
    "fetch": "sync", "pull": "sync", "spam": "junk", "ham": "notjunk", "star": "flag",
    "unstar": "unflag", "mv": "move", "cp": "copy", "mark": "read", "seen": "read",
    "write": "compose", "mail": "compose", "answer": "reply", "fwd": "forward",
    "init": "accounts add", "setup": "accounts add", "add": "accounts add",
    "login": "accounts login", "cat": "show", "view": "show", "open": "show",
    "reindex": "index", "outbox": "queue", "mailq": "queue", "drafts": "resume",
    "filter": "rules", "filters": "rules", "rule": "rules", "unsub": "unsubscribe",
    "later": "snooze", "defer": "snooze", "unsnooze": "snooze", "rsvp": "invite",
    "invitation": "invite",
  ]
}
