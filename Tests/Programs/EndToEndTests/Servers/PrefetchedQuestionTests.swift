import Glibc
import Synchronization
import TestSupport
import Testing

/// Mailboxes that are opened behind the list of a log-in: no run fails because of that, whatever the server makes of it, and
/// what it tells counts once.
@Suite struct PrefetchedQuestionTests {
  static let capabilities =
    "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ CONDSTORE LIST-STATUS ENABLE QRESYNC UNSELECT"

  /// What a server does with the question.
  struct Habit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The command that it answers otherwise, and how.
    let command: String
    let answer: [ScriptedServer.Action]
    /// The connections of the run.
    let connections: Int
    /// Whether the next runs ask as well.
    let isAskedAgain: Bool
  }

  static let habits = [
    Habit(
      testDescription: "refuses it",
      command: "EXAMINE",
      answer: [.lines("{tag} NO [INUSE] not now")],
      connections: 1,
      isAskedAgain: true
    ),
    Habit(
      testDescription: "does not understand it",
      command: "EXAMINE",
      answer: [.lines("{tag} BAD what?")],
      connections: 1,
      isAskedAgain: true
    ),
    Habit(
      testDescription: "names a limit",
      command: "EXAMINE",
      answer: [.lines("{tag} NO [LIMIT] too many commands")],
      connections: 1,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "names a limit for the messages",
      command: "UID FETCH",
      answer: [.lines("{tag} NO [LIMIT] too many commands")],
      connections: 1,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "hangs up",
      command: "EXAMINE",
      answer: [.close],
      connections: 2,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "says goodbye over the messages",
      command: "UID FETCH",
      answer: [.lines("* BYE internal error"), .close],
      connections: 2,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "breaks the protocol",
      command: "UID FETCH",
      answer: [.lines("* 1 FETCH (UID", "{tag} OK")],
      connections: 2,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "passes over it",
      command: "EXAMINE",
      answer: [],
      connections: 2,
      isAskedAgain: false
    ),
    Habit(
      testDescription: "switches QRESYNC on no more",
      command: "ENABLE",
      answer: [.lines("{tag} NO not now")],
      connections: 1,
      isAskedAgain: false
    ),
  ]

  /// A server of six messages that answers early questions, and the program.
  final class Scene: Sendable {
    let server: FakeMailServer
    let program: ProgramUnderTest

    private let bent: Monitor

    /// Answers a command in place of the server, once it is set.
    final class Monitor: Sendable {
      let answer = Mutex<(@Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]?)?>(nil)
    }

    init() throws {
      let mails = (1...6).map { FakeMailServer.Mail(UInt32($0), "Subject: \($0)\r\n\r\ntext\r\n") }
      var inbox = FakeMailServer.Mailbox("INBOX", mails)
      inbox.modSequence = 7
      let bent = Monitor()
      self.bent = bent
      server = try FakeMailServer([inbox], capabilities: PrefetchedQuestionTests.capabilities) {
        request in bent.answer.withLock { $0 }?(request)
      }
      program = try ProgramUnderTest()
      try program.configure(at: server.clearURL, "[account.test.sync]\ndirection = \"pull\"")
      // The third run is the first one that asks.
      for _ in 0..<3 { #expect(try run().connections == 1) }
    }

    /// What is remembered of the server.
    var memory: String {
      Files.text(program.home[".local/state/magnum/accounts/test/server"]) ?? ""
    }

    /// Seconds for which no question goes out before the list; nil where they do.
    var secondsWithoutQuestions: Int? {
      let line = memory.split(separator: "\n").first { $0.hasPrefix("early-questions ") }
      return line.flatMap { Int($0.dropFirst(16)) }.map { $0 - time(nil) }
    }

    func bend(_ answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]?) {
      bent.answer.withLock { $0 = answer }
    }

    /// Runs, expects that all is well, and gives the number of connections that it took and what was asked.
    func run(
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (connections: Int, requests: [String]) {
      let before = (server.connectionCount, server.requests.count)
      let outcome = try program.command(["-v"]).run()
      #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
      return (server.connectionCount - before.0, Array(server.requests.dropFirst(before.1)))
    }
  }

  @Test(arguments: habits)
  func aServerThat(_ habit: Habit) throws {
    let scene = try Scene()
    scene.bend { $0.name == habit.command ? habit.answer : nil }
    #expect(try scene.run().connections == habit.connections)
    for _ in 0..<3 {
      let next = try scene.run()
      #expect(next.connections == 1)
      #expect(next.requests.contains { $0.contains("EXAMINE") } == habit.isAskedAgain)
    }
    let isRemembered = scene.memory.contains("early-questions")
    #expect(isRemembered != habit.isAskedAgain || habit.command == "ENABLE")
    if isRemembered {
      let seconds = try #require(scene.secondsWithoutQuestions)
      #expect((seconds <= 3600) == (habit.connections == 2), "an hour for a break")
    }
    #expect(MaildirTree(scene.program.home["Mail/test"])["INBOX"].count == 6)
  }

  /// Where the connection breaks before the list was answered, the questions are left out first, and then the list behind the log-in.
  @Test func aServerThatBreaksBeforeTheList() throws {
    let scene = try Scene()
    let isBroken = Atomic(false)
    scene.bend { request in
      guard request.name == "LIST", isBroken.exchange(false, ordering: .relaxed) else { return nil }
      return [.close]
    }
    for isStillPipelined in [true, false] {
      isBroken.store(true, ordering: .relaxed)
      #expect(try scene.run().connections == 2)
      #expect(scene.memory.contains("early-questions"))
      #expect(scene.memory.contains("pipelining works") == isStillPipelined, "\(scene.memory)")
    }
  }

  /// A question that was refused is sent once more where its answer is wanted.
  @Test(arguments: ["NO [LIMIT] too many commands", "NO [INUSE] not now", "BAD what?"])
  func aMessageBehindARefusal(_ answer: String) throws {
    let scene = try Scene()
    let isFirst = Atomic(true)
    scene.bend { request in
      guard request.name == "EXAMINE", isFirst.exchange(false, ordering: .relaxed) else {
        return nil
      }
      return [.lines("{tag} \(answer)")]
    }
    scene.server.mailboxes[0].mails.append(.init(7, "Subject: 7\r\n\r\ntext\r\n"))
    scene.server.mailboxes[0].modSequence = 8
    let run = try scene.run()
    #expect(run.connections == 1)
    #expect(run.requests.count { $0.contains("EXAMINE") } == 2, "\(run)")
    #expect(MaildirTree(scene.program.home["Mail/test"])["INBOX"].count == 7)
  }

  /// Limits behind which a server is left alone until a later run: the commands, and the answers to them.
  static let limits: [[String: String]] = [
    ["EXAMINE": "* BYE too many requests"],
    ["EXAMINE": "* BYE busy. Suggested Backoff Time: 60000 milliseconds"],
    ["EXAMINE": "{tag} NO busy. Suggested Backoff Time: 60000 milliseconds"],
    [
      "EXAMINE": "{tag} NO [INUSE] not now",
      "UID FETCH": "{tag} BAD busy. Suggested Backoff Time: 60000 milliseconds",
    ],
    ["UID FETCH": "{tag} NO busy. Suggested Backoff Time: 60000 milliseconds"],
    ["LIST": "* BYE too many requests"],
    ["LIST": "{tag} NO [LIMIT] too many commands"],
  ]

  /// No new connection is made in the same run, and the next one asks step by step.
  @Test(arguments: limits)
  func aServerThatWantsToBeLeftAlone(_ answers: [String: String]) throws {
    let scene = try Scene()
    scene.bend { request in
      guard let answer = answers[request.name] else { return nil }
      return answer.hasPrefix("* BYE") ? [.lines(answer), .close] : [.lines(answer)]
    }
    let before = scene.server.connectionCount
    let outcome = try scene.program.command([]).run()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(scene.server.connectionCount - before == 1)
    #expect(scene.memory.contains("early-questions") && scene.memory.contains("pause "))
    #expect(scene.memory.contains("pipelining works"))
  }

  /// What is told of messages among the answers to the list is not lost: it is asked once more.
  @Test func aServerThatAnswersAllAtOnce() throws {
    let scene = try Scene()
    let list = Mutex("")
    let flagged = "* 1 FETCH (UID 1 FLAGS (\\Flagged) MODSEQ (9))"
    let opened = [
      "* 6 EXISTS", "* OK [UIDVALIDITY 1]", "* OK [UIDNEXT 7]", "* OK [HIGHESTMODSEQ 9]",
    ]
    let isFirst = Atomic(true)
    scene.bend { request in
      switch request.name {
      case "LIST":
        list.withLock { $0 = request.tag }
        return []
      case "EXAMINE" where isFirst.exchange(false, ordering: .relaxed):
        let listed = [
          #"* LIST () "/" "INBOX""#,
          "* STATUS INBOX (MESSAGES 6 UIDNEXT 7 UIDVALIDITY 1 HIGHESTMODSEQ 9)",
          "\(list.withLock { $0 }) OK",
        ]
        return [.lines(([flagged] + listed + opened + ["{tag} OK"]).joined(separator: "\r\n"))]
      case "EXAMINE":
        return [.lines((opened + [flagged, "{tag} OK"]).joined(separator: "\r\n"))]
      default: return nil
      }
    }
    let run = try scene.run()
    #expect(run.requests.count { $0.contains("EXAMINE") } == 2, "\(run)")
    let files = MaildirTree(scene.program.home["Mail/test"])["INBOX"]
    #expect(files.count { $0.flags == "F" } == 1, "\(files)")
  }

  /// The answer of before a change is not taken for that of after it: the next run is told the rest.
  @Test func aMessageThatComesBehindTheAnswer() throws {
    let stage = try Stage()
    try stage.imap.append(mail("first"), to: "INBOX")
    try stage.settle()
    try stage.syncWell()
    let isDone = Atomic(false)
    let (port, user) = (stage.server.ports.clear, stage.user)
    let proxy = try BendingProxy(to: port) { line in
      guard line.hasPrefix("UID FETCH"), !isDone.exchange(true, ordering: .relaxed) else {
        return .passed
      }
      return .after {
        guard let other = try? RawIMAP(port: port, user: user) else { return }
        _ = try? other.append(mail("late"), to: "INBOX")
        try? other.select()
        try? other.store("1", "+FLAGS (\\Flagged)")
      }
    }
    try stage.configure(url: proxy.clearURL)
    for _ in 0..<4 { try stage.syncWell() }
    let wasMoved = isDone.load(ordering: .relaxed)
    #expect(wasMoved)
    try stage.expectMirrored()
  }

  /// Where INBOX has to be asked about again, together with another mailbox, its new messages do not come twice.
  @Test func octetsThatAreHereAreNotAskedForAgain() throws {
    let stage = try Stage()
    try stage.imap.create("Archive")
    for mailbox in ["INBOX", "Archive"] { try stage.imap.append(mail("old"), to: mailbox) }
    let proxy = try BendingProxy(to: stage.server.ports.clear) { _ in .passed }
    try stage.configure(url: proxy.clearURL)
    try stage.settle()
    for _ in 0..<2 { try stage.syncWell() }
    for number in 1...3 { try stage.imap.append(mail("new \(number)"), to: "INBOX") }
    try stage.imap.append(mail("archived"), to: "Archive")
    let before = proxy.commands.count
    try stage.syncWell()
    let sent = proxy.commands.dropFirst(before)
    #expect(sent.count { $0.hasPrefix("SELECT \"INBOX\"") } == 2, "\(sent)")
    #expect(sent.count { $0.contains("BODY.PEEK[]") } == 2, "\(sent)")
    try stage.expectMirrored()
  }

  /// A list that is newer than the answers may show a message in two mailboxes: no answer of before is used beside it.
  @Test func aMessageThatMovesBeforeTheSecondList() throws {
    let stage = try Stage()
    for number in 1...6 {
      try stage.imap.append(mail("number \(number)"), to: "INBOX", flags: #"\Seen"#)
    }
    let (port, user) = (stage.server.ports.clear, stage.user)
    let isDone = Atomic(false)
    let proxy = try BendingProxy(to: port) { line in
      guard line.hasPrefix("CREATE"), line.contains("New") else { return .passed }
      return .after {
        guard let other = try? RawIMAP(port: port, user: user) else { return }
        try? other.select()
        _ = try? other.move("3", to: "Later")
        isDone.store(true, ordering: .relaxed)
      }
    }
    try stage.configure(url: proxy.clearURL)
    try stage.settle()
    for _ in 0..<2 { try stage.syncWell() }
    try stage.imap.create("Later")
    _ = try Command.shell("mkdir -p \"$1/New/cur\" \"$1/New/new\" \"$1/New/tmp\"", [stage.maildir])
    try LocalFolder(stage.maildir, "New").add("1.a.host", mail("new"), flags: "S")
    let before = proxy.commands.count
    let outcome = try stage.program.trustingCommand([]).run()
    #expect(outcome.code == 0, "\(outcome)")
    let selections = proxy.commands.dropFirst(before).filter { $0.hasPrefix("SELECT \"INBOX\"") }
    #expect(selections.count == 2, "INBOX is asked about once more behind the second list")
    let wasMoved = isDone.load(ordering: .relaxed)
    #expect(wasMoved)
    for _ in 0..<2 { try stage.syncWell() }
    try stage.expectMirrored()
    let found = try stage.imap.everything().values.flatMap { $0 }
    #expect(found.count == 7, "\(found)")
  }
}
