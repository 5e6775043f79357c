import TestSupport
import Testing

/// `magnum unsubscribe` killed at every point where it changes something: first comes the entry of the queue, then the line of
/// the record, then the tag; the command can be repeated.
struct UnsubscribeCrashTests {
  private static let words = ["unsubscribe", "--yes", "id:n0@list.test"]

  private let saved: SavedStage

  init() throws {
    let stage = try ComposeStage()
    let mail = """
      From: News <news@list.test>
      To: me@x.test
      Subject: issue
      Message-ID: <n0@list.test>
      List-Unsubscribe: <mailto:leave@list.test>
      Date: 1 Jul 2026 10:00:00 +0000

      text

      """
    try stage.deliver("n0", mail)
    try #require(stage.run("index").code == 0)
    saved = try SavedStage(stage)
  }

  private var stage: ComposeStage { saved.stage }

  private var isRemembered: Bool {
    Files.text(stage.magnum.home[".local/state/magnum/unsubscribed"])?.hasSuffix("\n") ?? false
  }

  private func isTagged() throws -> Bool {
    try stage.run("search", "--output", "messages", "tag:unsubscribed").output
      == "id:n0@list.test\n"
  }

  @Test func theOrderSurvivesEveryKill() throws {
    let points = try saved.points(of: Self.words)
    for point in Turn.chosen(of: points, every: Turn.stride(6)) {
      try saved.restore()
      let killed = try saved.run(Self.words, ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      stage.sink.settle()
      let isOnItsWay = !stage.queued.isEmpty || !stage.sink.messages.isEmpty
      try #require(isOnItsWay || !isRemembered, "point \(point): remembered before it is queued")
      let isTagged = try isTagged()
      try #require(isRemembered || !isTagged, "point \(point): tagged before it is remembered")
      let again = try saved.run(Self.words)
      try #require(again.code == 0, "point \(point): \(again)")
      _ = try stage.run("queue", "flush")
      stage.sink.settle()
      try #require(!stage.sink.messages.isEmpty && stage.queued.isEmpty, "point \(point)")
      // The files are the truth: where they have the tag, a killed act is not done again, and the index may lack it yet.
      _ = try stage.run("index")
      try #require(isRemembered, "point \(point)")
      try #require(try self.isTagged(), "point \(point) of \(points): \(again)")
    }
  }
}
