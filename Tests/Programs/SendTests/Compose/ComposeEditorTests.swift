import TestSupport
import Testing

/// Messages that are written in an editor at a terminal.
struct ComposeEditorTests {
  private static let writes = """
    printf 'typed\\n' >> "$1"
    sed -i 's/^To:.*/To: a@x.org/; s/^Subject:.*/Subject: by hand/' "$1"
    """

  @Test func whatIsTypedIsSent() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("s\n", editor: Self.writes, "compose")
    #expect(outcome.code == 0 && outcome.output.contains("sent "), "\(outcome)")
    let text = try stage.sent().text
    #expect(text.contains("Subject: by hand\n") && text.hasSuffix("\ntyped\n"))
    #expect(stage.left.isEmpty)
  }

  @Test func whatIsNotChangedIsNotKept() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("", editor: "true", "reply", "id:m1@x.org")
    #expect(outcome.code == 0 && outcome.output.contains("the draft is not changed"), "\(outcome)")
    #expect(stage.left.isEmpty && stage.queued.isEmpty && stage.drafts.isEmpty)
  }

  /// An editor that did not run, or left no text, decided nothing: what the options gave is kept.
  @Test(arguments: ["exit 127", ": >\"$1\""])
  func aNewDraftThatNobodyEditedIsKept(_ script: String) throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("", editor: script, "compose", "-t", "a@x.org", "-s", "pelican")
    #expect(outcome.code == 1, "\(outcome)")
    let name = try #require(stage.left.first)
    #expect(try stage.run("resume").output.hasPrefix(name))
  }

  @Test func aDraftThatCannotBeReadHidesNoOther() throws {
    let stage = try ComposeStage()
    for subject in ["one", "two"] {
      let words = ["compose", "-t", "a@x.org", "-s", subject]
      _ = try stage.typeAll("q\n", editor: "echo x >>\"$1\"", words)
    }
    let names = stage.left.sorted()
    try #require(names.count == 2)
    try Command.shell(
      "f=$(find \"$1\" -path \"*/$2/text.eml\"); rm \"$f\"; mkdir \"$f\"",
      [stage.magnum.home.path, names[0]]
    )
    let listed = try stage.run("resume")
    #expect(listed.code == 1 && listed.output.hasPrefix(names[1]), "\(listed)")
    #expect(listed.errors.contains(names[0]), "\(listed)")
  }

  /// A program that is killed while the editor runs leaves what was typed, and no more.
  @Test func whatWasTypedSurvivesAKill() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type(
      "",
      editor: Self.writes + "\nkill -9 $PPID",
      "reply",
      "id:m1@x.org"
    )
    #expect(outcome.code != 0)
    #expect(stage.left.count == 1 && stage.drafts.isEmpty && stage.queued.isEmpty)
    let name = try #require(stage.left.first)
    let mode = try Command.shell(
      "stat -c %a \"$1\"",
      [stage.magnum.home[".local/state/magnum/compose/\(name)"]]
    )
    #expect(mode == "700\n")
    let list = try stage.run("resume")
    #expect(list.output.hasPrefix("\(name)  a@x.org  by hand"), "\(list)")
    let sent = try stage.run("resume", "--send", name)
    #expect(sent.code == 0, "\(sent)")
    let text = try stage.sent().text
    #expect(text.contains("> Shall we?") && text.hasSuffix("\ntyped\n"))
    #expect(text.contains("In-Reply-To: <m1@x.org>"))
    #expect(stage.left.isEmpty && stage.names("mail/INBOX/cur") == ["1:2,RS"])
    #expect(try stage.run("resume").output == "")
  }

  /// A kill between the queue and the rest does not send it twice.
  @Test func whatWasQueuedIsNotSentAgain() throws {
    let stage = try ComposeStage()
    _ = try stage.type("", editor: Self.writes + "\nkill -9 $PPID", "compose")
    let name = try #require(stage.left.first)
    let place = stage.magnum.home[".local/state/magnum/compose/\(name)"]
    try Command.shell("cp -a \"$1\" \"$1\".copy", [place])
    #expect(try stage.run("resume", "--hold", name).code == 0)
    #expect(stage.queued.count == 1)
    try Command.shell("mv \"$1\".copy \"$1\"; printf 'queuing: 1\\n' >> \"$1\"/facts", [place])
    let again = try stage.run("resume", "--send", name)
    #expect(again.errors.contains("in the queue already"), "\(again)")
    #expect(stage.queued.count == 1 && stage.left.isEmpty && stage.sink.messages.isEmpty)
  }

  @Test func filesAreAttachedByLines() throws {
    let stage = try ComposeStage()
    try stage.magnum.home.write("content", to: "a b.txt")
    let editor = Self.writes + "\nsed -i '1i Attach: ~/a b.txt' \"$1\""
    let outcome = try stage.type("s\n", editor: editor, "compose")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("Attached: a b.txt (\(stage.magnum.home.path)/a b.txt, 7 B)"))
    #expect(try stage.sent().text.contains("filename=\"a b.txt\"\n\ncontent"))
  }

  @Test func aFileThatIsMissingIsAskedAbout() throws {
    let stage = try ComposeStage()
    let editor = Self.writes + "\nsed -i '1i Attach: /nowhere' \"$1\""
    let outcome = try stage.type("k\n", editor: editor, "compose")
    #expect(outcome.output.contains("cannot be attached"), "\(outcome)")
    #expect(stage.left.count == 1 && stage.queued.isEmpty)
  }

  @Test func aDraftIsKeptOnRequestAndGoesOn() throws {
    let stage = try ComposeStage()
    #expect(try stage.type("d\n", editor: Self.writes, "compose").code == 0)
    #expect(stage.drafts.count == 1 && stage.left.isEmpty)
    let draft = "\(stage.magnum.home.path)/mail/Drafts/cur/\(stage.drafts[0])"
    #expect(try stage.type("s\n", editor: "echo more >> \"$1\"", "resume", draft).code == 0)
    #expect(stage.drafts.isEmpty && stage.left.isEmpty)
    #expect(try stage.sent().text.hasSuffix("\ntyped\nmore\n"))
  }

  /// Where the output goes elsewhere there is nobody to ask, terminal or not.
  @Test func aPipeIsNoTerminal() throws {
    let stage = try ComposeStage()
    var command = stage.magnum.command([], ["VISUAL": "false", "TERM": "xterm"])
    command.program = "script"
    command.arguments = ["-qec", "'\(stage.magnum.path)' compose -t a@x.org | cat", "/dev/null"]
    command.timeLimit = 10
    let outcome = try command.run()
    #expect(outcome.output.contains("an editor needs a terminal"), "\(outcome)")
    #expect(stage.left.isEmpty && stage.drafts.isEmpty)
  }

  /// Without anybody to answer, the draft goes into its folder.
  @Test func aLostTerminalKeepsTheDraft() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("", editor: Self.writes, "compose")
    #expect(stage.drafts.count == 1 && stage.left.isEmpty, "\(outcome)")
  }

  /// Who ends the program at its question is told where the text is; nothing goes to the server.
  @Test func anInterruptKeepsTheText() throws {
    let stage = try ComposeStage()
    let script = try stage.magnum.home.write(
      "#!/bin/sh\n\(Self.writes)\n",
      to: "editor",
      mode: 0o755
    )
    let command = stage.magnum.command(["compose"], ["VISUAL": script, "TERM": "xterm"])
    let answers = [(after: "discard [x]? ", "\\u0003")]
    let outcome = try PrivateInternet.typing(command, answers).run()
    #expect(outcome.code == 254, "\(outcome)")
    let name = try #require(stage.left.first)
    #expect(outcome.output.contains("the draft is kept: magnum resume \(name)"), "\(outcome)")
    #expect(stage.drafts.isEmpty && stage.queued.isEmpty)
  }

  @Test func whatIsDiscardedIsGone() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("x\nn\nx\ny\n", editor: Self.writes, "compose")
    #expect(outcome.code == 0 && outcome.output.contains("discarded"), "\(outcome)")
    #expect(stage.drafts.isEmpty && stage.left.isEmpty && stage.queued.isEmpty)
  }

  @Test func theQuestionHasAHelpAndAWayOut() throws {
    let stage = try ComposeStage()
    let outcome = try stage.type("?\nq\n", editor: Self.writes, "compose")
    #expect(outcome.output.contains("d  keep it in the folder for drafts"), "\(outcome)")
    let name = try #require(stage.left.first)
    #expect(outcome.output.contains("magnum resume \(name)") && stage.drafts.isEmpty, "\(outcome)")
  }

  @Test func warningsAreAskedAbout() throws {
    let stage = try ComposeStage()
    let editor = "sed -i 's/^To:.*/To: a@x.org/' \"$1\"; echo see attached >> \"$1\""
    let outcome = try stage.type("s\nn\ns\ny\n", editor: editor, "compose")
    #expect(outcome.output.contains("the text mentions an attachment"), "\(outcome)")
    #expect(outcome.output.contains("the message has no subject"))
    #expect(try stage.sent().text.contains("see attached"))
  }

  /// A missing recipient is said, and the draft stays.
  @Test func aMistakeIsMended() throws {
    let stage = try ComposeStage()
    let editor = """
      if grep -q once "$1"; then sed -i 's/^To:.*/To: a@x.org/' "$1"; else echo once >> "$1"; fi
      """
    let outcome = try stage.type("s\ny\ne\ns\ny\n", editor: editor, "compose")
    #expect(outcome.output.contains("no recipients"), "\(outcome)")
    #expect(try stage.sent().text.hasSuffix("\nonce\n"))
  }

  /// The real editor, driven by keys.
  @Test func viWritesAMessage() throws {
    let stage = try ComposeStage()
    // The editor takes all that is typed while it runs.
    let script = """
      (printf 'Gihello\\033:wq\\r'; sleep 2; printf 's\\n'; sleep 1) | script -qec "$1" /dev/null
      """
    let line = "'\(stage.magnum.path)' compose -t a@x.org -s s"
    var command = stage.magnum.command([], ["VISUAL": "vi -u NONE -N", "TERM": "xterm"])
    command.program = "/bin/sh"
    command.arguments = ["-c", script, "sh", line]
    command.timeLimit = 20
    let outcome = try command.run()
    #expect(outcome.code == 0 && stage.sink.messages.count == 1, "\(outcome)")
    #expect(try stage.sent().text.contains("hello"))
  }
}
