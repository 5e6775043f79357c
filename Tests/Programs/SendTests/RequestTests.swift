import Synchronization
import TestSupport
import Testing

/// Entries that are about messages of the server: each is carried out once, on the right message, or not at all.
@Suite struct RequestTests {
  private static let hidden = [[], ["MOVE"], ["UIDPLUS"], ["MOVE", "UIDPLUS"]]

  @Test(arguments: hidden)
  func messagesWithoutAFileAreChangedOnTheServer(_ hidden: [String]) throws {
    let stage = try RequestStage(["a", "b", "c", "d", "e"], hiding: hidden)
    try stage.post.imap.select()
    try stage.post.imap.store("1,3", "+FLAGS (\\Seen)")
    try stage.enter("flags +\\Flagged +done -\\Seen", of: (1, nil, "a"))
    try stage.enter("move Archive", of: (2, nil, "b"))
    try stage.enter("trash", of: (3, nil, "c"))
    try stage.enter("expunge", of: (4, nil, nil))
    let list = try stage.post.magnum("queue", "list")
    #expect(list.output.contains("+\\Flagged +done -\\Seen on <a@x.test> in INBOX"), "\(list)")
    try stage.post.configure(imap: "imap+plain://127.0.0.1:\(try Loopback.freePort())")
    let away = try stage.flush()
    #expect(away.errors.contains("done on the IMAP server waits: cannot connect"), "\(away)")
    try stage.configure()
    #expect(list.output.contains("move <b@x.test> from INBOX to Archive"), "\(list)")
    // What a server without UIDPLUS does not name is looked for by the next run.
    for _ in 1...(hidden.isEmpty ? 1 : 2) { #expect(try stage.flush().code == 0) }
    let expected = ["INBOX": ["a+\\Flagged+done", "e"], "Archive": ["b"], "Trash": ["c+\\Seen"]]
    #expect(try stage.world() == expected)
    #expect(stage.entries == [0, 0, 0, 0])
  }

  @Test func aNewValidityLeadsToTheRightMessageOrToNone() throws {
    let stage = try RequestStage(["a", "b", "b", "c"])
    try stage.enter("move Archive", of: (4, nil, "a"), validity: 7)
    let twice = try stage.enter("expunge", of: (4, nil, "b"), validity: 7)
    let nameless = try stage.enter("expunge", of: (1, nil, nil), validity: 7)
    try stage.enter("expunge", of: (1, nil, "z"), validity: 7)
    // The UID is another message's by now, as after a server was put back.
    try stage.enter("flags +\\Seen", of: (2, nil, "c"))
    #expect(try stage.flush().code == 1)
    #expect(
      try stage.world() == ["INBOX": ["b", "b", "c+\\Seen"], "Archive": ["a"], "Trash": []]
    )
    #expect(stage.post.entries("failed") == [twice, nameless])
    let shown = try stage.post.magnum("queue", "show", twice)
    #expect(shown.output.contains("cannot be told which message is meant"), "\(shown)")
  }

  @Test func whatIsGoneIsDoneOrSaid() throws {
    let stage = try RequestStage(["a", "b", "c", "d"])
    try stage.post.imap.select()
    try stage.post.imap.move("1", to: "Archive")
    try stage.post.imap.move("2:4", to: "Trash")
    try stage.enter("move Archive", of: (1, nil, "a"))
    try stage.enter("expunge", of: (2, nil, "b"))
    let moved = try stage.enter("move Archive", of: (3, nil, "c"))
    let flagged = try stage.enter("flags +\\Seen", of: (4, nil, "d"))
    // What was asked for before waits for a person, and holds this.
    try stage.enter("expunge", of: (4, nil, "d"))
    let nowhere = try stage.enter("move Nowhere", of: (9, nil, "e"))
    #expect(try stage.flush().code == 1)
    #expect(stage.post.entries("failed") == [moved, flagged, nowhere])
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a"], "Trash": ["b", "c", "d"]])
    let shown = try stage.post.magnum("queue", "show", nowhere)
    #expect(shown.output.contains("the server has no mailbox Nowhere"), "\(shown)")
    #expect(stage.entries[0] == 1)
    #expect(try stage.post.magnum("queue", "discard", flagged).code == 0)
    #expect(try stage.flush().code == 0)
    #expect(stage.entries[0] == 0)
  }

  /// Name and place of a file are the truth; what they contradict is over, and what they show the sync tells the server.
  @Test func theFileCounts() throws {
    let stage = try RequestStage(["a", "b", "c", "d", "e"])
    #expect(try stage.post.sync().code == 0)
    let inbox = stage.inbox
    var bases: [String: String] = [:]
    for name in ["a", "b", "c", "d", "e"] { bases[name] = inbox.bases[try inbox.index(name)] }
    // Nothing shows that these were ever done here.
    try stage.enter("move Archive", of: (1, bases["a"], "a"))
    try stage.enter("expunge", of: (1, bases["a"], "a"))
    try stage.enter("flags +\\Flagged", of: (1, bases["a"], "a"))
    // This one shows the flag, and no name can show the keyword.
    try inbox.setFlags("F", of: "b")
    try stage.enter("flags +\\Flagged", of: (2, bases["b"], "b"))
    try stage.enter("flags +done", of: (2, bases["b"], "b"))
    // These went: to where it was said, to elsewhere, and away.
    _ = try inbox.move("c", to: "Trash", flags: "S")
    try stage.enter("trash", of: (3, bases["c"], "c"))
    _ = try inbox.move("d", to: "Trash", flags: "S")
    try stage.enter("move Archive", of: (4, bases["d"], "d"))
    try inbox.remove("e")
    try stage.enter("flags +\\Flagged", of: (5, bases["e"], "e"))
    for _ in 1...2 {
      let outcome = try stage.post.sync()
      #expect(outcome.code == 0, "\(outcome)")
      #expect(stage.entries == [0, 0, 0, 0])
      let trash = ["c+\\Seen", "d+\\Seen", "e"]
      #expect(
        try stage.world() == ["INBOX": ["a", "b+\\Flagged+done"], "Archive": [], "Trash": trash]
      )
    }
  }

  /// A file that went for an entry tells nothing else.
  @Test func aFileThatWentForAnEntryIsNoRemoval() throws {
    let stage = try RequestStage(["a", "b", "c", "d"])
    #expect(try stage.post.sync().code == 0)
    let inbox = stage.inbox
    for (number, name) in ["a", "b", "c"].enumerated() {
      let message = (number + 1, inbox.bases[try inbox.index(name)], name)
      try stage.enter(name == "c" ? "expunge" : "move Archive", of: message)
    }
    for name in ["a", "b", "c", "d"] { try inbox.remove(name) }
    // A person stopped one, another failed, and a third is not even tried.
    let names = stage.post.entries("queue")
    try Command.shell(
      "cd \"$1\"; mkdir -m 700 -p hold failed; mv queue/\"$2\" hold; mv queue/\"$3\" failed",
      [stage.post.spool, names[0], names[1]]
    )
    let waiting = try stage.post.sync("--dry-run")
    #expect(waiting.output.contains("left to the entries of the queue"), "\(waiting)")
    let before = try stage.post.sync()
    #expect(before.code == 0, "\(before)")
    #expect(try stage.world() == ["INBOX": ["a", "b"], "Archive": [], "Trash": ["d"]])
    let report = String(decoding: try stage.inbox.content(0), as: UTF8.self)
    #expect(report.contains("  move <b@x.test> from INBOX to Archive"), "\(report)")
    #expect(!report.contains("magnum queue edit"), "\(report)")
    #expect(
      try stage.post.magnum("queue", "edit", names[1]).errors.contains("no message to edit")
    )
    #expect(try stage.post.magnum("queue", "release", names[0]).code == 0)
    #expect(try stage.post.magnum("queue", "retry", names[1]).code == 0)
    for _ in 1...2 {
      #expect(try stage.post.sync().code == 0)
      #expect(try stage.world() == ["INBOX": [], "Archive": ["a", "b"], "Trash": ["d"]])
      #expect(stage.entries == [0, 0, 0, 0])
      // What is left is the message about the one that failed.
      #expect(stage.inbox.bases.allSatisfy { $0.hasSuffix(".magnum") })
    }
  }

  /// A refusal of MOVE without a code is one of the command, for which COPY stands in.
  @Test(arguments: [("UID MOVE", "NO [NOPERM] not now"), ("SELECT", "NO not now")])
  func whatTheServerRefusesThreeTimesFails(_ command: String, _ answer: String) throws {
    let isRefusing = Mutex(true)
    let stage = try RequestStage(["a"]) { line in
      line.hasPrefix(command) && isRefusing.withLock { $0 } ? .refused(answer) : .passed
    }
    let entry = try stage.enter("move Archive", of: (1, nil, "a"))
    for attempt in 1...3 {
      let outcome = try stage.flush()
      #expect(outcome.code == (attempt == 3 ? 1 : 0), "\(outcome)")
      #expect(stage.post.entries("failed") == (attempt == 3 ? [entry] : []))
    }
    let shown = try stage.post.magnum("queue", "show", entry)
    #expect(shown.output.contains(": not now"), "\(shown)")
    isRefusing.withLock { $0 = false }
    #expect(try stage.post.magnum("queue", "retry", entry).code == 0)
    #expect(try stage.flush().code == 0)
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a"], "Trash": []])
  }

  /// The copy is there, and the message could not be removed: no further copy, whichever run tries again.
  @Test func aCopyIsNotMadeTwice() throws {
    let isRefusing = Mutex(true)
    let stage = try RequestStage(["a"], hiding: ["MOVE"]) { line in
      line.hasPrefix("UID EXPUNGE") && isRefusing.withLock { $0 } ? .refused("NO not now") : .passed
    }
    let entry = try stage.enter("move Archive", of: (1, nil, "a"))
    for _ in 1...3 { try stage.flush() }
    #expect(stage.post.entries("failed") == [entry])
    #expect(try stage.world() == ["INBOX": ["a"], "Archive": ["a"], "Trash": []])
    isRefusing.withLock { $0 = false }
    #expect(try stage.post.magnum("queue", "retry", entry).code == 0)
    #expect(try stage.flush().code == 0)
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a"], "Trash": []])
    #expect(stage.entries == [0, 0, 0, 0])
  }

  /// Of what the target was like before nothing is known but what opening it tells.
  @Test func aCopyWithoutSTATUSIsMadeOnce() throws {
    let stage = try RequestStage(["a"], hiding: ["MOVE", "UIDPLUS", "LIST-STATUS"]) { line in
      line.hasPrefix("STATUS") ? .refused("NO not for you") : .passed
    }
    try stage.enter("move Archive", of: (1, nil, "a"))
    for _ in 1...3 { #expect(try stage.flush().code == 0) }
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a"], "Trash": []])
    #expect(stage.entries == [0, 0, 0, 0])
  }

  /// What another client marked as deleted stays, and stays marked.
  @Test func withoutUIDPLUSNothingElseIsExpunged() throws {
    let stage = try RequestStage(["a", "b", "c"], hiding: ["UIDPLUS"])
    try stage.post.imap.select()
    try stage.post.imap.store("1", "+FLAGS (\\Deleted)")
    try stage.enter("expunge", of: (2, nil, "b"))
    try stage.enter("expunge", of: (3, nil, "c"))
    #expect(try stage.flush().code == 0)
    #expect(try stage.world()["INBOX"] == ["a+\\Deleted"])
    #expect(stage.entries == [0, 0, 0, 0])
  }

  /// One at which the server hangs up every time, and one that is damaged: the others are done all the same.
  @Test func oneEntryIsNotInTheWayOfOthers() throws {
    let stage = try RequestStage(["a", "b", "c"]) { line in
      line.hasPrefix("UID MOVE 1 ") ? .hungUp("* BYE no") : .passed
    }
    try stage.enter("move Archive", of: (1, nil, "a"))
    try stage.enter("flags +\\Seen", of: (1, nil, "a"))
    try stage.enter("move Archive", of: (2, nil, "b"))
    let outcome = try stage.flush()
    #expect(
      outcome.errors.contains("IMAP server waits: the server closed the connection"),
      "\(outcome)"
    )
    // Nothing overtakes what was asked for the same message before.
    #expect(try stage.world() == ["INBOX": ["a", "c"], "Archive": ["b"], "Trash": []])
    #expect(stage.entries[0] == 2)
  }

  /// What a damaged entry is about is unknown: no file that is gone counts as removed, unless it was to be sent.
  @Test(arguments: ["send", "change", "move"])
  func aDamagedEntryHoldsRemovals(_ kind: String) throws {
    let stage = try RequestStage(["a", "b"])
    #expect(try stage.post.sync().code == 0)
    try Command.shell(
      "umask 077; mkdir -p \"$1/hold\"; printf 'Magnum-Spool: 1\\nKind: %s\\nx\\n\\n' $2 > \"$1/hold/$3\"",
      [stage.post.spool, kind, "1700000000000009.00000009"]
    )
    try stage.inbox.remove("a")
    let outcome = try stage.post.sync("-v")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("left to the entries of the queue") == (kind != "send"))
    #expect(try stage.world()["Trash"] == (kind == "send" ? ["a"] : []))
  }

  /// An entry is made before its file is changed: a run in between waits.
  @Test func anEntryThatWasJustMadeIsNotSuperseded() throws {
    let stage = try RequestStage(["a"])
    #expect(try stage.post.sync().code == 0)
    let now = String(
      try Command.shell("date -u +%Y-%m-%dT%H:%M:%SZ").prefix { $0 != "\n" }
    )
    let base = stage.inbox.bases[0]
    try stage.enter("move Archive", of: (1, base, "a"), queued: now)
    try stage.flush()
    #expect(stage.entries[0] == 1)
    try stage.inbox.remove("a")
    #expect(try stage.flush().code == 0)
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a"], "Trash": []])
  }

  @Test func whatIsInTrashGoesForGood() throws {
    let stage = try RequestStage(["a"])
    try stage.post.imap.select()
    try stage.post.imap.move("1", to: "Trash")
    let validity = try stage.post.imap.status("UIDVALIDITY", of: "Trash")
    try stage.enter("trash", of: (1, nil, "a"), validity: validity, mailbox: "Trash")
    #expect(try stage.flush().code == 0)
    #expect(try stage.world() == ["INBOX": [], "Archive": [], "Trash": []])
  }

  /// An account that cannot send has a queue for its mailboxes all the same.
  @Test func anAccountWithoutSMTPWorksOnItsQueue() throws {
    let stage = try RequestStage(["a", "b"])
    try stage.post.configure(canSend: false)
    try stage.enter("move Archive", of: (1, nil, "a"))
    #expect(try stage.flush().lines == ["work  0 sent  0 waiting"])
    try stage.enter("move Archive", of: (2, nil, "b"))
    #expect(try stage.post.sync().code == 0)
    #expect(try stage.world() == ["INBOX": [], "Archive": ["a", "b"], "Trash": []])
    #expect(try stage.post.magnum("status").code == 0)
  }

  /// Mail that waits for an account which lost its SMTP server is told of, though the account has a queue.
  @Test func mailThatCannotBeSentIsNotForgotten() throws {
    let stage = try RequestStage(["a"])
    #expect(try stage.post.give("Subject: b\n\ntext\n", "--no-try", "b@x.test").code == 0)
    try stage.enter("move Archive", of: (1, nil, "a"))
    try stage.post.configure(canSend: false)
    let words = "1 waiting, and the configuration has no such account that can send"
    #expect(try stage.post.give("", "-q").errors.contains(words))
    #expect(try stage.world()["Archive"] == ["a"])
    let status = try stage.post.magnum("status")
    #expect(status.code == 1 && status.output.contains(words), "\(status)")
  }

  /// An entry of a version before the first release is not carried out, and its failure says so.
  @Test func anEntryOfAFormerKindIsSaid() throws {
    let stage = try RequestStage(["a"])
    let entry = try stage.enter("move Archive", of: (1, nil, "a"))
    try Command.shell(
      "sed -i 's/^Kind: change/Kind: move/' \"$1/queue/$2\"",
      [stage.post.spool, entry]
    )
    #expect(try stage.flush().code == 1)
    #expect(stage.post.entries("failed") == [entry])
    let list = try stage.post.magnum("queue", "list")
    #expect(list.output.contains("given up before the first release"), "\(list)")
    #expect(try stage.world()["INBOX"] == ["a"])
  }
}
