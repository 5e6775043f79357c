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
    let flush = try stage.magnum("queue", "flush")
    let isPassing = answer.contains("OVERQUOTA")
    #expect(flush.code == (answer == "NO no" ? 1 : 0), "\(flush)")
    #expect(stage.entries("queue").count == (isPassing ? 1 : 0))
    if let failed = stage.entries("failed").first {
      #expect(
        try stage.magnum("queue", "show", failed).output.contains("the server refused APPEND")
      )
      #expect(try stage.magnum("queue", "retry", failed).code == 0)
    }
    isRefusing.withLock { $0 = false }
    #expect(try stage.magnum("queue", "flush").code == 0)
    #expect(store.withLock { $0 } == 1 && stage.sink.messages.count == 1)
    #expect(stage.entries("queue") == [] && stage.entries("failed") == [])
  }
}
