import Glibc
import TestSupport
import Testing

/// A flush killed at points where it changes something on disk or sends something: in the end there is one copy.
///
/// Some of the points are tried (`Turn`).
@Suite struct SentCopyFaultTests {
  private static let stride =
    Turn.stride(3)

  @Test(arguments: [false, true])
  func everyKillLeavesOneCopy(_ isSilent: Bool) throws {
    var options = PostStage.withSent
    if isSilent { options = options.hiding("UIDPLUS", "LITERAL+") }
    let stage = try PostStage(options)
    let letter = "Message-ID: <a@x.test>\nSubject: a\nBcc: c@x.test\n\ntext\n"
    #expect(try stage.give(letter, "--no-try", "-t", "b@x.test").code == 0)
    _ = try stage.sent()
    try stage.save()
    let file = stage.send.home["points"]
    #expect(try flush(stage, ["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20, "a debug build has fault points")
    var tried = 0
    var doubles = 0
    for point in Turn.chosen(of: points, every: Self.stride) {
      tried += 1
      try stage.restore()
      let killed = try flush(stage, ["MAGNUM_FAULT": "\(point)"])
      let place = "point \(point) of \(points): \(killed)"
      try #require(killed.end == .signalled(9), "\(place)")
      stage.sink.settle()
      if stage.sink.messages.count == 1, stage.entries("queue").contains(where: isOpen(stage)) {
        doubles += 1
      }
      for _ in 1...2 { try #require(try flush(stage).code == 0, "\(place)") }
      try #require(try stage.sent().count == 1, "\(place)")
      try #require((1...2).contains(stage.sink.messages.count), "\(place)")
      for state in ["queue", "failed", "hold", "log"] {
        try #require(stage.entries(state) == [], "\(state): \(place)")
      }
    }
    print("fault points of a flush with a copy: \(points), tried \(tried), sent twice \(doubles)")
  }

  /// What the user is told of a failure is there once, whenever the telling was cut short, and never leaves the machine.
  @Test func everyKillLeavesOneReport() throws {
    let stage = try PostStage()
    #expect(try stage.sync().code == 0)
    #expect(try stage.give("Subject: a\n\ntext\n", "--no-try", "p550@x.test").code == 0)
    try stage.save()
    let file = stage.send.home["points"]
    #expect(try flush(stage, ["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20, "a debug build has fault points")
    for point in Turn.chosen(of: points, every: Self.stride) {
      try stage.restore()
      let killed = try flush(stage, ["MAGNUM_FAULT": "\(point)"])
      let place = "point \(point) of \(points): \(killed)"
      try #require(killed.end == .signalled(9), "\(place)")
      for _ in 1...2 { try #require([0, 1].contains(try stage.sync().code), "\(place)") }
      try #require(LocalFolder(stage.maildir, "INBOX").bases.count == 1, "\(place)")
      try #require(try stage.sent("INBOX") == [], "\(place)")
      try #require(stage.entries("failed").count == 1 && stage.sink.messages.isEmpty, "\(place)")
    }
    print("fault points of telling of a failure: \(points)")
  }

  private func flush(_ stage: PostStage, _ variables: [String: String] = [:]) throws -> Outcome {
    try stage.send.command(["-q"], variables).run()
  }

  /// Whether the end of the message was announced, and no answer noted.
  private func isOpen(_ stage: PostStage) -> (String) -> Bool {
    { entry in
      let log = stage.log(of: entry)
      return log.contains(" sending ") && !log.contains(" accepted ")
    }
  }
}
