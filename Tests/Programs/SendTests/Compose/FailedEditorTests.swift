import TestSupport
import Testing

/// An editor that fails, or leaves no text, changes nothing of the draft.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct FailedEditorTests {
  /// What an editor does at its end, and what is said.
  private static let ends = [
    (": >\"$1\"; kill -9 $$", "was ended by signal 9"),
    (": >\"$1\"; exit 3", "ended with status 3"), (": >\"$1\"", "left no text"),
    ("echo >\"$1\"", "left no text"), ("rm \"$1\"", "left no text"),
    ("rm \"$1\"; exit 1", "ended with status 1"), ("echo other >\"$1\"; exit 1", "status 1"),
  ]

  @Test(arguments: ["--encrypt", "--no-sign"], ends)
  func theFormerDraftIsKept(_ option: String, _ end: (script: String, words: String)) throws {
    let stage = try ProtectedStage()
    let file = try stage.compose.magnum.home.write("content", to: "plan.txt")
    let words = ["compose", option, "-t", "ada@x.org", "-s", "pelican", "--attach", file]
    _ = try stage.compose.typeAll("q\n", editor: "echo walrus >>\"$1\"", words)
    let name = try #require(stage.compose.left.first)
    let failed = try stage.compose.type("k\n", editor: end.script, "resume", name)
    #expect(failed.output.contains(end.words) && failed.code == 1, "\(failed)")
    #expect(try stage.compose.run("resume").output.hasPrefix(name))
    let isOther = end.script.contains("other")
    // What it left in the place of the text stays in memory, but is not saved as the draft.
    if isOther, option != "--encrypt" { return }
    if isOther { try Command.shell("rm -rf \"$1\"/*", [stage.memory.path]) }
    let template = try stage.compose.run("resume", "--template", name)
    for line in ["To: ada@x.org", "Subject: pelican", "Attached: 1 plan.txt", "walrus"] {
      #expect(template.output.contains("\(line)\n"), "\(template)")
    }
  }

  /// It can be edited again at once, from the former text on.
  @Test func itIsEditedAgain() throws {
    let stage = try ComposeStage()
    let edit = #"if [ -e "$HOME/once" ]; then echo more >>"$1"; else echo typed >>"$1"; fi"#
    _ = try stage.typeAll("q\n", editor: edit, ["compose", "-t", "a@x.org", "-s", "s"])
    let name = try #require(stage.left.first)
    let fails = #"if [ -e "$HOME/once" ]; then echo more >>"$1"; else touch "$HOME/once"; "#
    let outcome = try stage.type("e\ns\n", editor: fails + "rm \"$1\"; exit 1; fi", "resume", name)
    #expect(try stage.sent().text.hasSuffix("\ntyped\nmore\n"), "\(outcome)")
    #expect(stage.left.isEmpty)
  }
}
