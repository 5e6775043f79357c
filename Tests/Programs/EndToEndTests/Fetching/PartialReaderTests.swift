import TestSupport
import Testing

/// Other programs show messages that were mirrored without their attachments, and name these.
@Suite struct PartialReaderTests {
  private func stage() throws -> (Stage, file: String) {
    let stage = try Stage()
    try stage.imap.append(SizeLimitTests.large("report"), flags: "\\Seen")
    try stage.configure(sync: "size-limit = \"100kB\"")
    try stage.syncWell()
    let folder = "\(stage.maildir)/INBOX/cur/"
    let name = try #require(Files.names(in: folder).first)
    return (stage, folder + String(decoding: name, as: UTF8.self))
  }

  @Test(arguments: ["mutt", "neomutt"])
  func mutt(_ program: String) throws {
    let (stage, _) = try stage()
    let home = try TempDirectory(program)
    let saved = home["shown"]
    let pager = try home.write("#!/bin/sh\ncp \"$1\" '\(saved)'\n", to: "pager", mode: 0o755)
    let settings = try home.write(
      """
      set pager="\(pager)" prompt_after=no
      set folder="\(stage.maildir)" spoolfile="+INBOX" mbox_type=Maildir sleep_time=0 wait_key=no
      set quit=yes pipe_decode=yes move=no

      """,
      to: "muttrc"
    )
    let keys = "<display-message><quit>"
    let words = ["-n", "-F", settings, "-f", "\(stage.maildir)/INBOX", "-e", "push '\(keys)'"]
    var command = Command(program, words)
    command.environment["TERM"] = "xterm"
    command.environment["LC_ALL"] = "C.UTF-8"
    command.environment["HOME"] = home.path
    command.isOnTerminal = true
    command.timeLimit = 10
    let outcome = try command.run()
    try #require(outcome.code == 0, "\(outcome)")
    let text = Files.text(saved) ?? ""
    #expect(text.contains("the text of report"), "\(text)")
    #expect(text.contains("report.pdf"), "\(text)")
    #expect(text.contains("x-magnum"), "\(text)")
  }

  @Test func notmuch() throws {
    let (stage, _) = try stage()
    let home = try TempDirectory("notmuch")
    try home.write("[database]\npath=\(stage.maildir)\n[user]\nname=x\n", to: "config")
    var environment = Command.ownEnvironment
    environment["NOTMUCH_CONFIG"] = home["config"]
    environment["HOME"] = home.path
    func run(_ words: String...) throws -> Outcome {
      let outcome = try Command("notmuch", words, environment: environment).run()
      try #require(outcome.code == 0, "\(words): \(outcome)")
      return outcome
    }
    _ = try run("new", "--quiet")
    let shown = try run("show", "subject:report").output
    #expect(shown.contains("the text of report"), "\(shown)")
    #expect(shown.contains("message/external-body"), "\(shown)")
    let raw = try run("show", "--part=3", "--format=raw", "subject:report").output
    #expect(raw.contains("report.pdf"), "\(raw)")
  }

  @Test func mblaze() throws {
    let (stage, file) = try stage()
    defer { withExtendedLifetime(stage) {} }
    var environment = Command.ownEnvironment
    environment["LANG"] = "C.UTF-8"
    let outcome = try Command("mshow", ["-t", file], environment: environment).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("message/external-body"), "\(outcome)")
    let shown = try Command("mshow", [file], environment: environment).run()
    #expect(shown.output.contains("the text of report"), "\(shown)")
  }

  @Test func mu() throws {
    let (stage, file) = try stage()
    defer { withExtendedLifetime(stage) {} }
    let outcome = try Command("mu", ["view", file]).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("the text of report"), "\(outcome)")
  }
}
