import SyncPlan
import TestSupport
import Testing

/// What makes two traces one message, on each way that it may have come.
@Suite struct SamenessTests {
  @Test(arguments: try Fixtures.load("Fixtures/sameness.txt"))
  func levels(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let pair = try Case(line)
      for way in try Self.ways(fixture.name) {
        let found = Sameness.compare(pair.known, pair.found, way)
        #expect("\(found.level)" == pair.level, "\(fixture.name): \(line)")
        if let facts = pair.facts { #expect(Self.text(found) == facts, "\(fixture.name): \(line)") }
      }
    }
  }

  /// What is that sure to be one message is found by a key, whatever is known of it.
  @Test(arguments: try Fixtures.load("Fixtures/sameness.txt"))
  func keys(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let pair = try Case(line)
      for way in try Self.ways(fixture.name) {
        let level = Sameness.compare(pair.known, pair.found, way).level
        guard level > .possible else { continue }
        let known = Set(Sameness.keys(pair.known, way, atLeast: level))
        let found = Sameness.keys(pair.found, way, atLeast: level)
        #expect(pair.found.former != nil || found.contains(where: known.contains), "\(line)")
      }
    }
  }

  private static func ways(_ name: String) throws -> [Sameness.Way] {
    try (name.split(separator: ":").first ?? "").split(separator: ",").map { name in
      switch name.drop(while: { $0 == " " }) {
      case "in its place": .inPlace
      case "moved by the server": .movedByServer
      case "moved here": .movedHere
      case "begun": .begun
      case "begun version": .begunVersion
      case "taken": .taken
      default: throw HarnessError("\(name): no way")
      }
    }
  }

  private static func text(_ found: Sameness) -> String {
    let letters: [(Sameness.Facts, String)] = [
      (.messageID, "i"), (.header, "h"), (.body, "b"), (.size, "s"), (.date, "d"),
    ]
    let agreeing = letters.filter { found.agreeing.contains($0.0) }.map(\.1)
    let differing = letters.filter { found.differing.contains($0.0) }.map { "-\($0.1)" }
    return (agreeing + differing).joined()
  }

  /// Two traces, and how sure it is that they are of one message.
  private struct Case {
    let known: Trace
    let found: Trace
    let level: String
    let facts: String?

    init(_ line: String) throws {
      let parts = line.split(separator: ": ").map { "\($0)" }
      let traces = parts[0].split(separator: "~", omittingEmptySubsequences: false)
      try #require(parts.count == 2 && traces.count == 2, "\(line)")
      let words = parts[1].split(separator: " ").map { "\($0)" }
      (known, found) = (try Self.trace(traces[0]), try Self.trace(traces[1]))
      (level, facts) = (words[0], words.count > 1 ? words[1] : nil)
    }

    private static func trace(_ text: Substring) throws -> Trace {
      var trace = Trace()
      for word in text.split(separator: " ") where word != "draft" {
        let numbers = try word.dropFirst().split(separator: ",").map {
          try #require(UInt64($0), "\(word)")
        }
        switch word.first {
        case "i": trace.messageID = numbers[0]
        case "h": trace.header = numbers[0]
        case "b": trace.body = BodyHash(high: numbers[0], low: 0)
        case "s": trace.size = numbers[0]
        case "d": trace.date = Int64(numbers[0])
        default:
          trace.former = ContentIdentity(
            messageID: numbers[0],
            bodyHigh: numbers[2],
            bodyLow: 0,
            header: numbers[1]
          )
        }
      }
      trace.isDraft = text.contains("draft")
      return trace
    }
  }
}
