import TestSupport
import Testing

/// magnum killed, or refused a change, at every point where it changes something: a draft is never lost, and never sent
/// twice.
struct ComposeCrashTests {
  private let saved: SavedStage

  init() throws {
    let stage = try ComposeStage()
    let kept = try stage.run(
      ["reply", "--draft", "--body", "-", "id:m1@x.org"],
      input: "what was written\n"
    )
    try #require(kept.code == 0, "\(kept)")
    saved = try SavedStage(stage)
  }

  private var stage: ComposeStage { saved.stage }

  private var home: String { stage.magnum.home.path }

  private var draft: String { "\(home)/mail/Drafts/cur/\(stage.drafts.first ?? "none")" }

  /// How many points there are at which a command can be killed that goes on with the draft.
  private func points(of words: [String]) throws -> Int {
    try saved.restore()
    return try saved.points(of: words + [draft])
  }

  /// What is there of the message: as a draft, in the queue, and with its recipient, who takes what a killed program sent.
  private var places: (drafts: Int, queued: Int, sent: Int) {
    stage.sink.settle()
    return (stage.drafts.count, stage.queued.count, stage.sink.messages.count)
  }

  /// Goes on as a person does: with the draft that is there, and with the queue.
  private func settle(_ point: String) throws {
    if !stage.drafts.isEmpty {
      let refused = try saved.run(["resume", "--send", draft])
      // It was about to be queued: that can be told from what is left of the program.
      let words = refused.errors.split(whereSeparator: \.isWhitespace).map { "\($0)" }
      if words.dropLast().last == "resume", let name = words.last {
        _ = try saved.run(["resume", "--send", name])
      }
    }
    _ = try saved.run(["queue", "flush"])
    let (drafts, queued, sent) = places
    try #require(drafts == 0 && queued == 0 && sent == 1, "\(point): \(places)")
    try #require(stage.sink.messages[0].text.contains("what was written"))
    try #require(stage.names("mail/INBOX/cur") == ["1:2,RS"], "\(point)")
  }

  @Test func sendingADraftSurvivesEveryKill() throws {
    let words = ["resume", "--send"]
    let points = try points(of: words)
    for point in Turn.chosen(of: points, every: Turn.stride(1)) {
      try saved.restore()
      let killed = try saved.run(words + [draft], ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let (drafts, queued, sent) = places
      try #require(drafts + queued + sent > 0, "point \(point): lost")
      try #require(drafts == 0 || sent == 0, "point \(point): sent beside its draft")
      // Between the end of the message and the answer the server may have it already.
      if sent == 1, queued == 1 { continue }
      try settle("point \(point)")
    }
  }

  @Test func sendingADraftSurvivesEveryRefusal() throws {
    let points = try points(of: ["resume", "--send"])
    for change in 1...points {
      try saved.restore()
      let outcome = try saved.run(
        ["resume", "--send", draft],
        ["MAGNUM_FAULT_ERROR": "\(change):ENOSPC"]
      )
      let (drafts, queued, sent) = places
      try #require(drafts + queued + sent > 0, "change \(change): lost, \(outcome)")
      if outcome.code != 0 { try #require(sent == 0, "change \(change): \(outcome)") }
      try #require(outcome.code != 0 || queued + sent > 0, "change \(change): \(outcome)")
    }
  }

  @Test func keepingADraftSurvivesEveryKill() throws {
    let words = ["resume", "--draft"]
    let points = try points(of: words)
    for point in Turn.chosen(of: points, every: Turn.stride(1)) {
      try saved.restore()
      let killed = try saved.run(words + [draft], ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      try #require((1...2).contains(stage.drafts.count), "point \(point): \(stage.drafts)")
      for name in stage.drafts {
        let text = Files.text("\(home)/mail/Drafts/cur/\(name)") ?? ""
        try #require(text.contains("what was written"), "point \(point)")
      }
    }
  }
}
