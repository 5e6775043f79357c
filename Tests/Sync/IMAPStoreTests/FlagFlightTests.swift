import IMAP
import MailModel
import MailStore
import Platform
import Synchronization
import SyncPlan
import TestSupport
import Testing
import Transport

@testable import IMAPStore

/// Flags that are changed in several mailboxes with one flight of commands.
///
/// The mailboxes a, b and c have the messages 1 to 9; the message 5 of each is to be flagged.
@Suite struct FlagFlightTests {
  /// What a server does about the mailbox b, what comes of it, and which flags were set where: `b5` is the message 5 of b.
  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var capabilities = "IMAP4rev1 ENABLE CONDSTORE QRESYNC SEARCHRES"
    /// Answers to commands while b is open or about to be opened, by the first word; of several, one after the other, and the
    /// last one again and again.
    var answers: [String: [String]] = [:]
    var size: UInt64? = 50
    var isAllowed = true
    let results: [String]
    let stored: [String]
    /// How often mailboxes were opened.
    let openings: Int
  }

  private static let no = "{tag} NO not now, not here"
  private static let all = ["a5", "b5", "c5"]
  private static let done = ["a: 5", "b: 5", "c: 5"]

  private static let cases = [
    Case(testDescription: "all is well", results: done, stored: all, openings: 3),
    Case(
      testDescription: "a server that remembers no messages: each by itself",
      capabilities: "IMAP4rev1 ENABLE CONDSTORE QRESYNC",
      results: done,
      stored: all,
      openings: 3
    ),
    Case(
      testDescription: "where flights are not allowed each by itself",
      isAllowed: false,
      results: done,
      stored: all,
      openings: 3
    ),
    Case(
      testDescription: "messages of unknown sizes: each by itself",
      size: nil,
      results: done,
      stored: all,
      openings: 3
    ),
    Case(
      testDescription: "a search that is refused",
      answers: ["UID SEARCH": [no]],
      results: done,
      stored: ["a5", "c5", "b5"],
      openings: 4
    ),
    Case(
      testDescription: "one that cannot be opened",
      answers: ["SELECT": [no]],
      results: ["a: 5", "b: refused", "c: 5"],
      stored: ["a5", "c5"],
      openings: 4
    ),
    Case(
      testDescription: "one that can be opened the second time",
      answers: ["SELECT": [no, "* OK [UIDVALIDITY 7] as before\r\n{tag} OK [READ-WRITE] open"]],
      results: done,
      stored: ["a5", "c5", "b5"],
      openings: 4
    ),
    Case(
      testDescription: "another one of the name",
      answers: ["SELECT": ["* OK [UIDVALIDITY 8] another one\r\n{tag} OK [READ-WRITE] open"]],
      results: ["a: 5", "b: another", "c: 5"],
      stored: ["a5", "c5"],
      openings: 4
    ),
    Case(
      testDescription: "refused",
      answers: ["UID STORE": [no]],
      results: ["a: 5", "b: refused 5", "c: 5"],
      stored: ["a5", "c5"],
      openings: 4
    ),
    Case(
      testDescription: "refused once",
      answers: ["UID STORE": [no, "* 5 FETCH (UID 5 FLAGS (\\Flagged))\r\n{tag} OK stored"]],
      results: done,
      stored: ["a5", "c5", "b5"],
      openings: 4
    ),
    Case(
      testDescription: "without a word of the flags, which are there",
      answers: [
        "UID STORE": ["{tag} OK stored"],
        "UID FETCH": ["* 5 FETCH (UID 5 FLAGS (\\Flagged))\r\n{tag} OK fetched"],
      ],
      results: done,
      stored: all + ["b5"],
      openings: 4
    ),
    Case(
      testDescription: "without a word of the flags, and gone",
      answers: ["UID STORE": ["{tag} OK stored"], "UID FETCH": ["{tag} OK fetched"]],
      results: ["a: 5", "b: gone 5", "c: 5"],
      stored: all + ["b5"],
      openings: 4
    ),
    Case(
      testDescription: "another flag than the one that was set",
      answers: [
        "UID STORE": ["* 5 FETCH (UID 5 FLAGS (\\Seen))\r\n{tag} OK stored"],
        "UID FETCH": ["* 5 FETCH (UID 5 FLAGS (\\Seen))\r\n{tag} OK fetched"],
      ],
      results: ["a: 5", "b: forbidden", "c: 5"],
      stored: all + ["b5"],
      openings: 4
    ),
  ]

  @Test(arguments: cases)
  private func changes(_ table: Case) throws {
    let server = Mailboxes(table.answers)
    let scripted = try ScriptedServer(
      greeting: [.lines("* PREAUTH [CAPABILITY \(table.capabilities)] ready")]
    ) { server.answer($0) }
    let session = try Self.session(to: scripted.port)
    defer { session.connection.close() }
    let names = ["a", "b", "c"]
    var flight = FlagFlight(
      session,
      names.map { Self.order($0, table.size) },
      allowsFlights: table.isAllowed
    )
    let results = try flight.change()
    #expect(zip(names, results).map { "\($0): \(Self.text($1))" } == table.results)
    #expect(server.stored == table.stored)
    #expect(server.openings == table.openings)
    #expect(!flight.isUnderWay)
  }

  /// Wherever the connection ends, that is no end of a mailbox alone; no flag was set in a mailbox for another one.
  @Test(arguments: ["SELECT", "UID SEARCH", "UID STORE"])
  func cut(_ command: String) throws {
    let server = Mailboxes([command: ["* BYE enough"]])
    let scripted = try ScriptedServer(
      greeting: [.lines("* PREAUTH [CAPABILITY IMAP4rev1 QRESYNC SEARCHRES] ready")]
    ) { server.answer($0) }
    let session = try Self.session(to: scripted.port)
    defer { session.connection.close() }
    var flight = FlagFlight(
      session,
      ["a", "b", "c"].map { Self.order($0, 50) },
      allowsFlights: true
    )
    #expect(throws: SyncFailure.self) { try flight.change() }
    #expect(flight.isUnderWay)
    #expect(Set(server.stored).isSubset(of: Self.all))
  }

  private static func session(to port: UInt16) throws -> MailboxSession {
    let stream = try ByteStream.connect(
      host: "127.0.0.1",
      port: port,
      deadline: .after(seconds: 10),
      interruption: nil
    )
    let connection = Connection(stream, trace: nil)
    // Behind the greeting.
    try connection.perform(.noop)
    return MailboxSession(connection, isQuickResync: true, isWriting: true)
  }

  private static func order(_ name: String, _ size: UInt64?) -> FlagOrder {
    let identity = MailboxIdentity(validity: 7, serverID: [])
    return FlagOrder(
      [FlagStore(uid: 5, adding: .flagged, removing: [])],
      in: MailboxReference(MailboxName(wire: Array(name.utf8)), identity),
      sizes: size.map { [5: $0] } ?? [:]
    )
  }

  private static func text(_ result: FlagResult) -> String {
    switch result {
    case .done(let outcome, _):
      if outcome.forbidden > 0 { return "forbidden" }
      if !outcome.gone.isEmpty { return "gone \(outcome.gone.map { "\($0)" }.joined())" }
      if let refused = outcome.refused.first { return "refused \(refused.uid)" }
      return outcome.stored.map { "\($0.uid)" }.joined(separator: " ")
    case .failed(.commandRefused): return "refused"
    case .failed(.mailbox(.identityChanged)): return "another"
    case .failed(let failure): return "\(failure)"
    }
  }

  /// Mailboxes of a server that says what a test wants of one of them.
  private final class Mailboxes: Sendable {
    private struct State {
      var answers: [String: [String]]
      var open: String?
      /// Whether the mailbox that is open is the one that is meant, and the message was found there.
      var isMeant = false
      var isFound = false
      var stored: [String] = []
      var openings = 0
    }

    private let state: Mutex<State>

    init(_ answers: [String: [String]]) { state = Mutex(State(answers: answers)) }

    var stored: [String] { state.withLock { $0.stored } }
    var openings: Int { state.withLock { $0.openings } }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      let text = state.withLock { Self.answer(request, &$0) }
      return text.hasPrefix("* BYE") ? [.lines(text), .close] : [.lines(text)]
    }

    private static func answer(_ request: ScriptedServer.Request, _ state: inout State) -> String {
      if request.name == "NOOP" || request.name == "LOGOUT" { return "{tag} OK done" }
      let isOpening = request.name == "SELECT"
      if isOpening {
        state.openings += 1
        // Where it is refused, none is open.
        (state.open, state.isFound) = (nil, false)
      }
      let name = isOpening ? request.text.split(separator: "\"").last.map(String.init) : state.open
      guard let name else { return "{tag} BAD no mailbox is open" }
      let special = name == "b" ? Self.next(request.name, &state) : nil
      switch request.name {
      case "SELECT":
        let answer = special ?? "* OK [UIDVALIDITY 7] as before\r\n{tag} OK [READ-WRITE] open"
        if answer.contains("{tag} OK") { state.open = name }
        state.isMeant = answer.contains("[UIDVALIDITY 7]")
        return answer
      case "UID SEARCH":
        state.isFound = special == nil && state.isMeant && request.text.hasSuffix(search)
        return special ?? "{tag} OK searched"
      case "UID STORE":
        if request.text.contains("$"), !state.isFound { return "{tag} OK nothing to store" }
        let answer = special ?? Self.stored(request)
        if answer.contains("{tag} OK") { state.stored.append("\(name)5") }
        return answer
      default: return special ?? "{tag} OK done"
      }
    }

    private static let search = "UID SEARCH RETURN (SAVE) UID 5 (UID 5 LARGER 49 SMALLER 51)"

    private static func stored(_ request: ScriptedServer.Request) -> String {
      let flags = request.text.split(separator: "(").last ?? ")"
      return "* 5 FETCH (UID 5 FLAGS (\(flags))\r\n{tag} OK stored"
    }

    private static func next(_ command: String, _ state: inout State) -> String? {
      guard let answers = state.answers[command], let first = answers.first else { return nil }
      if answers.count > 1 { state.answers[command] = Array(answers.dropFirst()) }
      return first
    }
  }
}
