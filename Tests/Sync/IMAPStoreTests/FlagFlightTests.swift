import MailModel
import MailStore
import SyncPlan
import TestSupport
import Testing

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
    let server = FlightMailboxes(table.answers)
    let scripted = try ScriptedServer(
      greeting: [.lines("* PREAUTH [CAPABILITY \(table.capabilities)] ready")]
    ) { server.answer($0) }
    let session = try MailboxSession(to: scripted.port)
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
    let server = FlightMailboxes([command: ["* BYE enough"]])
    let scripted = try ScriptedServer(
      greeting: [.lines("* PREAUTH [CAPABILITY IMAP4rev1 QRESYNC SEARCHRES] ready")]
    ) { server.answer($0) }
    let session = try MailboxSession(to: scripted.port)
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
}
