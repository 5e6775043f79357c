import TestSupport
import Testing

/// Messages of the queue that have HTML which was made of their text.
struct QueuedHTMLTests {
  private static let account = "html-command = [\"sed\", 's|.*|<p>&</p>|']"

  private static let words = ["compose", "-t", "a@x.org", "-s", "s", "--body", "-", "--hold"]

  private static func hold(_ stage: ComposeStage, _ options: String...) throws -> String {
    let outcome = try stage.run(Self.words + options, input: "one\n")
    #expect(outcome.code == 0, "\(outcome)")
    return try #require(stage.queued.first)
  }

  private static func raw(_ stage: ComposeStage) throws -> String {
    let entry = try #require(stage.queued.first)
    return try stage.run("queue", "show", "--raw", entry).output
  }

  /// Edits the entry with a command for sed(1), which edits what it gets in its place.
  private static func edit(
    _ stage: ComposeStage,
    _ command: String,
    _ arguments: String...
  ) throws -> Outcome {
    let script = "#!/bin/sh\ncp \"$1\" \"$HOME/seen\"\nsed -i '\(command)' \"$1\"\n"
    stage.variables["VISUAL"] = try stage.magnum.home.write(script, to: "editor", mode: 0o755)
    return try stage.run(["queue", "edit"] + arguments)
  }

  @Test func theEditorShowsTheTextAlone() throws {
    let stage = try ComposeStage(Self.account)
    let entry = try Self.hold(stage)
    #expect(try Self.raw(stage).contains("<p>one</p>"))
    let outcome = try Self.edit(stage, "s/one/two/", entry)
    #expect(outcome.code == 0, "\(outcome)")
    let seen = try #require(Files.text(stage.magnum.home["seen"]))
    #expect(!seen.contains("html") && seen.hasSuffix("\n\none\n"), "\(seen)")
    let new = try Self.raw(stage)
    #expect(new.contains("\ntwo\n") && new.contains("<p>two</p>") && !new.contains("one"), "\(new)")
    #expect(
      try Self.edit(stage, "s/none/two/", try #require(stage.queued.first)).errors
        .contains("nothing is changed")
    )
  }

  @Test func picturesAreShownAgain() throws {
    let stage = try ComposeStage()
    let file = try stage.magnum.home.write([1, 2, 3], to: "a.png")
    let html = "sed 's|.*|<p>&<img src=a.png></p>|'"
    let entry = try Self.hold(stage, "--inline", file, "--html-with", html)
    let refused = try Self.edit(stage, "s/one/two/", entry)
    #expect(refused.code == 64 && refused.errors.contains("--no-html"), "\(refused)")
    #expect(try Self.edit(stage, "s/one/two/", "--html-with", html, entry).code == 0)
    let new = try Self.raw(stage)
    #expect(new.contains("multipart/related") && new.contains("<p>two<img src=cid:"), "\(new)")
    #expect(
      try Self.edit(stage, "s/two/three/", "--no-html", try #require(stage.queued.first)).code == 0
    )
    let last = try Self.raw(stage)
    #expect(last.contains("\nthree\n") && !last.contains("text/html") && last.contains("a.png"))
  }

  /// HTML that cannot be made leaves the entry, and what was typed.
  @Test func whatFailsChangesNothing() throws {
    let stage = try ComposeStage(Self.account)
    let entry = try Self.hold(stage)
    let outcome = try Self.edit(stage, "s/one/two/", "--html-with", "false", entry)
    #expect(
      outcome.code == 65 && outcome.errors.contains("the edited message is kept"),
      "\(outcome)"
    )
    #expect(stage.queued == [entry])
    #expect(try Self.raw(stage).contains("<p>one</p>"))
  }

  @Test func aMessageFromAFileHasItsHTMLMadeAnew() throws {
    let stage = try ComposeStage(Self.account)
    let entry = try Self.hold(stage)
    let changed = try Self.raw(stage).replacing("\none\n", with: "\ntwo\n")
    let file = try stage.magnum.home.write(changed, to: "new.eml")
    #expect(try stage.run("queue", "edit", "--message", file, entry).code == 0)
    let new = try Self.raw(stage)
    #expect(new.contains("<p>two</p>") && !new.contains("<p>one</p>"), "\(new)")
  }

  @Test func anOptionMakesHTMLOfAnyText() throws {
    let stage = try ComposeStage()
    let entry = try Self.hold(stage)
    let html = ["--html-with", "sed 's|.*|<p>&</p>|'"]
    #expect(try Self.edit(stage, "s/one/two/", html[0], html[1], entry).code == 0)
    #expect(try Self.raw(stage).contains("<p>two</p>"))
    let new = try #require(stage.queued.first)
    let kept = try stage.run(["queue", "edit", "--to", "b@x.org"] + html + [new])
    #expect(kept.code == 64 && stage.queued == [new], "\(kept)")
  }

  /// A message that is taken back is a draft of text alone, which goes on as any other.
  @Test func aMessageThatIsTakenBackIsText() throws {
    let stage = try ComposeStage(Self.account)
    let entry = try Self.hold(stage)
    #expect(try stage.run("queue", "cancel", entry).code == 0)
    let name = try #require(stage.drafts.first)
    let draft = stage.magnum.home["mail/Drafts/cur/\(name)"]
    #expect(Files.text(draft)?.contains("html") == false)
    #expect(try stage.run("resume", "--send", draft).code == 0)
    #expect(try stage.sent().text.contains("<p>one</p>"))
  }

  /// A sent message begins another one without its HTML.
  @Test func aSentMessageIsResumedAsText() throws {
    let stage = try ComposeStage(Self.account)
    _ = try Self.hold(stage)
    let file = try stage.magnum.home.write(try Self.raw(stage), to: "sent.eml")
    let outcome = try stage.run("resume", "--no-html", "--print", file)
    #expect(outcome.code == 0 && outcome.output.hasSuffix("\n\none\n"), "\(outcome)")
    #expect(!outcome.output.contains("html"))
  }
}
