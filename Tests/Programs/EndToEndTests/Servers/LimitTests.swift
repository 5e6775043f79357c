import Synchronization
import TestSupport
import Testing

/// What a server refuses for now is no failure and no wrong password: status 75, one line, and a pause.
@Suite struct LimitTests {
  /// An answer to a command.
  struct Limit: Sendable, CustomTestStringConvertible {
    /// How the command begins.
    let command: String
    /// The answer; the connection ends behind a BYE.
    let answer: String

    var testDescription: String { "\(command): \(answer)" }

    var actions: [ScriptedServer.Action] {
      answer.hasPrefix("* BYE") ? [.lines(answer), .close] : [.lines(answer)]
    }
  }

  static let limits = [
    Limit(command: "AUTHENTICATE", answer: "{tag} NO [LIMIT] Rate limit hit"),
    Limit(
      command: "AUTHENTICATE",
      answer: "{tag} NO [UNAVAILABLE] Temporary authentication failure"
    ),
    Limit(command: "AUTHENTICATE", answer: "{tag} NO [INUSE] mailbox is locked by POP3"),
    Limit(
      command: "AUTHENTICATE",
      answer: "{tag} NO [ALERT] Too many simultaneous connections. (Failure)"
    ),
    Limit(
      command: "AUTHENTICATE",
      answer: "{tag} NO [OVERQUOTA] Account exceeded command or bandwidth limits"
    ),
    Limit(
      command: "AUTHENTICATE",
      answer: "{tag} BAD Request is throttled. Suggested Backoff Time: 120000 milliseconds"
    ),
    Limit(command: "LIST", answer: "{tag} NO [UNAVAILABLE] later"),
    Limit(command: "SELECT", answer: "{tag} NO [OVERQUOTA] Account exceeded bandwidth limits"),
    Limit(command: "SELECT", answer: "{tag} NO [LIMIT] too many requests"),
    Limit(command: "UID FETCH", answer: "{tag} NO [THROTTLED] slow down"),
    Limit(
      command: "UID FETCH",
      answer: "{tag} BAD Request is throttled. Suggested Backoff Time: 90000 milliseconds"
    ),
    Limit(command: "UID FETCH", answer: "* BYE [OVERQUOTA] Account exceeded bandwidth limits"),
  ]

  private func memory(_ rig: Rig) -> String {
    Files.text(rig.stage.program.home[".local/state/magnum/accounts/test/server"]) ?? ""
  }

  @Test(arguments: limits)
  func isAPauseAndNoFailure(_ limit: Limit) throws {
    let rig = try Rig(["INBOX": 2])
    rig.bend { $0.name == limit.command ? limit.actions : nil }
    let first = try rig.stage.sync()
    #expect(first.code == 75, "\(first)")
    let lines = first.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("not tried again for"), "\(first)")
    #expect(
      lines.last == "hint: nothing is lost; to try at once, run: magnum-sync test",
      "\(first)"
    )
    #expect(memory(rig).contains("\npause "))

    // Until it is over, runs that do not name the account leave the server alone.
    let connections = rig.server.connectionCount
    let second = try rig.stage.sync()
    #expect(second.code == 75 && second.errors.contains("asked to wait"), "\(second)")
    #expect(rig.server.connectionCount == connections)
    var magnum = rig.stage.program.command(["status"])
    magnum.program = "\(ProgramUnderTest.products)/magnum"
    let status = try magnum.run()
    #expect(status.output.contains("for the server"), "\(status)")

    rig.bend { _ in nil }
    try rig.stage.syncWell("test")
    #expect(rig.stage.tree["INBOX"].count == 2)
    #expect(!memory(rig).contains("\npause "))
    try rig.stage.syncWell()
  }

  /// What was done before counts, is said, and is not done again.
  @Test func howFarItCame() throws {
    let rig = try Rig(["INBOX": 3, "Other": 2])
    let selected = Mutex("")
    rig.bend { request in
      if request.name == "SELECT" { selected.withLock { $0 = request.text } }
      guard request.name == "UID FETCH", request.text.contains("BODY"),
        selected.withLock({ $0.contains("Other") })
      else { return nil }
      return [.lines("{tag} NO [OVERQUOTA] Account exceeded bandwidth limits")]
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(outcome.errors.contains("; done before: +3 new"), "\(outcome)")
    #expect(rig.stage.tree["INBOX"].count == 3 && rig.stage.tree["Other"].count == 0)
    rig.bend { _ in nil }
    let rest = try rig.stage.sync("-v", "test")
    #expect(rest.code == 0 && rest.output.contains("+2 new"), "\(rest)")
  }

  /// A mailbox that is in use keeps none of the others waiting.
  @Test(arguments: ["INUSE", "UNAVAILABLE"])
  func oneMailboxThatIsInUse(_ code: String) throws {
    let rig = try Rig(["INBOX": 2, "Locked": 1, "Other": 2])
    rig.bend { request in
      let isLocked = request.name == "SELECT" && request.text.contains("Locked")
      return isLocked ? [.lines("{tag} NO [\(code)] later")] : nil
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(outcome.errors.contains("test/Locked: "), "\(outcome)")
    #expect(rig.stage.tree["INBOX"].count == 2 && rig.stage.tree["Other"].count == 2)
    #expect(!memory(rig).contains("\npause "))
    rig.bend { _ in nil }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["Locked"].count == 1)
  }

  /// What Exchange says for a while: one line, and nothing more is asked.
  @Test(arguments: ["NO", "BAD"], ["SELECT", "UID FETCH", "LIST"])
  func aServerThatLostTheMailbox(_ kind: String, _ command: String) throws {
    let rig = try Rig(["INBOX": 2, "More": 1, "Other": 2])
    rig.bend { request in
      request.name == command
        ? [.lines("{tag} \(kind) User is authenticated but not connected.")] : nil
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    let lines = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
    #expect(lines.count == 1, "\(outcome)")
    rig.bend { _ in nil }
  }

  /// A server that greets nobody for now.
  @Test func aGreetingThatSaysNotNow() throws {
    let server = try ScriptedServer(
      greeting: [.lines("* BYE Maximum number of connections from user+IP exceeded"), .close]
    ) { _ in [] }
    let stage = try Stage()
    try stage.configure(url: server.clearURL)
    #expect(try stage.sync().code == 75)
    #expect(server.connectionCount == 1)
    #expect(try stage.sync().code == 75)
    #expect(server.connectionCount == 1)
  }

  /// Fewer connections where the server says that there are too many: no failure, and remembered.
  @Test func fewerConnections() throws {
    let boxes = Dictionary(uniqueKeysWithValues: (1...12).map { ("Box\($0)", UInt32(30)) })
    let rig = try Rig(boxes)
    try rig.stage.configure(url: rig.server.clearURL, sync: "connections = 5")
    let allowed = 2
    let open = Mutex<Set<Int>>([])
    rig.bend { request in
      guard request.name == "AUTHENTICATE" else { return nil }
      let isAllowed = open.withLock { open in
        guard open.count < allowed else { return false }
        open.insert(request.connection)
        return true
      }
      if isAllowed { return nil }
      return [.lines("{tag} NO [ALERT] Too many simultaneous connections. (Failure)")]
    }
    let first = try rig.stage.sync()
    #expect(first.code == 0, "\(first)")
    #expect(rig.stage.tree.count == 360)
    #expect(memory(rig).contains("\nconnections "))
    open.withLock { $0 = [] }
    let before = rig.server.connectionCount
    try rig.stage.syncWell("--scan")
    #expect(rig.server.connectionCount - before <= allowed)
  }

  /// 163 and others open no mailbox before they were told the program's name.
  @Test(arguments: [true, false])
  func unsafeLogin(isOffered: Bool) throws {
    let capabilities = "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ UIDPLUS" + (isOffered ? " ID" : "")
    let rig = try Rig(["INBOX": 2, "Other": 2], capabilities: capabilities)
    let known = Mutex<Set<Int>>([])
    let refusals = Atomic<Int>(0)
    rig.bend { request in
      if request.name == "ID" { known.withLock { _ = $0.insert(request.connection) } }
      guard request.name == "SELECT", !known.withLock({ $0.contains(request.connection) }) else {
        return nil
      }
      refusals.add(1, ordering: .relaxed)
      return [.lines("{tag} NO SELECT Unsafe Login. Please contact kefu@188.com for help")]
    }
    try rig.stage.syncWell()
    #expect(rig.stage.tree.count == 4)
    #expect(refusals.load(ordering: .relaxed) == (isOffered ? 0 : 1))
    #expect(rig.server.requests.contains { $0.hasPrefix("ID (\"name\" \"magnum\" \"version\" ") })
    #expect(memory(rig).contains("\nid needed") == !isOffered)
    try rig.stage.syncWell()
    #expect(refusals.load(ordering: .relaxed) == (isOffered ? 0 : 1))
  }

  /// Where telling the name does not help, it is the server's refusal that is said.
  @Test func unsafeLoginForEver() throws {
    let rig = try Rig(["INBOX": 2])
    rig.bend { request in
      request.name == "SELECT" ? [.lines("{tag} NO SELECT Unsafe Login. Please contact us")] : nil
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("Unsafe Login"), "\(outcome)")
    #expect(rig.server.requests.count { $0.hasPrefix("ID ") } == 1)
  }

  /// A server that offers SASL-IR and does not understand it is logged in to step by step, and that is remembered.
  @Test func anInitialResponseThatIsNotUnderstood() throws {
    let rig = try Rig(["INBOX": 2])
    let tag = Mutex("")
    rig.bend { request in
      if request.tag.isEmpty { return [.lines("\(tag.withLock { $0 }) OK in")] }
      guard request.name == "AUTHENTICATE" else { return nil }
      guard request.text == "AUTHENTICATE PLAIN" else { return [.lines("{tag} BAD Parse error")] }
      tag.withLock { $0 = request.tag }
      return [.lines("+ ")]
    }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].count == 2)
    #expect(memory(rig).contains("\ninitial-response refused\n"))
    let before = rig.server.requests.count
    try rig.stage.syncWell()
    #expect(!rig.server.requests[before...].contains { $0.hasPrefix("AUTHENTICATE PLAIN ") })
  }
}
