import TestSupport
import Testing

/// Programs rename files as flags change: a name that is no longer right still names the message, for every command.
struct StaleNameTests {
  /// A command, and the file that the message has afterwards; nil for the one that it had.
  private struct Use: CustomTestStringConvertible {
    let command: [String]
    var file: String?
    var testDescription: String { command.joined(separator: " ") }

    init(_ command: String, leaves file: String? = nil) {
      self.command = command.split(separator: " ").map { "\($0)" }
      self.file = file
    }
  }

  private static let current = "INBOX/cur/name:2,FRS"

  private static let uses = [
    Use("show"), Use("show --json"), Use("show --format raw"), Use("reply --template"),
    Use("reply-all --template"), Use("reply --format json"), Use("forward --template"),
    Use("forward --as-attachment --template"),
    Use("attachments list"), Use("attachments save"), Use("attachments save --to ."),
    Use("attachments fetch"), Use("resume --template"),
    Use("read"), Use("unread", leaves: "INBOX/cur/name:2,FR"), Use("flag"),
    Use("unflag", leaves: "INBOX/cur/name:2,RS"),
    Use("archive", leaves: "Archive/cur/name:2,FRS"), Use("delete", leaves: "Trash/cur/name:2,FRS"),
    Use("junk", leaves: "Junk/cur/name:2,FRS"), Use("move Other", leaves: "Other/cur/name:2,FRS"),
    Use("copy Other"), Use("tag +work"), Use("tag -flagged", leaves: "INBOX/cur/name:2,RS"),
    Use("tag -inbox", leaves: "Archive/cur/name:2,FRS"), Use("mute"), Use("unmute"),
  ]

  private static let mail = """
    From: a@x.org
    To: b@x.org
    Subject: renamed
    Message-ID: <name@x>
    Content-Type: multipart/mixed; boundary=b

    --b

    text
    --b
    Content-Type: text/plain; name=a.txt
    Content-Disposition: attachment

    x
    --b--

    """

  private func stage() throws -> SearchStage {
    let stage = try SearchStage()
    for folder in ["INBOX", "Archive", "Trash", "Junk", "Other", "Drafts"] {
      try stage.makeFolder(folder)
    }
    try stage.search.home.write(Self.mail, to: "mail/\(Self.current)")
    let answer = "From: c@x.org\nMessage-ID: <answer@x>\nIn-Reply-To: <name@x>\n\nx\n"
    try stage.search.home.write(answer, to: "mail/INBOX/cur/answer:2,S")
    try stage.configureAccount()
    #expect(try stage.index().code == 0)
    return stage
  }

  /// What a command does that names the message by a word, in the directory of its file.
  private func outcome(_ use: Use, _ word: (SearchStage) -> String) throws -> [String] {
    let stage = try stage()
    let script = "cd \"$1\" && shift && exec \"$0\" \"$@\""
    let directory = "\(stage.mail)/INBOX/cur"
    let done = try Command(
      "bash",
      ["-c", script, stage.magnum.path, directory] + use.command + [word(stage)],
      environment: stage.search.command([]).environment
    ).run()
    #expect(done.code == 0, "\(use.testDescription): \(done)")
    let file = use.file ?? Self.current
    #expect(Files.exists("\(stage.mail)/\(file)"), "\(use.testDescription): \(done)")
    // Each has a home of its own, and its own time.
    let output = done.output.replacing(stage.search.home["."].dropLast(2), with: "HOME")
    return output.split(separator: "\n").map { "\($0)" }.filter { !$0.hasPrefix("Date: ") }
  }

  @Test(arguments: Self.uses) private func aFileIsFoundUnderItsNewName(_ use: Use) throws {
    let current = try outcome(use) { "\($0.mail)/\(Self.current)" }
    for name in ["INBOX/cur/name:2,", "INBOX/new/name", "INBOX/cur/name:2,FRST"] {
      #expect(try outcome(use) { "\($0.mail)/\(name)" } == current, "\(name)")
    }
    #expect(try outcome(use) { _ in "name:2,S" } == current)
  }

  /// Lines that programs give, as magnum-search prints them.
  @Test func linesOfStandardInputMayBeOld() throws {
    let stage = try stage()
    let script = "printf '%s\\n' \"$2/INBOX/cur/name:2,S\" | \"$1\" unflag -"
    let done = try Command(
      "bash",
      ["-c", script, "", stage.magnum.path, stage.mail],
      environment: stage.search.command([]).environment
    ).run()
    #expect(done.code == 0 && Files.exists("\(stage.mail)/INBOX/cur/name:2,RS"), "\(done)")
  }

  /// A file names the thread of its message.
  @Test func aThreadIsMutedByAFile() throws {
    let stage = try stage()
    let muted = try Command(
      stage.magnum.path,
      ["mute", "\(stage.mail)/INBOX/new/name"],
      environment: stage.search.command([]).environment
    ).run()
    #expect(muted.code == 0 && muted.output.hasPrefix("2 messages"), "\(muted)")
    #expect(try stage.search(["--count", "tag:muted"]).output == "2\n")
  }

  /// A message that is gone is named, and nothing else is taken for it.
  @Test(arguments: Self.uses) private func aFileThatIsGoneIsNamed(_ use: Use) throws {
    let stage = try stage()
    let file = "\(stage.mail)/INBOX/cur/nam:2,S"
    let gone = try Command(
      stage.magnum.path,
      use.command + [file],
      environment: stage.search.command([]).environment
    ).run()
    #expect(gone.code != 0 && gone.errors.contains("nam:2,S"), "\(gone)")
    #expect(Files.exists("\(stage.mail)/\(Self.current)"))
  }
}
