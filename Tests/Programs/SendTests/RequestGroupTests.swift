import Synchronization
import TestSupport
import Testing

/// Entries that name many messages, as one command of a person makes them: each message has an outcome of its own.
@Suite struct RequestGroupTests {
  @Test(arguments: [[], ["MOVE", "UIDPLUS"]])
  func oneEntryChangesManyMessages(_ hidden: [String]) throws {
    let stage = try RequestStage(["a", "b", "c", "d", "e", "f"], hiding: hidden)
    try stage.enter([
      ("flags +\\Flagged", [(1, nil, "a"), (2, nil, "b")]),
      ("move Archive", [(2, nil, "b"), (3, nil, "c")]),
      ("trash", [(4, nil, "d")]),
      ("expunge", [(5, nil, nil)]),
    ])
    let list = try stage.post.magnum("queue", "list")
    let words = "+\\Flagged on 2 messages in INBOX; move 2 messages from INBOX to Archive; "
    #expect(list.output.contains(words + "move <d@x.test> from INBOX to Trash; 1 more"), "\(list)")
    // What a server without UIDPLUS does not name is looked for by the next run.
    for _ in 1...(hidden.isEmpty ? 1 : 3) { #expect(try stage.flush().code == 0) }
    let expected = [
      "INBOX": ["a+\\Flagged", "f"], "Archive": ["b+\\Flagged", "c"], "Trash": ["d"],
    ]
    #expect(try stage.world() == expected)
    #expect(stage.entries == [0, 0, 0, 0])
  }

  /// What the server refuses for one message keeps no other from being changed, and is all that is tried again.
  @Test func oneThatIsRefusedFailsAlone() throws {
    let isRefusing = Mutex(true)
    let stage = try RequestStage(["a", "b", "c"]) { line in
      line.hasPrefix("UID MOVE 2 ") && isRefusing.withLock { $0 }
        ? .refused("NO [NOPERM] not this one") : .passed
    }
    let entry = try stage.enter(
      "move Archive",
      of: (1, nil, "a"),
      (2, nil, "b"),
      (3, nil, "c"),
      (9, nil, "z")
    )
    for attempt in 1...3 {
      #expect(try stage.flush().code == (attempt == 3 ? 1 : 0))
      #expect(try stage.world() == ["INBOX": ["b"], "Archive": ["a", "c"], "Trash": []])
      #expect(stage.post.entries("failed") == (attempt == 3 ? [entry] : []))
    }
    let list = try stage.post.magnum("queue", "list")
    #expect(list.output.contains("move 4 messages from INBOX to Archive (2 of 4 done)"), "\(list)")
    let json = try stage.post.magnum("queue", "list", "--json")
    #expect(stage.states(json.output) == ["done", "rejected", "done", "rejected"])
    // Only then is there an inbox to put a report into.
    for _ in 1...2 { #expect(try stage.post.sync().code == 0) }
    let report = try stage.reports()
    #expect(
      report.contains(
        "  move <b@x.test> from INBOX to Archive\n    the server refused MOVE: not this"
      )
    )
    #expect(
      report.contains(
        "  move <z@x.test> from INBOX to Archive\n    the message is not there any more"
      )
    )
    #expect(!report.contains("<a@x.test>"), "\(report)")
    isRefusing.withLock { $0 = false }
    #expect(try stage.post.magnum("queue", "retry", entry).code == 0)
    #expect(try stage.flush().code == 1)
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a", "b", "c"], "Trash": []])
  }

  /// A message whose change waits holds what comes behind it for the same message, and nothing else.
  @Test func nothingOvertakesAChangeOfTheSameMessage() throws {
    let isRefusing = Mutex(true)
    let stage = try RequestStage(["a", "b"]) { line in
      line.hasPrefix("UID STORE 1 ") && isRefusing.withLock { $0 }
        ? .refused("NO not now") : .passed
    }
    try stage.enter([
      ("flags +$Junk", [(1, nil, "a"), (2, nil, "b")]),
      ("move Archive", [(1, nil, "a"), (2, nil, "b")]),
    ])
    try stage.enter("trash", of: (1, nil, "a"))
    #expect(try stage.flush().code == 0)
    #expect(try stage.world() == ["INBOX": ["a"], "Archive": ["b+$Junk"], "Trash": []])
    #expect(stage.entries[0] == 2)
    isRefusing.withLock { $0 = false }
    #expect(try stage.flush().code == 0)
    // The second entry came too late: what it was to delete is not in its mailbox any more.
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a+$Junk", "b+$Junk"], "Trash": []])
    #expect(stage.entries == [0, 0, 0, 0])
  }

  /// What was settled by its file is the file's business again, whatever else the entry waits for.
  @Test func aSettledMessageIsNoDepartureAnyMore() throws {
    let stage = try RequestStage(["a", "b"])
    #expect(try stage.post.sync().code == 0)
    let inbox = stage.inbox
    let bases = try ["a", "b"].map { inbox.bases[try inbox.index($0)] }
    let entry = try stage.enter("move Nowhere", of: (1, bases[0], "a"), (2, bases[1], "b"))
    try inbox.remove("b")
    #expect(try stage.flush().code == 1)
    #expect(stage.post.entries("failed") == [entry])
    try inbox.remove("a")
    #expect(try stage.post.sync("--allow-mass-delete", "work/INBOX", "work").code == 0)
    #expect(try stage.world() == ["INBOX": ["b"], "Archive": [], "Trash": ["a"]])
  }

  /// Two hundred files that show what is asked for are settled by one write, and without a word to the server for each.
  @Test func manyFilesAreSettledTogether() throws {
    let names = (1...200).map { "m\($0)" }
    let stage = try RequestStage(names)
    #expect(try stage.post.sync().code == 0)
    let inbox = stage.inbox
    for name in names { try inbox.setFlags("S", of: name) }
    let messages = try names.enumerated().map { number, name in
      (number + 1, Optional(inbox.bases[try inbox.index(name)]), Optional(name))
    }
    try stage.enter([("flags +\\Seen", messages)])
    let file = stage.post.send.home["points"]
    #expect(try stage.flush(["MAGNUM_FAULT_COUNT": file]).code == 0)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    #expect(points > 0 && points < 80, "\(points) steps on disk and to the server")
    #expect(stage.entries == [0, 0, 0, 0])
    #expect(try stage.post.sync().code == 0)
    #expect(try stage.world()["INBOX"]?.allSatisfy { $0.hasSuffix("+\\Seen") } == true)
  }
}
