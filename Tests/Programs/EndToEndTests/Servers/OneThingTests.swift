import TestSupport
import Testing

/// What a server refuses, or says in a way that cannot be understood, costs the message, the mailbox or the command that it is
/// about, and nothing else.
@Suite struct OneThingTests {
  /// Whether a command is about the content of a message.
  private static func readsContent(_ request: ScriptedServer.Request, of uid: Int) -> Bool {
    let words = request.text.split(separator: " ")
    guard request.name == "UID FETCH", request.text.contains("BODY"), words.count > 2 else {
      return false
    }
    return words[2].split(separator: ",").contains { part in
      let ends = part.split(separator: ":").map { Int($0) ?? .max }
      return ends[0] <= uid && uid <= ends[ends.count - 1]
    }
  }

  @Test func aMessageThatIsUnavailable() throws {
    let rig = try Rig(["INBOX": 60])
    rig.bend { request in
      Self.readsContent(request, of: 17) ? [.lines("{tag} NO [UNAVAILABLE] server error")] : nil
    }
    let first = try rig.stage.sync()
    #expect(first.code == 1 && first.errors.contains("INBOX/17: "), "\(first)")
    #expect(try rig.stage.sync().code == 1)
    #expect(rig.stage.tree["INBOX"].count == 59)
    #expect(rig.server.requests.count { $0.contains("BODY") } < 20)
  }

  @Test func aServerThatGivesNoMessageIsUnavailable() throws {
    let rig = try Rig(["INBOX": 60])
    rig.bend { request in
      request.text.contains("BODY") ? [.lines("{tag} NO [UNAVAILABLE] server error")] : nil
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(rig.server.requests.count { $0.contains("BODY") } < 20)
  }

  @Test func aMailboxWithAnOddValidity() throws {
    let rig = try Rig(["INBOX": 1, "Odd": 1])
    let odd = "1528896777421"
    rig.bend { request in
      switch request.name {
      case "SELECT" where request.text.contains("Odd"):
        return [.lines("* 1 EXISTS", "* OK [UIDVALIDITY \(odd)]", "* OK [UIDNEXT 2]", "{tag} OK")]
      case "LIST":
        return [
          .lines(
            "* LIST () \"/\" \"INBOX\"",
            "* STATUS \"INBOX\" (MESSAGES 2 UIDNEXT 3 UIDVALIDITY 1)",
            "* LIST () \"/\" \"Odd\"",
            "* STATUS \"Odd\" (MESSAGES 1 UIDNEXT 2 UIDVALIDITY \(odd))",
            "{tag} OK"
          )
        ]
      default: return nil
      }
    }
    for count in 1...2 {
      let outcome = try rig.stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      #expect(count == 2 || outcome.errors.contains("UIDVALIDITY \(odd)"), "\(outcome)")
      #expect(rig.stage.tree["INBOX"].count == count)
      rig.server.mailboxes[0].mails.append(FakeMailServer.Mail(2, "Subject: new\r\n\r\nx\r\n"))
    }
  }

  @Test(arguments: ["BAD command not permitted with UID", "NO it does not work"])
  func aServerThatDoesNotMoveCopies(_ refusal: String) throws {
    let (server, program, files) = try mirrored()
    server.refuse { $0.name == "UID MOVE" ? [.lines("{tag} \(refusal)")] : nil }
    _ = try files.move("a", to: "Archive", flags: "S")
    try files.remove("b")
    let outcome = try program.run()
    #expect(outcome.code == 0, "\(outcome)")
    _ = try files.move("c", to: "Archive", flags: "S")
    #expect(try program.run().code == 0)
    #expect(server.subjects().isEmpty)
    #expect(server.subjects("Archive") == ["a", "c"])
    #expect(server.subjects("Trash") == ["b"])
    #expect(server.requests.count { $0.contains("UID MOVE") } == 1)
  }

  /// What keeps a message from being moved keeps a copy of it from being made.
  @Test(
    arguments: [
      "[NOPERM] no", "[OVERQUOTA] no", "Quota exceeded", "mailbox is full", "Permission denied",
      "No such mailbox: Archive",
    ]
  )
  func aServerThatSaysWhyIsNotAskedForACopy(_ reason: String) throws {
    let (server, program, files) = try mirrored()
    server.refuse { $0.name == "UID MOVE" ? [.lines("{tag} NO \(reason)")] : nil }
    _ = try files.move("a", to: "Archive", flags: "S")
    let outcome = try program.run()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(!server.requests.contains { $0.contains("UID COPY") })
    server.refuse(nil)
    #expect(try program.run().code == 0)
    #expect(server.requests.count { $0.contains("UID MOVE") } == 2)
    #expect(server.subjects("Archive") == ["a"])
  }

  /// UIDNEXT is not 0 where only STATUS tells it: what was removed goes, though a message elsewhere looks the same.
  @Test func aServerThatTellsUIDNEXTByStatusAlone() throws {
    let server = try ProviderServer(.plain)
    server.bend { request, actions in
      guard request.name == "SELECT" else { return actions }
      return actions.map { action in
        guard case .send(let text) = action else { return action }
        let lines = text.split(separator: "\r\n").filter { !$0.contains("[UIDNEXT") }
        return .send(lines.map { "\($0)\r\n" }.joined())
      }
    }
    let program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    server.deliver(mail("a"))
    server.deliver(mail("b"), to: "Archive")
    for _ in 0..<2 { #expect(try program.run().code == 0) }
    let archive = LocalFolder(program.home["Mail/test"], "Archive")
    try archive.setFlags("S", of: "b")
    server.expunge("b", from: "Archive")
    let outcome = try program.run()
    #expect(outcome.code == 0, "\(outcome)")
    let tree = MaildirTree(program.home["Mail/test"])
    #expect(tree[OctetName(Array("Archive".utf8))].isEmpty)
    #expect(tree[OctetName(Array("INBOX".utf8))].count == 1)
  }

  @Test(arguments: Provider.all)
  func aFileThatIsRefusedIsSentOnceInARun(_ provider: Provider) throws {
    let (server, program, files) = try mirrored(provider)
    server.refuse { $0.name == "APPEND" ? [.lines("{tag} BAD cannot parse it")] : nil }
    try files.add("new", mail("new"), flags: "S")
    for count in 1...2 {
      let outcome = try program.run()
      #expect(outcome.code == 1, "\(outcome)")
      #expect(server.requests.count { $0.contains("APPEND") } == count)
    }
  }

  /// A server with three messages, and the account that has them.
  private func mirrored(
    _ provider: Provider = .complete
  ) throws -> (ProviderServer, ProgramUnderTest, LocalFolder) {
    let server = try ProviderServer(provider)
    let program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    for subject in ["a", "b", "c"] { server.deliver(mail(subject), flags: ["\\Seen"]) }
    let outcome = try program.run()
    #expect(outcome.code == 0, "\(outcome)")
    return (server, program, LocalFolder(program.home["Mail/test"], "INBOX"))
  }
}
