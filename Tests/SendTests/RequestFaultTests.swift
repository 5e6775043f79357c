import Glibc
import TestSupport
import Testing

/// A run over the queue killed at points where it changes something on disk or sends something: in the end each request
/// was carried out once.
///
/// Every fourth point is tried, beginning with one that the commit decides. MAGNUM_FAULT_STRIDE=1 tries each.
@Suite struct RequestFaultTests {
  private static let stride =
    getenv("MAGNUM_FAULT_STRIDE").flatMap { Int(String(cString: $0)) }.map { max(1, $0 / 4) } ?? 4

  @Test(arguments: [[], ["MOVE"], ["MOVE", "UIDPLUS"]])
  func everyKillLeavesEachRequestDoneOnce(_ hidden: [String]) throws {
    let stage = try RequestStage(["a", "b", "c", "d", "e"], hiding: hidden)
    try stage.enter("flags", of: (1, nil, "a"), "Add-Flags: \\Flagged", "Remove-Flags:")
    try stage.enter("move", of: (2, nil, "b"), "Target: Archive")
    try stage.enter("delete", of: (3, nil, "c"), "Mode: trash")
    try stage.enter("delete", of: (4, nil, "d"), "Mode: expunge")
    try stage.post.save()
    let file = stage.post.send.home["points"]
    #expect(try stage.flush(["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20, "a debug build has fault points")
    let expected = ["INBOX": ["a+\\Flagged", "e"], "Archive": ["b"], "Trash": ["c"]]
    var tried = 0
    for point in Swift.stride(
      from: 1 + Turn.first(of: Self.stride),
      through: points,
      by: Self.stride
    ) {
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
