import Glibc
import TestSupport
import Testing

/// Queues over a line with a delay: round trips, and what may be uncertain when the line breaks.
@Suite struct PipelinedQueueTests {
  private let stage: SendStage

  init() throws { stage = try SendStage() }

  private static let extensions = ["PIPELINING", "SIZE 1000000", "8BITMIME"]
  private static let chunking = extensions + ["CHUNKING"]

  private func offer(_ extensions: [String]) { stage.sink.change { $0.extensions = extensions } }

  private func fill(_ count: Int, to recipient: String = "a@x.test") throws {
    for number in 1...count {
      #expect(try stage.send("Subject: \(number)\n\n.text\n", "--no-try", recipient).code == 0)
    }
  }

  private func names(_ count: Int) -> [String] { (1...count).map { "\($0)" } }

  /// How a queue is sent, with the turns that so many messages take: greeting, EHLO, the first commands, and the end count
  /// four.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let extensions: [String]
    var lines = ""
    var counts = [10, 19]
    let turns: @Sendable (Int) -> Int

    var testDescription: String { name }
  }

  static let ways = [
    // Each command waits: MAIL, RCPT, DATA, the text.
    Way(name: "stepwise", extensions: ["SIZE"], counts: [2, 4]) { 2 + 4 * $0 },
    Way(name: "pipelined", extensions: extensions) { 3 + $0 },
    // The first two show that the server reads behind the end of a message.
    Way(name: "chunks", extensions: chunking) { 5 + ($0 - 2 + 7) / 8 },
    Way(name: "held", extensions: chunking, lines: "if-uncertain = \"hold\"") { 3 + $0 },
  ]

  @Test(arguments: ways) func aMessageCostsSoManyTurns(_ way: Way) throws {
    offer(way.extensions)
    for count in way.counts {
      let proxy = try DelayProxy(to: stage.sink.port, .delayed(0.2))
      try stage.configure(way.lines, server: "smtp+plain://127.0.0.1:\(proxy.port)")
      stage.sink.clear()
      try fill(count)
      let outcome = try stage.flush()
      #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
      #expect(stage.subjects == names(count) && stage.sink.connectionCount > 0)
      #expect(stage.sink.messages.allSatisfy { $0.text.hasSuffix("\n\n.text\n") })
      #expect(proxy.counters.turns == way.turns(count), "\(count) messages")
      for state in ["queue", "log", "failed", "hold"] { #expect(stage.entries(state) == []) }
    }
  }

  /// Those who are refused stop no other, and need no further connection.
  @Test(arguments: [extensions, chunking]) func refusalsInTheMidst(_ extensions: [String]) throws {
    offer(extensions)
    for number in 1...20 {
      let recipient = [5: "p550@x.test", 6: "t450@x.test", 9: "p550@x.test"][number] ?? "a@x.test"
      let judge = number == 12 ? "X-Judge: data554\n" : number == 13 ? "X-Judge: data451\n" : ""
      let text = "Subject: \(number)\n\(judge)\n"
      #expect(try stage.send(text, "--no-try", recipient).code == 0)
    }
    try stage.flush()
    #expect(stage.subjects == names(20).filter { !["5", "6", "9", "12", "13"].contains($0) })
    #expect(stage.sink.connectionCount == 1)
    #expect(stage.entries("failed").count == 3 && stage.entries("queue").count == 2)
    #expect(stage.entries("queue").allSatisfy { stage.log(of: $0).contains(" deferred 1 ") })
  }

  /// Some recipients of a message, or all of them; the next one is not concerned, nor is one for several.
  @Test(arguments: [extensions, chunking])
  func severalRecipientsAmongOthers(_ extensions: [String]) throws {
    offer(extensions)
    for number in 1...12 {
      let recipients =
        number % 3 == 0 ? ["a@x.test", "p550@x.test", "b@x.test"] : ["c\(number)@x.test"]
      let words = ["--no-try"] + recipients
      #expect(try stage.command("Subject: \(number)\n\n", words).run().code == 0)
    }
    try stage.flush()
    #expect(stage.subjects == names(12) && stage.sink.connectionCount == 1)
    #expect(stage.sink.messages.map(\.to.count) == (1...12).map { $0 % 3 == 0 ? 2 : 1 })
    #expect(stage.entries("failed").count == 4 && stage.entries("queue") == [])
  }

  /// A connection that breaks anywhere, in either direction: nothing is lost, and only what was uncertain is sent twice.
  @Test(arguments: [extensions, chunking], [true, false])
  func aCutAnywhereLosesNothing(_ extensions: [String], _ isDown: Bool) throws {
    offer(extensions)
    let count = 12
    try fill(count)
    try stage.save()
    let whole = try DelayProxy(to: stage.sink.port, .delayed(0))
    try stage.configure(server: "smtp+plain://127.0.0.1:\(whole.port)")
    try stage.flush()
    let octets = isDown ? whole.counters.down : whole.counters.up
    try #require(octets > 300)
    let limit = extensions == Self.chunking ? 8 : 1
    var most = 0
    for cut in Turn.chosen(of: octets, every: isDown ? 23 : 61) {
      try stage.restore()
      var link = DelayProxy.Link.delayed(0)
      if isDown { link.cutAfterDown = cut } else { link.cutAfterUp = cut }
      link.meant = 1...1
      let proxy = try DelayProxy(to: stage.sink.port, link)
      try stage.configure(server: "smtp+plain://127.0.0.1:\(proxy.port)")
      let outcome = try stage.flush()
      stage.sink.settle()
      let uncertain = stage.entries("queue").filter { stage.log(of: $0).contains(" unanswered 1 ") }
      most = max(most, uncertain.count)
      try #require(uncertain.count <= limit, "cut at \(cut)")
      let subjects = uncertain.compactMap { subject(of: $0) }
      try stage.flush()
      try #require(Set(stage.subjects) == Set(names(count)), "cut at \(cut): \(outcome)")
      let doubled = names(count).filter { name in stage.subjects.count { $0 == name } > 1 }
      try #require(Set(doubled).isSubset(of: subjects), "cut at \(cut): \(doubled)")
      try #require(stage.entries("queue") == [] && stage.entries("log") == [], "cut at \(cut)")
    }
    print("\(octets) octets \(isDown ? "down" : "up"), at most \(most) uncertain")
  }

  /// A kill anywhere: each message that may be there twice has a log that says so.
  @Test(arguments: [extensions, chunking]) func aKillAnywhereLosesNothing(
    _ extensions: [String]
  ) throws {
    offer(extensions)
    let count = 12
    try fill(count)
    try stage.save()
    let file = stage.program.home["points"]
    #expect(try stage.flush(variables: ["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = (Files.text(file) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
    try #require(points > 100)
    let limit = extensions == Self.chunking ? 8 : 1
    var most = 0
    for point in Turn.chosen(of: points, every: Turn.givenStride ?? 9) {
      try stage.restore()
      let killed = try stage.flush(variables: ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      stage.sink.settle()
      let uncertain = stage.entries("queue").filter { isUncertain($0) }
      most = max(most, uncertain.count)
      try #require(uncertain.count <= limit, "point \(point), \(killed.errors)")
      let subjects = uncertain.compactMap { subject(of: $0) }
      for _ in 1...2 { #expect(try stage.flush().code == 0) }
      try #require(Set(stage.subjects) == Set(names(count)), "point \(point), \(killed.errors)")
      let doubled = names(count).filter { name in stage.subjects.count { $0 == name } > 1 }
      try #require(Set(doubled).isSubset(of: subjects), "point \(point), \(killed.errors)")
      for state in ["queue", "log", "failed", "tmp"] {
        try #require(stage.entries(state) == [], "point \(point), \(state)")
      }
    }
    print("\(points) fault points, at most \(most) uncertain")
  }

  /// Whether its log says that its end was about to be sent, and no more; behind the last line end stands what a kill left.
  private func isUncertain(_ entry: String) -> Bool {
    let lines = stage.log(of: entry).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().last?.contains(" sending 1") ?? false
  }

  private func subject(of entry: String) -> String? {
    let text = Files.text("\(stage.spool)/queue/\(entry)") ?? ""
    return text.split(separator: "\n").first { $0.hasPrefix("Subject: ") }
      .map { String($0.dropFirst(9)) }
  }

  /// One disk operation refused at a time: what the server has is known, and nothing is lost.
  @Test(arguments: [extensions, chunking]) func aFullDiskInTheMidst(_ extensions: [String]) throws {
    offer(extensions)
    try fill(11)
    try stage.save()
    var change = 1 + Turn.first(of: 5)
    var isPast = false
    while !isPast, change < 400 {
      try stage.restore()
      let variables = ["MAGNUM_FAULT_ERROR": "\(change):ENOSPC"]
      let first = try stage.flush(variables: variables)
      isPast = first.code == 0 && first.errors == "" && stage.entries("queue") == []
      stage.sink.settle()
      for _ in 1...2 { #expect(try stage.flush().code == 0) }
      try #require(Set(stage.subjects) == Set(names(11)), "change \(change): \(first)")
      // Of an answer that could not be noted it is unknown; there is room for it, so that no more than one is ever concerned.
      try #require(stage.subjects.count <= 12, "change \(change): \(stage.subjects)")
      try #require(stage.entries("queue") == [] && stage.entries("hold") == [], "change \(change)")
      change += 5
    }
  }
}
