import Synchronization
import TestSupport

/// A made-up server whose answers a test changes between runs, and the program set up to read it.
final class Rig {
  typealias Answer = @Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]?

  let server: FakeMailServer
  let stage: Stage
  private let bent: Bent

  /// A server with so many mails in each mailbox.
  convenience init(
    _ counts: [String: UInt32],
    modSequence: UInt64? = nil,
    capabilities: String? = nil
  ) throws {
    let boxes = counts.sorted { $0.key < $1.key }.map { name, count in
      FakeMailServer.Mailbox(
        name,
        (1...count).map { FakeMailServer.Mail($0, "Subject: \(name) \($0)\r\n\r\nx\r\n") }
      )
    }
    try self.init(boxes, capabilities: capabilities)
    self.modSequence = modSequence
  }

  init(_ boxes: [FakeMailServer.Mailbox], capabilities: String? = nil) throws {
    let bent = Bent()
    self.bent = bent
    server =
      if let capabilities {
        try FakeMailServer(boxes, capabilities: capabilities) { bent.answer($0) }
      } else {
        try FakeMailServer(boxes) { bent.answer($0) }
      }
    stage = try Stage()
    try stage.configure(url: server.clearURL, sync: "connections = 1")
  }

  /// HIGHESTMODSEQ of all mailboxes.
  var modSequence: UInt64? {
    get { server.mailboxes.first?.modSequence }
    set { for index in server.mailboxes.indices { server.mailboxes[index].modSequence = newValue } }
  }

  /// Has the server answer like this from now on; nil leaves the answer to it.
  func bend(_ answer: @escaping Answer) {
    bent.set(answer)
  }

  private final class Bent: Sendable {
    private let current = Mutex<Answer> { _ in nil }

    func set(_ answer: @escaping Answer) {
      current.withLock { $0 = answer }
    }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action]? {
      let answer = current.withLock { $0 }
      return answer(request)
    }
  }
}
