import TestSupport
import Testing

/// mutt and neomutt have a folder open while commands of magnum act on its messages: what they show next is what is there,
/// and what they write when they leave loses and doubles nothing.
@Suite struct OpenFolderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// What it is about.
    var name: String
    /// Keys of the client before the act, in INBOX with `mail 1` to `mail 4`, all read.
    var before = ""
    /// The act.
    var act: String
    /// The subjects that the client then has in the folder, in its order.
    var shown: [String]
    /// Keys of the client after that.
    var after = ""
    /// Where the messages are in the end on both sides, besides the others, which stay in INBOX as they were.
    var end: [String]

    var testDescription: String { name }
  }

  private static let all = (1...4).map { "mail \($0)" }
  private static let rest = Array(all.dropFirst())

  private static let cases = [
    Case(name: "read", act: "unread id:1.open@x.test", shown: all, end: ["INBOX mail 1 []"]),
    Case(name: "flag", act: "flag id:1.open@x.test", shown: all, end: ["INBOX mail 1 [FS]"]),
    Case(
      name: "archive",
      act: "archive id:1.open@x.test",
      shown: rest,
      end: ["Archive mail 1 [S]"]
    ),
    Case(name: "delete", act: "delete id:1.open@x.test", shown: rest, end: ["Trash mail 1 [S]"]),
    Case(name: "move", act: "move Work id:1.open@x.test", shown: rest, end: ["Work mail 1 [S]"]),
    Case(
      name: "copy",
      act: "copy Work id:1.open@x.test",
      shown: all,
      end: ["INBOX mail 1 [S]", "Work mail 1 [S]"]
    ),
    Case(
      name: "moved here",
      act: "move INBOX id:5.open@x.test",
      shown: all + ["mail 5"],
      end: ["INBOX mail 1 [S]", "INBOX mail 5 [S]"]
    ),
    Case(
      name: "archived and taken back",
      act: "archive id:1.open@x.test;undo",
      shown: all,
      after: "<first-entry><flag-message>",
      end: ["INBOX mail 1 [FS]"]
    ),
    Case(
      name: "flagged there, archived here",
      before: "<first-entry><flag-message>",
      act: "archive id:1.open@x.test",
      shown: rest,
      end: ["Archive mail 1 [S]"]
    ),
    Case(
      name: "deleted there, archived here",
      before: "<first-entry><delete-message>",
      act: "archive id:1.open@x.test",
      shown: rest,
      end: ["Archive mail 1 [S]"]
    ),
    Case(
      name: "deleted there, deleted here",
      before: "<first-entry><delete-message>",
      act: "delete id:1.open@x.test",
      shown: rest,
      end: ["Trash mail 1 [S]"]
    ),
    Case(
      name: "deleted there, flagged here",
      before: "<first-entry><delete-message>",
      act: "flag id:1.open@x.test",
      shown: all,
      end: ["Trash mail 1 [FS]"]
    ),
    Case(
      name: "replied to there, flagged here",
      before: "<first-entry><set-flag>r",
      act: "flag id:1.open@x.test",
      shown: all,
      end: ["INBOX mail 1 [RS]"]
    ),
    Case(
      name: "flagged here, replied to there",
      act: "flag id:1.open@x.test",
      shown: all,
      after: "<first-entry><set-flag>r",
      end: ["INBOX mail 1 [FRS]"]
    ),
    Case(
      name: "archived here, the next one deleted there",
      act: "archive id:1.open@x.test",
      shown: rest,
      after: "<first-entry><delete-message>",
      end: ["Archive mail 1 [S]", "Trash mail 2 [S]"]
    ),
    Case(
      name: "archived here, the next one saved there",
      act: "archive id:1.open@x.test",
      shown: rest,
      after: "<first-entry><save-message>+Work<enter>",
      end: ["Archive mail 1 [S]", "Work mail 2 [S]"]
    ),
    Case(
      name: "all of them",
      before: "<first-entry><flag-message><last-entry><delete-message>",
      act: "archive folder:INBOX",
      shown: [],
      end: all.map { "Archive \($0) [S]" }
    ),
  ]

  private static func stage() throws -> Stage {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Archive": "\\Archive"]
    let stage = try Stage(options)
    try stage.imap.create("Work")
    for number in 1...5 {
      let text = """
        From: a@x.test\r
        Date: Mon, 06 Jan 2025 12:0\(number):00 +0000\r
        Subject: mail \(number)\r
        Message-ID: <\(number).open@x.test>\r
        \r
        text \(number)\r

        """
      try stage.imap.append(Array(text.utf8), to: number == 5 ? "Work" : "INBOX", flags: "\\Seen")
    }
    try stage.configure(isIndexed: true)
    try stage.settle()
    return stage
  }

  /// The messages with their folders and flags, sorted: `INBOX mail 1 [S]`.
  private static func messages(_ stage: Stage) -> [String] {
    stage.tree.mailboxes.flatMap { name, files in
      files.map { file in
        let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
        let subject = lines.first { $0.hasPrefix("Subject: ") }.map { $0.dropFirst(9) } ?? ""
        return "\(name) \(subject) [\(file.flags)]"
      }
    }.sorted()
  }

  /// All cases with mutt, and with neomutt those where it has nothing to write.
  ///
  /// It looks at the folder again only after a while, and does not leave where what it has to write is of a file that is
  /// elsewhere by then.
  private static let plays =
    cases.map { ("mutt", $0) } + cases.prefix(6).map { ("neomutt", $0) }

  /// Whether the server hears of the act at once, or only after the client has left.
  @Test(arguments: Turn.part(of: plays))
  func anActInAnOpenFolder(_ program: String, _ table: Case) throws {
    for isToldAtOnce in [false, true] {
      let stage = try Self.stage()
      let others = Self.messages(stage)
      let client = try Mutt(program, of: stage.program, account: "test")
      // Its files are there as long as it is.
      defer { withExtendedLifetime(client) {} }
      let mutt = try client.open(table.before)
      try Self.act(table.act, stage)
      if isToldAtOnce { try stage.syncWell() }
      #expect(mutt.shows(table.shown), "told at once: \(isToldAtOnce)")
      if !table.after.isEmpty { try mutt.type(table.after) }
      try mutt.leave()
      // What the table names is there once, and all else is as it was.
      let named = table.end.map { $0.split(separator: " ")[1...2].joined(separator: " ") }
      let kept = others.filter { line in !named.contains { line.contains(" \($0) ") } }
      let expected = (kept + table.end).sorted()
      #expect(Self.messages(stage) == expected, "told at once: \(isToldAtOnce)")
      try Self.expectSame(stage, expected)
    }
  }

  /// A client that leaves before it has looked at the folder again loses nothing, whatever it does about files that have
  /// other names by then.
  @Test(arguments: Turn.part(of: plays))
  func aClientThatDoesNotLookAgain(_ program: String, _ table: Case) throws {
    let stage = try Self.stage()
    let acts = table.act.split(separator: ";").map { "magnum \($0)" }.joined(separator: "; ")
    // Keys behind one that fails are not read: then it leaves all the same.
    let client = try Mutt(program, of: stage.program, account: "test")
    defer { withExtendedLifetime(client) {} }
    let mutt = try client.open(
      "\(table.before)<shell-escape>{ \(acts); } >/dev/null 2>&1<enter>\(table.after)<sync-mailbox>",
      mayFail: true
    )
    try mutt.leave()
    let left = Self.messages(stage)
    for subject in (1...5).map({ "mail \($0)" }) {
      #expect(left.contains { $0.contains(" \(subject) ") }, "\(left)")
    }
    try Self.expectSame(stage, left)
  }

  private static func act(_ words: String, _ stage: Stage) throws {
    for words in words.split(separator: ";") {
      var command = stage.program.command(words.split(separator: " ").map { "\($0)" })
      command.program = "\(ProgramUnderTest.products)/magnum"
      let outcome = try command.run()
      try #require(outcome.code == 0, "\(words): \(outcome)")
    }
  }

  /// Expects that syncs change nothing here, and that the server has the same messages then, in the same places.
  private static func expectSame(_ stage: Stage, _ expected: [String]) throws {
    for _ in 0..<3 { try stage.syncWell() }
    #expect(messages(stage) == expected)
    let there = try stage.imap.everything().flatMap { name, messages in
      messages.map { message in
        let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
        let subject = lines.first { $0.hasPrefix("Subject: ") }.map { $0.dropFirst(9) } ?? ""
        return "\(name) \(subject) [\(MaildirTree.letters(message.flags))]"
      }
    }
    #expect(there.sorted() == expected)
  }
}
