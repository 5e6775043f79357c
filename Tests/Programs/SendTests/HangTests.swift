import Glibc
import TestSupport
import Testing

/// No open can hang: whatever lies under a name that the programs open, in the spool, the state, the index, or in the place of the
/// log of deliveries, they come to their end.
@Suite struct HangTests {
  /// What is put there: a pipe, a link to one, a directory, and for root a device.
  private static let traps =
    [
      "mkfifo \"$1\"", "mkfifo \"$1.pipe\"; ln -s \"$1.pipe\" \"$1\"", "mkdir \"$1\"",
    ] + (getuid() == 0 ? ["mknod \"$1\" c 1 5"] : [])

  private let stage: SendStage
  private let magnum: ProgramUnderTest

  init() throws {
    stage = try SendStage()
    magnum = try ProgramUnderTest("magnum")
  }

  /// All that a run does which sends, lists, searches and shows how things stand; none of it may take long.
  private func useAll(_ place: String) throws {
    let sent = try stage.send("Subject: a\n\ntext\n", "--account", "work", "b@x.test")
    #expect(sent.end != .timedOut, "\(place): \(sent)")
    let commands: [[String]] = [
      ["queue", "list"], ["queue", "flush", "--due"], ["status"], ["index"], ["show", "subject:a"],
    ]
    for words in commands {
      var command = magnum.command(words)
      command.environment["HOME"] = stage.program.home.path
      command.timeLimit = 20
      let outcome = try command.run()
      #expect(outcome.end != .timedOut, "\(place): \(words): \(outcome)")
    }
  }

  /// The files that these programs have made in a home, by what each is for: one of each kind is enough.
  private func names() throws -> [String] {
    try Command.shell(
      "cd \"$1\"; find .local Mail/.magnum deliveries -type f 2>/dev/null | sort",
      [stage.program.home.path]
    ).split(separator: "\n").map { "\($0)" }
  }

  @Test func whateverLiesUnderAName() throws {
    for folder in ["cur", "new", "tmp"] {
      try Files.makeDirectories(stage.program.home["Mail/INBOX/\(folder)"])
    }
    try stage.configure("maildir = \"~/Mail\"")
    try useAll("as it is")
    let home = stage.program.home.path
    try Command.shell("cp -a \"$1\" \"$1.saved\"", [home])
    defer { Files.removeTree("\(home).saved") }
    let names = try names()
    for place in [".local/", "Mail/.magnum/index/", "deliveries"] {
      try #require(names.contains { $0.hasPrefix(place) }, "\(names)")
    }
    for name in names {
      for trap in Self.traps {
        try Command.shell(
          "cd /; find \"$1\" -mindepth 1 -delete; cp -a \"$1.saved/.\" \"$1/\"; set -- \"$1/$2\"; rm -f \"$1\"; \(trap)",
          [home, name]
        )
        try useAll("\(name), \(trap)")
      }
    }
  }

  /// A log that cannot be written keeps no mail, and is told once a day.
  @Test(arguments: traps + ["ln -s /nonexistent/x \"$1\""])
  func aLogThatIsNoFile(_ trap: String) throws {
    try Command.shell("rm -f \"$1\"; \(trap)", [stage.program.home["deliveries"]])
    let first = try stage.send("Subject: a\n\n", "b@x.test")
    #expect(
      first.code == 0 && first.errors.contains("the delivery log cannot be written"),
      "\(first)"
    )
    let second = try stage.send("Subject: a\n\n", "b@x.test")
    #expect(second.code == 0 && second.errors == "", "\(second)")
    #expect(stage.sink.messages.count == 2)
  }

  /// In a directory of all users, a file that another user has made gets no lines.
  @Test(.enabled(if: getuid() == 0)) func aLogOfAnother() throws {
    let place = stage.program.home["open"]
    try Command.shell(
      "mkdir -m 1777 \"$1\"; touch \"$1/log\"; chmod 666 \"$1/log\"; chown 4001 \"$1/log\"",
      [place]
    )
    try stage.configure("", log: "\(place)/log")
    let outcome = try stage.send("Subject: a\n\n", "b@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("cannot be written"), "\(outcome)")
    #expect(Files.text("\(place)/log") == "" && stage.sink.messages.count == 1)
    // A link of one's own is followed, as to a file in another place.
    try Command.shell("ln -s \"$1/mine\" \"$1/link\"; touch \"$1/mine\"", [place])
    try stage.configure("", log: "\(place)/link")
    #expect(try stage.send("Subject: a\n\n", "b@x.test").errors == "")
    #expect(Files.text("\(place)/mine")?.contains("status=sent") ?? false)
  }
}
