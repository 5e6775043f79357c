import TestSupport
import Testing

/// What a person does about the rest of a message that others have: the copy of what those have is there once, and nobody gets
/// anything twice.
@Suite struct SharedMessageTests {
  private let stage: PostStage

  /// Of a message one has it, one is refused for now and one for good; the IMAP server is down, so that the copy waits.
  init() throws {
    stage = try PostStage()
    try stage.configure(imap: "imap+plain://127.0.0.1:\(try Loopback.freePort())")
    let letter = "Message-ID: <a@x.test>\nSubject: a\n\nfirst\n"
    _ = try stage.give(letter, "a@x.test", "t450@x.test", "p550@x.test")
    try #require(stage.sink.messages.count == 1 && stage.entries("queue").count == 1)
    try #require(stage.entries("failed") == ["\(try entry()).1"])
  }

  private func entry() throws -> String { try #require(stage.entries("queue").first) }

  private func queue(_ words: [String], _ variables: [String: String] = [:]) throws -> Outcome {
    var command = stage.send.command(["queue"] + words, variables)
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array("Message-ID: <a@x.test>\nSubject: a\n\nsecond\n".utf8)
    return try command.run()
  }

  /// What was sent to whom: the first recipient, and the last line.
  private var sent: [String] {
    stage.sink.messages.map { message in
      "\(message.to[0]) \(message.text.split(separator: "\n").last ?? "")"
    }
  }

  /// The last lines of the copies, and their ids.
  private func copies() throws -> (lines: [String], ids: Set<String>) {
    let texts = try stage.sent().map { String(decoding: $0.body, as: UTF8.self) }
    let lines = texts.map { $0.split(separator: "\r\n").last.map { "\($0)" } ?? "" }
    let ids = texts.compactMap { text in
      text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") }.map { "\($0)" }
    }
    return (lines.sorted(), Set(ids))
  }

  /// The server is back, and what waits is done.
  private func settle() throws {
    try stage.configure()
    for _ in 1...2 { #expect(try queue(["flush"]).code == 0) }
  }

  @Test(arguments: ["queue", "hold"])
  func theRestIsDiscardedAndTheCopyMade(_ state: String) throws {
    let entry = try entry()
    if state == "hold" { #expect(try queue(["hold", entry]).code == 0) }
    let outcome = try queue(["discard", entry])
    #expect(outcome.code == 0 && outcome.lines[0].hasPrefix("discarded \(entry).2"), "\(outcome)")
    #expect(stage.entries("discarded") == ["\(entry).2"])
    try settle()
    #expect(try copies().lines == ["first"] && sent == ["<a@x.test> first"])
    #expect(stage.entries("queue") == [] && stage.entries("hold") == [])
    // What was discarded can be put back; it makes no second copy.
    #expect(try queue(["undiscard", "\(entry).2"]).code == 0)
    #expect(stage.entries(state) == ["\(entry).2"])
    #expect(try queue(["edit", "--to", "b@x.test", "\(entry).2"]).code == 0)
    try settle()
    #expect(try copies().lines == ["first"])
    #expect(sent == ["<a@x.test> first", "<b@x.test> first"])
  }

  /// It is too late for it, before the edit and after.
  @Test(arguments: ["queue", "hold", "failed"])
  func theRestIsNoDraftAfterAnEdit(_ state: String) throws {
    let entry = try entry() + (state == "failed" ? ".1" : "")
    if state == "hold" { #expect(try queue(["hold", entry]).code == 0) }
    for words in [["cancel", entry], ["edit", "--to", "b@x.test", entry]] {
      let outcome = try queue(words)
      #expect(outcome.code == (words[0] == "edit" ? 0 : 1), "\(outcome)")
      guard words[0] == "edit" else { continue }
      let new = try #require(outcome.lines.first)
      for words in [["cancel", new], ["edit", "--to", "c@x.test", new]] {
        let outcome = try queue(words)
        #expect(outcome.code == (words[0] == "edit" ? 0 : 1), "\(outcome)")
        if words[0] == "cancel" { #expect(outcome.errors.contains("other recipients have it")) }
      }
    }
    try settle()
    #expect(try copies().lines == ["first"])
    #expect(sent == ["<a@x.test> first", "<c@x.test> first"])
  }

  /// Another text is another message: it has an id of its own, and a copy of its own.
  @Test(arguments: ["queue", "hold", "failed"], [false, true])
  func anotherTextHasItsOwnCopy(_ state: String, _ isCopied: Bool) throws {
    if isCopied { try settle() }
    let entry = state == "failed" ? try #require(stage.entries("failed").first) : try entry()
    if state == "hold" { #expect(try queue(["hold", entry]).code == 0) }
    let edit = try queue(["edit", "--to", "b@x.test", "--message", "-", entry])
    #expect(edit.code == 0, "\(edit)")
    try settle()
    #expect(sent == ["<a@x.test> first", "<b@x.test> second"])
    let (lines, ids) = try copies()
    #expect(lines == ["first", "second"] && ids.count == 2, "\(lines) \(ids)")
  }

  /// Killed at any point: the copy is made once, and who is left has one entry, or gets one message.
  @Test(arguments: ["discard", "edit"])
  func aChangeOfTheRestSurvivesEveryKill(_ command: String) throws {
    let entry = try entry()
    let words = command == "edit" ? ["edit", "--to", "b@x.test", entry] : ["discard", entry]
    _ = try stage.sent()
    try stage.save()
    let file = stage.send.home["points"]
    #expect(try queue(words, ["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20, "a debug build has fault points")
    for point in Turn.chosen(of: points, every: Turn.stride(6)) {
      try stage.restore()
      let killed = try queue(words, ["MAGNUM_FAULT": "\(point)"])
      let place = "point \(point) of \(points): \(killed.errors)"
      try #require(killed.end == .signalled(9), "\(place)")
      try settle()
      try #require(try copies().lines == ["first"], "\(place)")
      try #require(stage.entries("hold") == [] && stage.entries("tmp") == [], "\(place)")
      let (waiting, discarded) = (stage.entries("queue").count, stage.entries("discarded").count)
      try #require(waiting + discarded + sent.count == 1, "\(place): \(sent)")
      if command == "edit" {
        try #require(sent == ["<b@x.test> first"] || sent == [] && waiting == 1, "\(place)")
      }
      try #require(stage.entries("failed") == ["\(entry).1"], "\(place)")
    }
  }
}
