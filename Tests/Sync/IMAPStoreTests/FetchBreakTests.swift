import MailModel
import MailStore
import Platform
import SyncPlan
import TestSupport
import Testing
import Transport

@testable import IMAPStore

/// Which message a fetch names as the one over which the connection broke, or the protocol.
@Suite struct FetchBreakTests {
  /// What a server answers when it is asked for the messages 1 to 3 before it hangs up, and the message that is named.
  private struct Answer: CustomTestStringConvertible {
    /// `N` for the whole message N.
    let lines: [String]
    let named: UInt32?
    var endsCommand = false

    var testDescription: String { "\(lines)" }
  }

  private static let answers = [
    Answer(lines: [], named: 1),
    Answer(lines: ["1"], named: 2),
    Answer(lines: ["1", "3"], named: 2),
    Answer(lines: ["2"], named: 1),
    Answer(lines: ["1", "* 2 FETCH (UID 2 BODY[] {9}", "abc"], named: 2),
    Answer(lines: ["1", "* 2 FETCH ((("], named: 2),
    Answer(lines: ["1", "* VANISHED 2"], named: 3),
    // What it answered for without giving it is not what was to come next.
    Answer(lines: ["1", "3"], named: nil, endsCommand: true),
    Answer(lines: ["1", "2", "3"], named: nil),
  ]

  @Test(arguments: answers)
  private func named(_ answer: Answer) throws {
    let server = try ScriptedServer(greeting: [.lines("* PREAUTH ready")]) { request in
      guard request.name == "UID FETCH" else { return [.close] }
      return [.send(answer.lines.map(Self.line).joined())]
        + [answer.endsCommand ? .lines("{tag} OK done") : .close]
    }
    let connection = try Self.connection(to: server.port)
    defer { connection.close() }
    let sink = Sink()
    var fetch = MessageFetch(connection, Self.order(into: sink))
    #expect(throws: SyncFailure.self) { try fetch.fetchMessages() }
    fetch.noteBreak()
    #expect(sink.broken == answer.named)
  }

  private static func line(_ text: String) -> String {
    let isWhole = text.count == 1
    return
      (isWhole ? "* \(text) FETCH (UID \(text) FLAGS () RFC822.SIZE 3 BODY[] {3}\r\nabc)" : text)
      + "\r\n"
  }

  private static func connection(to port: UInt16) throws -> Connection {
    let stream = try ByteStream.connect(
      host: "127.0.0.1",
      port: port,
      deadline: .after(seconds: 10),
      interruption: nil
    )
    return Connection(stream, trace: nil)
  }

  private static func order(into sink: Sink) -> FetchOrder {
    let identity = MailboxIdentity(validity: 1, serverID: [])
    let mailbox = MailboxReference(MailboxName(wire: Array("INBOX".utf8)), identity)
    let messages = (1...3).map { RemoteMessage(uid: UInt32($0), flags: MessageFlags()) }
    return FetchOrder(messages, in: mailbox, into: sink)
  }

  /// Notes what broke.
  private final class Sink: MessageSink {
    private(set) var broken: UInt32?

    func begin() {}
    func receiveOctets(_ octets: ArraySlice<UInt8>) {}
    func end() {}
    func discard() {}
    func finishOrder() {}
    func deliver(_ message: RemoteMessage) {}
    func fail(_ uid: UInt32, _ problem: MessageProblem) {}
    func noteBreak(over uid: UInt32) { broken = uid }
  }
}
