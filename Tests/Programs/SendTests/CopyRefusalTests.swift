import Synchronization
import TestSupport
import Testing

/// Servers that do not take the copy: the message is sent once all the same.
@Suite struct CopyRefusalTests {
  @Test(arguments: ["NO [OVERQUOTA] full", "NO no", "BAD what"])
  func aRefusedCopyIsNoReasonToSendAgain(_ answer: String) throws {
    let isRefusing = Mutex(true)
    let store = Mutex(0)
    let server = try FakeMailServer([
      FakeMailServer.Mailbox("INBOX"), FakeMailServer.Mailbox("Sent"),
    ]) { request in
      switch request.name {
      case "APPEND":
        if isRefusing.withLock({ $0 }) { return [.lines("{tag} \(answer)")] }
        store.withLock { $0 += 1 }
        return [.lines("{tag} OK")]
      case "UID SEARCH": return [.lines("* SEARCH", "{tag} OK")]
      default: return nil
      }
    }
    let stage = try PostStage()
    try stage.configure(imap: server.clearURL)
    let outcome = try stage.give("Message-ID: <a@x.test>\nSubject: a\n\ntext\n", "b@x.test")
    #expect(outcome.code == 0 && stage.sink.messages.count == 1, "\(outcome)")
    // Another NO, that does not say that it passes, is an end to it; BAD is at once.
    #expect(stage.entries("queue").count == (answer.hasPrefix("NO") ? 1 : 0))
    #expect(outcome.errors.contains("work: sent; no copy kept: ") == answer.hasPrefix("BAD"))
    let flush = try stage.magnum("queue", "flush")
    let isPassing = answer.contains("OVERQUOTA")
    #expect(flush.code == 0, "\(flush)")
    #expect(flush.errors.contains("work: sent; no copy kept: ") == (answer == "NO no"), "\(flush)")
    #expect(stage.entries("queue").count == (isPassing ? 1 : 0))
    if let failed = stage.entries("failed").first {
      try expectNote(of: failed, stage)
      #expect(try stage.magnum("queue", "retry", failed).code == 0)
    }
    isRefusing.withLock { $0 = false }
    #expect(try stage.magnum("queue", "flush").code == 0)
    #expect(store.withLock { $0 } == 1 && stage.sink.messages.count == 1)
    #expect(stage.entries("queue") == [] && stage.entries("failed") == [])
  }

  /// All that is said of an entry says that it is sent; nothing is offered that then refuses.
  private func expectNote(of entry: String, _ stage: PostStage) throws {
    let status = try stage.magnum("status")
    #expect(status.code == 0 && status.output.contains("1 sent; no copy kept"), "\(status)")
    #expect(try stage.magnum("status", "--json").output.contains("\"failed\":0,"))
    let list = try stage.magnum("queue", "list").output
    #expect(list.contains("\(entry)  sent  work") && list.contains(" to b@x.test: a\n"), "\(list)")
    let line = try stage.magnum("queue", "list", "--json").output
    #expect(line.contains("\"state\":\"sent\",\"copy\":\"failed\""), "\(line)")
    let mailq = try stage.give("", "-bp").output
    #expect(mailq.contains("(sent; no copy kept: "), "\(mailq)")
    let edit = try stage.magnum("queue", "edit", "--to", "c@x.test", entry)
    #expect(edit.code == 1 && edit.errors.contains("all recipients have the message"), "\(edit)")
    let shown = try stage.magnum("queue", "show", entry).output
    #expect(shown.hasPrefix("State: sent, no copy kept\n"), "\(shown)")
    #expect(shown.contains("the server refused APPEND"), "\(shown)")
    #expect(try !stage.magnum("status").output.contains("no copy"), "a person has seen it")
  }

  /// Who writes at a terminal, and a script, see that the message is sent.
  @Test func aDraftIsSentThoughItsCopyIsRefused() throws {
    let (server, stage) = try refusing()
    try stage.configure(imap: server.clearURL)
    let arguments = ["compose", "-t", "b@x.test", "-s", "a", "--body", "-", "--send"]
    var command = stage.send.command(arguments)
    command.input = Array("text\n".utf8)
    command.program = "\(ProgramUnderTest.products)/magnum"
    let text = try command.run()
    #expect(text.code == 0 && text.output.hasPrefix("sent "), "\(text)")
    #expect(text.errors.contains("work: sent; no copy kept: the server refused APPEND"), "\(text)")
    command.arguments.append("--json")
    let json = try command.run()
    #expect(json.code == 0, "\(json)")
    #expect(json.output.contains("\"state\":\"sent\",\"copy\":\"failed\""), "\(json)")
    #expect(stage.sink.messages.count == 2)
  }

  /// A report without a recipient is no delivery-status, since RFC 3464 wants one.
  @Test func theReportIsAPlainNote() throws {
    let (server, stage) = try refusing()
    #expect(try stage.sync().code == 0, "there is a Maildir")
    try stage.configure(imap: server.clearURL)
    let outcome = try stage.give("Subject: a\n\ntext\n", "--wait", "b@x.test")
    #expect(outcome.code == 0 && stage.sink.messages.count == 1, "\(outcome)")
    let entry = try #require(stage.entries("failed").first)
    let text = String(decoding: try LocalFolder(stage.maildir, "INBOX").content(0), as: UTF8.self)
    #expect(text.contains("\nSubject: Sent, but no copy kept: a\n"), "\(text)")
    #expect(text.contains("\nContent-Type: text/plain"), "\(text)")
    #expect(text.contains("magnum queue retry \(entry)"), "\(text)")
    #expect(!text.contains("delivery-status") && !text.contains("queue edit"), "\(text)")
  }

  /// The refused recipient of a message that others have is one thing, their copy another.
  @Test func eachOutcomeHasItsEntry() throws {
    let (server, stage) = try refusing()
    try stage.configure(imap: server.clearURL)
    let outcome = try stage.give("Subject: a\n\ntext\n", "b@x.test", "p550@x.test")
    #expect(outcome.errors.contains("work: p550@x.test refused: 550"), "\(outcome)")
    #expect(outcome.errors.contains("work: sent; no copy kept: "), "\(outcome)")
    let status = try stage.magnum("status")
    #expect(status.code == 1 && status.output.contains("1 could not be sent"), "\(status)")
    #expect(status.output.contains("1 sent; no copy kept"), "\(status)")
  }

  private func refusing() throws -> (FakeMailServer, PostStage) {
    let boxes = [FakeMailServer.Mailbox("INBOX"), FakeMailServer.Mailbox("Sent")]
    let server = try FakeMailServer(boxes) { request in
      switch request.name {
      case "APPEND": [.lines("{tag} BAD never")]
      case "UID SEARCH": [.lines("* SEARCH", "{tag} OK")]
      default: nil
      }
    }
    return (server, try PostStage())
  }
}
