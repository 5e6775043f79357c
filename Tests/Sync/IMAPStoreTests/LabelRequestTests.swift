import Configuration
import MailModel
import MailStore
import Platform
import SyncPlan
import TestSupport
import Testing

@testable import IMAPStore

/// Single changes that the spool asks for where labels are tags.
@Suite struct LabelRequestTests {
  /// What a label that is refused for now is told as: not as done, which would be the end of the request.
  @Test(arguments: [
    ("NO [LIMIT] too many", ServerReply.Cause.passing), ("NO [UNAVAILABLE] later", .unavailable),
    ("NO [NOPERM] never", .forbidden),
  ])
  func aRefusalIsTold(_ answer: String, _ cause: ServerReply.Cause) throws {
    let server = try ProviderServer(.gmail)
    server.deliver(Array("Subject: m1\r\n\r\ntext\r\n".utf8))
    let folder = try TempDirectory("labels")
    let text = """
      [account.test]
      maildir = "\(folder["Mail"])"
      imap = "\(server.clearURL)"
      user = "user"
      password = "pass"
      labels = "tags"
      index = false

      """
    let path = Path(try folder.write(Array(text.utf8), to: "config.toml", mode: 0o600))
    let account = try Configuration.load(explicit: path).accounts[0]
    let (memory, interruption) = (Path(folder["memory"]), Interruption())
    let trial = try MailServers.testLabels(
      of: account,
      memory: memory,
      isTracing: false,
      interruption: interruption
    ) { _ in }
    #expect(trial.failure == nil)
    let way = MailServers.server(of: account, memory: memory, interruption: interruption) { _ in }
    let store = try way.open(isWriting: true, naming: .plain).store
    defer { store.close() }
    let all = MailboxName(wire: Array("[Gmail]/All Mail".utf8))
    let mailbox = MailboxReference(all, try store.open(all, forChanges: true).identity)
    let uid = try #require(server.mailboxes.first { $0.name == "[Gmail]/All Mail" }?.messages.first)
      .uid
    server.refuse { $0.text.contains("X-GM-LABELS.SILENT") ? [.lines("{tag} \(answer)")] : nil }
    let refused = try store.change(uid, adding: [Array("todo".utf8)], removing: [], in: mailbox)
    #expect(refused?.cause == cause)
    server.refuse(nil)
    let done = try store.change(uid, adding: [Array("todo".utf8)], removing: [], in: mailbox)
    #expect(done == nil)
  }
}
