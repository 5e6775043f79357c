import Glibc
import TestSupport
import Testing

/// A run over the queue killed at points where it changes something on disk or sends something: in the end each request
/// was carried out once.
///
/// Some of the points are tried (`Turn`).
@Suite struct RequestFaultTests {
  private static let stride =
    Turn.stride(4)

  @Test(arguments: [
    ([], false), ([], true), (["MOVE"], true), (["MOVE", "UIDPLUS"], false),
  ])
  func everyKillLeavesEachRequestDoneOnce(_ hidden: [String], inOneEntry: Bool) throws {
    let stage = try RequestStage(["a", "b", "c", "d", "e"], hiding: hidden)
    let changes: [(String, [RequestStage.Named])] = [
      ("flags +\\Flagged", [(1, nil, "a")]), ("move Archive", [(2, nil, "b")]),
      ("trash", [(3, nil, "c")]), ("expunge", [(4, nil, "d")]),
    ]
    if inOneEntry {
      try stage.enter(changes)
    } else {
      for change in changes { try stage.enter([change]) }
    }
    try stage.post.save()
    let file = stage.post.send.home["points"]
    #expect(try stage.flush(["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20, "a debug build has fault points")
    let expected = ["INBOX": ["a+\\Flagged", "e"], "Archive": ["b"], "Trash": ["c"]]
    var tried = 0
    for point in Turn.chosen(of: points, every: Self.stride) {
      tried += 1
      try stage.post.restore()
      let killed = try stage.flush(["MAGNUM_FAULT": "\(point)"])
      let place = "point \(point) of \(points): \(killed)"
      try #require(killed.end == .signalled(9), "\(place)")
      for _ in 1...3 { try #require(try stage.flush().code == 0, "\(place)") }
      try #require(try stage.world() == expected, "\(place)")
      try #require(stage.entries == [0, 0, 0, 0], "\(place)")
    }
    print("fault points of requests without \(hidden): \(points), tried \(tried)")
  }
}
