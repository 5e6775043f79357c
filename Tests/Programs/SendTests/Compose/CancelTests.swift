import TestSupport
import Testing

/// Messages whose fields do not say to whom they go, taken back as drafts.
struct CancelTests {
  private let stage: ComposeStage

  init() throws { stage = try ComposeStage() }

  /// Recipients that no field names, as callers of sendmail give those of Bcc, are not forgotten.
  @Test func recipientsOfTheEnvelopeAreKept() throws {
    let people = ["-t", "Ann <A@x.org>", "-b", "hidden@x.org"]
    _ = try stage.run(["compose"] + people + ["--hold", "--body", "-"], input: "x")
    let entry = try #require(stage.queued.first)
    let all = ["a@x.org", "hidden@x.org", "b@x.org", "c@x.org"].flatMap { ["--to", $0] }
    let edit = try stage.run(["queue", "edit"] + all + [entry])
    let new = try #require(edit.output.split(separator: "\n").first, "\(edit)")
    let outcome = try stage.run("queue", "cancel", "\(new)")
    #expect(outcome.code == 0, "\(outcome)")
    let file = stage.magnum.home["mail/Drafts/cur/\(try #require(stage.drafts.first))"]
    let draft = try #require(Files.text(file))
    #expect(draft.hasPrefix("Bcc: hidden@x.org,\n b@x.org,\n c@x.org\n"), "\(draft)")
    #expect(try stage.run("resume", "--send", file).code == 0)
    let sent = try stage.sent().to
    #expect(sent.map { $0.lowercased() }.sorted() == Self.recipients.sorted(), "\(sent)")
  }

  private static let recipients = [
    "<a@x.org>", "<hidden@x.org>", "<b@x.org>", "<c@x.org>",
  ]

  /// A draft of it would go to those to whom it was sent first.
  @Test func aMessageThatIsSentOnBecomesNoDraft() throws {
    _ = try stage.run(["compose", "-t", "a@x.org", "--hold", "--body", "-"], input: "x")
    let entry = try #require(stage.queued.first)
    let message =
      "Resent-From: me@x.test\nResent-To: new@x.org\nFrom: ada@x.org\nTo: list@x.org\n\nsecret\n"
    let words = ["queue", "edit", "--to", "new@x.org", "--message", "-", entry]
    let edit = try stage.run(words, input: message)
    let new = try #require(edit.output.split(separator: "\n").first, "\(edit)")
    let outcome = try stage.run("queue", "cancel", "\(new)")
    #expect(outcome.code == 1 && outcome.errors.contains("it is sent on"), "\(outcome)")
    #expect(stage.drafts.isEmpty && stage.queued == ["\(new)"])
  }
}
