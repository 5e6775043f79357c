import MailModel
import MailStore
import TestSupport
import Testing

@testable import IMAPStore

/// Messages that are moved out of several mailboxes with one flight of commands: the message 5 of a, b and c.
@Suite struct MoveFlightTests {
  /// What a server does about the mailbox b, what it is taken to have moved, and what it moved.
  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// As in `FlightMailboxes`.
    var answers: [String: [String]] = [:]
    /// Whether the mailbox a is open before.
    var isOpen = false
    /// Octets of the message of b.
    var size: UInt64 = 50
    let named: [String]
    let moved: [String]
    var openings = 3
  }

  private static let no = "{tag} NO not now, not here"
  private static let another = "* OK [UIDVALIDITY 8] another one\r\n{tag} OK [READ-WRITE] open"
  private static let copied = "* OK [COPYUID 3 5 9] moved\r\n{tag} OK moved"
  private static let all = ["a5", "b5", "c5"]
  private static let others = ["a5", "c5"]

  private static let cases = [
    Case(testDescription: "all is well", named: all, moved: all),
    Case(
      testDescription: "the first is open: it is opened again",
      isOpen: true,
      named: all,
      moved: all,
      openings: 4
    ),
    Case(testDescription: "another size", size: 51, named: others, moved: others),
    Case(
      testDescription: "a search that is refused",
      answers: ["UID SEARCH": [no]],
      named: others,
      moved: others
    ),
    Case(
      testDescription: "a search that is not understood",
      answers: ["UID SEARCH": ["{tag} BAD what?"]],
      named: others,
      moved: others
    ),
    Case(
      testDescription: "one that cannot be opened",
      answers: ["SELECT": [no]],
      named: others,
      moved: others
    ),
    Case(
      testDescription: "another one of the name",
      answers: ["SELECT": [another]],
      named: others,
      moved: others
    ),
    Case(
      testDescription: "another one of the name, with such a message: it does not count",
      answers: ["SELECT": [another], "UID MOVE": [copied]],
      named: others,
      moved: all
    ),
    Case(
      testDescription: "refused",
      answers: ["UID MOVE": [no]],
      named: others,
      moved: others
    ),
    Case(
      testDescription: "named in the last reply",
      answers: ["UID MOVE": ["{tag} OK [COPYUID 3 5 9] moved"]],
      named: all,
      moved: all
    ),
    Case(
      testDescription: "not named",
      answers: ["UID MOVE": ["{tag} OK moved"]],
      named: others,
      moved: all
    ),
    Case(
      testDescription: "another message is named",
      answers: ["UID MOVE": ["* OK [COPYUID 3 6 9] moved\r\n{tag} OK moved"]],
      named: others,
      moved: all
    ),
  ]

  @Test(arguments: cases)
  private func moves(_ table: Case) throws {
    let server = FlightMailboxes(table.answers)
    let scripted = try Self.scripted(server)
    let session = try MailboxSession(to: scripted.port)
    defer { session.connection.close() }
    let orders = ["a", "b", "c"].map { Self.order($0, $0 == "b" ? table.size : 50) }
    if table.isOpen { try session.open(orders[0].mailbox) }
    var flight = MoveFlight(session)
    flight.send(orders)
    #expect(Self.named(try flight.finish()) == table.named)
    #expect(server.moved == table.moved)
    #expect(server.openings == table.openings)
  }

  /// Where a reply comes behind one to a later command, it is not certain of which mailbox it speaks.
  @Test func aReplyThatIsOvertakenNamesNothing() throws {
    // The flight is M2 to M10; M7 moves out of b, M8 opens c.
    let late = "* OK [UIDVALIDITY 7] as before\r\n{tag} OK open\r\nM7 OK [COPYUID 3 5 9] moved"
    let server = FlightMailboxes(["UID MOVE": [""]])
    let scripted = try Self.scripted(server) { request in
      request.text == "SELECT \"c\"" ? late : nil
    }
    let session = try MailboxSession(to: scripted.port)
    defer { session.connection.close() }
    var flight = MoveFlight(session)
    flight.send(["a", "b", "c"].map { Self.order($0, 50) })
    #expect(Self.named(try flight.finish()) == ["a5"])
    #expect(server.moved == Self.all)
  }

  @Test func whatIsFlaggedIsLookedFor() throws {
    let server = FlightMailboxes([:])
    let scripted = try Self.scripted(server)
    let session = try MailboxSession(to: scripted.port)
    defer { session.connection.close() }
    var flight = MoveFlight(session)
    flight.send([Self.order("a", 50, unflagged: [5])])
    #expect(Self.named(try flight.finish()) == ["a5"])
    let search = "UID SEARCH RETURN (SAVE) UID 5 (UID 5 LARGER 49 SMALLER 51 UNFLAGGED)"
    #expect(scripted.requests.contains(search))
  }

  @Test(arguments: ["SELECT", "UID SEARCH", "UID MOVE"])
  func cut(_ command: String) throws {
    let server = FlightMailboxes([command: ["* BYE enough"]])
    let scripted = try Self.scripted(server)
    let session = try MailboxSession(to: scripted.port)
    defer { session.connection.close() }
    var flight = MoveFlight(session)
    flight.send(["a", "b", "c"].map { Self.order($0, 50) })
    #expect(throws: SyncFailure.self) { try flight.finish() }
    #expect(server.moved == ["a5"])
  }

  /// What a server has to be able to do.
  @Test(arguments: ["MOVE", "UIDPLUS", "SEARCHRES", "IMAP4rev2", ""])
  func aServerWithout(_ missing: String) throws {
    let words =
      missing == "IMAP4rev2"
      ? [missing] : ["MOVE", "UIDPLUS", "SEARCHRES"].filter { $0 != missing }
    let scripted = try Self.scripted(FlightMailboxes([:]), words)
    let session = try MailboxSession(to: scripted.port)
    defer { session.connection.close() }
    #expect(MoveFlight.canMove(session) == ["IMAP4rev2", ""].contains(missing))
  }

  private static func scripted(
    _ server: FlightMailboxes,
    _ words: [String] = ["MOVE", "UIDPLUS", "SEARCHRES"],
    _ special: @escaping @Sendable (ScriptedServer.Request) -> String? = { _ in nil }
  ) throws -> ScriptedServer {
    let capabilities = (["IMAP4rev1", "ENABLE", "CONDSTORE", "QRESYNC"] + words)
      .joined(separator: " ")
    return try ScriptedServer(
      greeting: [.lines("* PREAUTH [CAPABILITY \(capabilities)] ready")]
    ) { request in
      let answer = server.answer(request)
      return special(request).map { [.lines($0)] } ?? answer
    }
  }

  private static func order(
    _ name: String,
    _ size: UInt64,
    unflagged: Set<UInt32> = []
  ) -> MoveOrder {
    let identity = MailboxIdentity(validity: 7, serverID: [])
    return MoveOrder(
      from: MailboxReference(MailboxName(wire: Array(name.utf8)), identity),
      to: MailboxName(wire: Array("Archive".utf8)),
      sizes: [5: size],
      unflagged: unflagged
    )
  }

  private static func named(_ outcomes: [TransferOutcome]) -> [String] {
    zip(["a", "b", "c"], outcomes).flatMap { name, outcome in
      outcome.pairs.filter { $0.value == 9 && outcome.validity == 3 }.map { "\(name)\($0.key)" }
    }
  }
}
