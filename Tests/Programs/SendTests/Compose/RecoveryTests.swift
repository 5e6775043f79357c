import Glibc
import TestSupport
import Testing

/// What is typed and not saved is in a file of the editor alone, whatever ended the editor.
struct RecoveryTests {
  private let stage: ComposeStage

  init() throws { stage = try ComposeStage() }

  /// The directory of the only draft that is left.
  private func directory() throws -> String {
    try #require(stage.left.count == 1, "\(stage.left)")
    return stage.magnum.home[".local/state/magnum/compose/\(stage.left[0])"]
  }

  /// Checks that a file beside the draft has what was typed, and that the list of drafts names it.
  private func expectRecovery(_ file: String, holds text: String, _ outcome: Outcome) throws {
    let octets = try #require(Files.read("\(directory())/\(file)"), "\(outcome)")
    #expect(octets.contains(text.utf8), "\(file)")
    let list = try stage.run("resume")
    #expect(list.output.contains("(the editor left \(file))"), "\(list) \(outcome)")
    let json = try stage.run("resume", "--json")
    #expect(json.output.contains("\"recovery\":[\"\(file)\"]"), "\(json)")
  }

  /// Runs the program at a terminal; what is typed there is the answer to its question, not read by the editor.
  private func answer(_ answer: String, editor: String, _ arguments: String...) throws -> Outcome {
    let script = try stage.magnum.home.write("#!/bin/sh\n\(editor)\n", to: "editor", mode: 0o755)
    let command = stage.magnum.command(arguments, ["VISUAL": script, "TERM": "xterm"])
    return try PrivateInternet.typing(command, [(after: "discard [x]? ", answer)]).run()
  }

  /// vim that gets a signal once its swap file has a text that it was made to type last.
  private static func vim(_ signal: String, typing text: String, _ before: String = "") -> String {
    """
    swap=$(dirname "$1")/.text.eml.swp
    (until grep -q \(text) "$swap" 2>/dev/null; do sleep 0.02; done; kill -\(signal) $$) &
    exec vim -u NONE -N \(before) -c 'normal Go\(text)' -c 'silent preserve' "$1"
    """
  }

  @Test(arguments: ["HUP", "TERM", "KILL"])
  func vimLeavesASwapFile(_ signal: String) throws {
    let outcome = try stage.type(
      "",
      editor: Self.vim(signal, typing: "typed"),
      "compose",
      "-t",
      "a@x.org"
    )
    #expect(outcome.output.contains("the draft is kept: magnum resume "), "\(outcome)")
    try expectRecovery(".text.eml.swp", holds: "typed", outcome)
    #expect(stage.drafts.isEmpty)
  }

  /// What was saved goes on once an editor ends well; what was typed after that stays.
  @Test func vimIsKilledAfterASave() throws {
    let vim = Self.vim("TERM", typing: "later", "-c 'normal Gotyped' -c 'silent write'")
    let editor = "[ -e \"$HOME/once\" ] && exit; touch \"$HOME/once\"\n" + vim
    let script = try stage.magnum.home.write("#!/bin/sh\n\(editor)\n", to: "editor", mode: 0o755)
    let command = stage.magnum.command(
      ["compose", "-t", "a@x.org", "-s", "s"],
      ["VISUAL": script, "TERM": "xterm"]
    )
    let answers = [(after: "for later? [e/k] ", "e"), (after: "discard [x]? ", "s")]
    let outcome = try PrivateInternet.typing(command, answers).run()
    #expect(try stage.sent().text.contains("typed"), "\(outcome)")
    try expectRecovery(".text.eml.swp", holds: "later", outcome)
    let name = stage.left[0]
    let again = try stage.type("x\ny\n", editor: "true", "resume", name)
    #expect(again.output.contains("discard what you wrote, and .text.eml.swp?"), "\(again)")
    #expect(stage.left.isEmpty)
  }

  /// The terminal is gone, and with it all that runs on it but the program.
  @Test func theTerminalIsClosed() throws {
    let editor = "exec vim -u NONE -N -c 'normal Gotyped' -c preserve \"$1\""
    let script = try stage.magnum.home.write("#!/bin/sh\n\(editor)\n", to: "editor", mode: 0o755)
    var command = stage.magnum.command([], ["VISUAL": script, "TERM": "xterm", "SHELL": "/bin/sh"])
    command.program = "script"
    command.arguments = ["-qfec", "'\(stage.magnum.path)' compose -t a@x.org", "/dev/null"]
    let running = try command.start()
    let isTyped = Stopwatch.wait(upTo: 20) {
      let swap = stage.left.first.flatMap {
        Files.read(stage.magnum.home[".local/state/magnum/compose/\($0)/.text.eml.swp"])
      }
      return swap?.contains("typed".utf8) ?? false
    }
    #expect(isTyped)
    running.signal(SIGKILL)
    let outcome = running.wait()
    let isListed = Stopwatch.wait(upTo: 20) {
      (try? stage.run("resume"))?.output.contains("(the editor left .text.eml.swp)") ?? false
    }
    #expect(isListed, "\(outcome)")
    try expectRecovery(".text.eml.swp", holds: "typed", outcome)
  }

  @Test func emacsLeavesWhatItSavedByItself() throws {
    let editor = """
      exec emacs -nw -Q "$1" --eval '(progn (goto-char (point-max)) (insert "typed")
        (signal-process (emacs-pid) (quote SIGTERM)))'
      """
    let outcome = try stage.type("", editor: editor, "reply", "id:m1@x.org")
    try expectRecovery("#text.eml#", holds: "typed", outcome)
  }

  /// Emacs keeps a copy of the text before it saves: that is no reason to keep a draft that is sent.
  @Test func aBackupIsNoWork() throws {
    let editor = """
      exec emacs -nw -Q "$1" --eval '(progn (goto-char (point-max)) (insert "typed") (save-buffer)
        (kill-emacs))'
      """
    let outcome = try answer("s", editor: editor, "compose", "-t", "a@x.org", "-s", "s")
    #expect(try stage.sent().text.contains("typed"), "\(outcome)")
    #expect(stage.left.isEmpty)
  }

  @Test func nanoLeavesItsCopy() throws {
    let script = try stage.magnum.home.write(
      "#!/bin/sh\nexec nano -I \"$1\"\n",
      to: "editor",
      mode: 0o755
    )
    let command = stage.magnum.command(
      ["compose", "-t", "a@x.org"],
      ["VISUAL": script, "TERM": "xterm"]
    )
    let keys = [(after: "Exit", "typed\\u0014kill -HUP $PPID\\r")]
    let outcome = try PrivateInternet.typing(command, keys).run()
    try expectRecovery("text.eml.save", holds: "typed", outcome)
  }

  /// An editor that returns at once, while its window is open, works on its file still.
  @Test func anEditorThatWorksOn() throws {
    let editor = "echo typed > \"$(dirname \"$1\")/.text.eml.swp\""
    let outcome = try stage.type("", editor: editor, "compose", "-t", "a@x.org")
    try expectRecovery(".text.eml.swp", holds: "typed", outcome)
  }

  /// An editor that fails may have been typed into; and where it cannot be started, the options gave what the draft has.
  @Test(arguments: ["/nowhere/ed", "false", "sh -c 'exit 3'"])
  func anEditorFails(_ editor: String) throws {
    let outcome = try stage.type("", editor: "exec \(editor)", "compose", "-t", "a@x.org")
    #expect(outcome.code == 1 && stage.left.count == 1, "\(outcome)")
    #expect(outcome.output.contains("the draft is kept"))
  }

  /// The text is gone from its name in the midst of a save.
  @Test func theTextIsElsewhere() throws {
    let editor = "echo typed >> \"$1\"; mv \"$1\" \"$1.new\"; kill -KILL $PPID"
    let outcome = try stage.type("", editor: editor, "compose", "-t", "a@x.org")
    try expectRecovery("text.eml.new", holds: "typed", outcome)
  }

  /// A text that is no draft is neither replaced nor sent in another form.
  @Test(arguments: ["sed -i '1i no field' \"$1\"", "sed -i '1i Attach: /nowhere' \"$1\""])
  func aTextWithAMistakeGoesOn(_ mistake: String) throws {
    let editor = "echo typed >> \"$1\"; \(mistake)"
    let first = try stage.type("k\n", editor: editor, "compose", "-t", "a@x.org")
    let name = try #require(stage.left.first, "\(first)")
    let sent = try stage.run("resume", "--send", name)
    #expect(sent.code == 65 || sent.code == 66, "\(sent)")
    #expect(stage.sink.messages.isEmpty && stage.left.count == 1)
    let again = try stage.type("s\ny\n", editor: "sed -i 1d \"$1\"", "resume", name)
    #expect(try stage.sent().text.hasSuffix("typed\n"), "\(again)")
    #expect(stage.left.isEmpty)
  }

  @Test(.enabled(if: SmallDisk.canBe))
  func theDiskIsFull() throws {
    let place = stage.magnum.home[".local/state/magnum/compose"]
    let disk = try SmallDisk(at: place, "256k")
    defer { withExtendedLifetime(disk) {} }
    let editor = "echo typed >> \"$1\"; cat /dev/zero > '\(place)/fill' || true"
    let outcome = try stage.type("e\n", editor: editor, "compose", "-t", "a@x.org")
    #expect(outcome.output.contains("the draft is kept: magnum resume "), "\(outcome)")
    try Command.shell("rm \"$1\"", ["\(place)/fill"])
    let name = try #require(stage.left.first)
    #expect(Files.text("\(place)/\(name)/text.eml")?.hasSuffix("typed\n") ?? false)
  }
}
