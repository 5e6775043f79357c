import TestSupport
import Testing

/// A draft that a program was about to queue when it was killed, and whose message is in the queue.
struct QueuedDraftTests {
  private let stage: ComposeStage

  private var home: String { stage.magnum.home.path }

  init() throws {
    stage = try ComposeStage()
    let file = try stage.magnum.home.write("AAAA\n", to: "file.bin")
    let words = ["compose", "--draft", "-t", "a@x.org", "--body", "-", "--attach", file]
    let kept = try stage.run(words, input: "text\n")
    try #require(kept.code == 0, "\(kept)")
    try Command.shell("cd \"$1\"; mkdir -p .local saved; cp -a mail .local saved", [home])
    try kill()
  }

  private var draft: String { "\(home)/mail/Drafts/cur/\(stage.drafts.first ?? "none")" }

  private func run(_ variables: [String: String]) throws -> Outcome {
    try stage.magnum.command(["resume", "--hold", draft], variables).run()
  }

  /// Kills the program where the message is in the queue, and nothing else is done.
  private func kill() throws {
    let counted = stage.magnum.home["points"]
    try #require(try run(["MAGNUM_FAULT_COUNT": counted]).code == 0)
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    for point in stride(from: points, to: 0, by: -1) {
      try Command.shell("cd \"$1\"; rm -rf mail .local; cp -a saved/mail saved/.local .", [home])
      _ = try run(["MAGNUM_FAULT": "\(point)"])
      if stage.queued.count == 1, stage.drafts.count == 1, stage.left.count == 1 { return }
    }
    throw HarnessError("no such point")
  }

  @Test func itGoesWhereItSaysTheSame() throws {
    let outcome = try stage.run("resume", "--send", draft)
    #expect(outcome.code == 1 && outcome.errors.contains("in the queue already"), "\(outcome)")
    #expect(!outcome.errors.contains("stays"), "\(outcome)")
    #expect(stage.drafts.isEmpty && stage.queued.count == 1 && stage.left.isEmpty)
  }

  /// What was attached to it meanwhile, under the same name, is nowhere else.
  @Test func itStaysWhereSomethingElseIsAttached() throws {
    try Command.shell("sed -i 's/QUFBQQo=/QkJCQgo=/' \"$1\"", [draft])
    #expect(Files.text(draft)?.contains("QkJCQgo=") ?? false)
    let outcome = try stage.run("resume", "--send", draft)
    #expect(outcome.code == 1 && !outcome.errors.contains("removed"), "\(outcome)")
    #expect(Files.text(draft)?.contains("QkJCQgo=") ?? false)
    #expect(stage.queued.count == 1 && stage.left.count == 1)
  }
}
