import TestSupport
import Testing

/// What is attached to a draft is what its text names, whatever became of the program between.
struct KeptAttachmentTests {
  private let stage: ComposeStage
  private let file: String

  init() throws {
    stage = try ComposeStage()
    file = try stage.magnum.home.write("content", to: "plan.txt")
  }

  private static let edit = """
    echo typed >>"$1"; sed -i 's/^To:.*/To: a@x.org/; s/^Subject:.*/Subject: s/' "$1"
    """

  private func name() throws -> String { try #require(stage.left.first) }

  /// The lines `Attached:` of a draft that is left.
  private func attached() throws -> [String] {
    let template = try stage.run("resume", "--template", name())
    return template.output.split(separator: "\n").filter { $0.hasPrefix("Attached: ") }
      .map { String($0.dropFirst(10)) }
  }

  // MARK: Gone files

  @Test func aFileThatIsGoneStopsTheSending() throws {
    let other = try stage.magnum.home.write("other", to: "other.txt")
    let words = ["compose", "--attach", file, "--attach", other]
    let first = try stage.typeAll("q\n", editor: Self.edit, words)
    try Command.shell("mv \"$1\" \"$1.away\"", [file])
    for end in ["--send", "--hold", "--draft", "--print"] {
      let outcome = try stage.run("resume", end, name())
      #expect(outcome.code == 66 && outcome.errors.contains("cannot be attached"), "\(outcome)")
    }
    #expect(stage.sink.messages.isEmpty && stage.queued.isEmpty && stage.drafts.isEmpty, "\(first)")
    #expect(try attached() == ["1 plan.txt", "2 other.txt"])
    // A person sees it, cannot send it so either, and takes it out.
    let edit = #"if [ -e "$HOME/once" ]; then sed -i '/plan.txt/d' "$1"; fi; touch "$HOME/once""#
    let sent = try stage.type("s\ne\ns\n", editor: edit, "resume", name())
    #expect(sent.output.contains("plan.txt: cannot be attached"), "\(sent)")
    let text = try stage.sent().text
    #expect(text.contains("filename=other.txt") && !text.contains("plan.txt"))
    #expect(stage.left.isEmpty)
  }

  /// One that is another thing by now, too: a pipe would be waited for.
  @Test func aFileThatBecameAPipeStopsTheSending() throws {
    _ = try stage.typeAll("q\n", editor: Self.edit, ["compose", "--attach", file])
    try Command.shell("rm \"$1\"; mkfifo \"$1\"", [file])
    let outcome = try stage.run("resume", "--send", name())
    #expect(outcome.code == 66 && outcome.errors.contains("cannot be attached"), "\(outcome)")
    #expect(stage.sink.messages.isEmpty)
  }

  // MARK: Ways out of the menu

  /// A file that was attached in the menu is kept at every way out: what is typed there, and whether that is an interrupt.
  @Test(arguments: ["q", "\\u0003", "s", "e"])
  func whatIsAttachedInTheMenuIsKept(_ end: String) throws {
    // It fails to send: there is no recipient.
    let edit = #"[ -e "$HOME/once" ] && kill -9 $PPID; touch "$HOME/once"; echo typed >>"$1""#
    let script = try stage.magnum.home.write("#!/bin/sh\n\(edit)\n", to: "editor", mode: 0o755)
    let menu = "discard [x]? "
    var answers = [(after: menu, "a"), (after: "file: ", file), (after: menu, end)]
    if end == "s" { answers += [(after: "all the same? [y/N] ", "y"), (after: menu, "q")] }
    let command = stage.magnum.command(["compose"], ["VISUAL": script, "TERM": "xterm"])
    let outcome = try PrivateInternet.typing(command, answers).run()
    #expect(try attached() == ["1 plan.txt"], "\(outcome)")
  }

  /// A name that was typed from another directory means that file.
  @Test func aTypedNameMeansTheSameFileElsewhere() throws {
    let home = stage.magnum.home.path
    let edit = Self.edit + "\nsed -i '1i Attach: ~/plan.txt' \"$1\""
    let outcome = try stage.typeAll("q\n", editor: edit, ["compose"])
    #expect(try attached() == ["1 plan.txt"], "\(outcome)")
    let text = Files.text("\(home)/.local/state/magnum/compose/\(try name())/text.eml") ?? ""
    #expect(text.contains("Attached: 1 plan.txt\n") && !text.contains("Attach: "), "\(text)")
  }

  /// Options cannot add to a text that is no draft: it would be lost with the text.
  @Test func optionsDoNotAddToAMistake() throws {
    _ = try stage.typeAll("k\n", editor: "sed -i '1i no field' \"$1\"", ["compose"])
    let outcome = try stage.type("k\n", editor: "true", "resume", "--attach", file, name())
    #expect(outcome.code == 65 && outcome.output.contains("line 1 is no field"), "\(outcome)")
    #expect(stage.left.count == 1)
  }

  // MARK: Templates

  /// What only a kept draft has is named in a template, and never left out when that comes back.
  @Test func aTemplateDoesNotLoseWhatIsAttached() throws {
    let text = try stage.run("forward", "-t", "a@x.org", "--template", "id:m1@x.org")
    #expect(text.output.contains("Attached: 1 menu.pdf\n"), "\(text)")
    let json = try stage.run("forward", "-t", "a@x.org", "--json", "--template", "id:m1@x.org")
    #expect(json.output.contains(#""attachments":[{"name":"menu.pdf"}]"#), "\(json)")
    let back = try stage.run(["compose", "--send", "-"], input: text.output)
    #expect(back.code == 65 && back.errors.contains("a line Attached"), "\(back)")
    let given = try stage.run(["compose", "--send", "--json", "-"], input: json.output)
    #expect(given.code == 65 && given.errors.contains(#"menu.pdf\" has no path"#), "\(given)")
    #expect(stage.sink.messages.isEmpty && stage.queued.isEmpty)
  }
}

/// The same of drafts with a key attached, and of encrypted ones.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct KeptKeyTests {
  /// A line that was taken out takes out what it named, also where files and parts of the message follow each other.
  @Test(arguments: ["--encrypt", "--sign"], ["k", "kill"])
  func whatWasTakenOutStaysAway(_ option: String, _ way: String) throws {
    let stage = try ProtectedStage()
    let file = try stage.compose.magnum.home.write("content", to: "plan.txt")
    let typo = way == "k" ? "s/^Protect:.*/Protect: sing/; " : ""
    let end = way == "k" ? "" : "; kill -9 $PPID"
    let first = try stage.compose.typeAll(
      "k\n",
      editor: "echo walrus >>\"$1\"; sed -i '\(typo)/^Attached: 1 /d' \"$1\"\(end)",
      ["compose", option, "-t", "ada@x.org", "-s", "s", "--attach", file, "--attach-key"]
    )
    let name = try #require(stage.compose.left.first, "\(first)")
    let word = option.dropFirst(2)
    let edit = "grep ^Attached \"$1\"; sed -i 's/^Protect:.*/Protect: \(word)/' \"$1\""
    let again = try stage.compose.type("q\n", editor: edit, "resume", name)
    let key = try #require(stage.fingerprints["me@x.test"])
    let template = try stage.compose.run("resume", "--template", name)
    #expect(template.output.contains("Attached: 1 OpenPGP_0x\(key.suffix(16)).asc\n"), "\(again)")
    #expect(!template.output.contains("plan.txt") && template.output.contains("walrus"))
  }

  @Test func whatIsAttachedInTheMenuOfAnEncryptedDraftIsKept() throws {
    let stage = try ProtectedStage()
    let file = try stage.compose.magnum.home.write("content", to: "plan.txt")
    let words = ["compose", "--encrypt", "-t", "ada@x.org", "-s", "s"]
    let outcome = try stage.compose.typeAll(
      "a\n\(file)\nq\n",
      editor: "echo walrus >>\"$1\"",
      words
    )
    let name = try #require(stage.compose.left.first, "\(outcome)")
    // Also without the text in memory.
    try Command.shell("rm -rf \"$1\"/*", [stage.memory.path])
    let template = try stage.compose.run("resume", "--template", name)
    #expect(template.output.contains("Attached: 1 plan.txt\n"), "\(template)")
  }
}
