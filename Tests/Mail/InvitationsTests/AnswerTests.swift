import Invitations
import MIME
import Octets
import TestSupport
import Testing

/// Whether, from whom and to whom an invitation is answered, and what is written.
@Suite struct AnswerTests {
  @Test(arguments: try Fixtures.load("Fixtures/answers.txt"))
  func answersAreDecided(_ fixture: Fixture) throws {
    let facts = try Self.facts(fixture)
    var lines: [String]
    do throws(AnswerRefusal) {
      let plan = try AnswerPlan(facts)
      lines = [plan.from, plan.organizer].map { Printable.text($0) }
      lines.append(Printable.text(plan.attendee.octets))
      lines += plan.questions.map { "asks: \($0.words)" }
    } catch {
      lines = ["refused: \(error.words)"]
    }
    #expect(lines == fixture.lines("answer"))
  }

  private static func facts(_ fixture: Fixture) throws -> AnswerFacts {
    let words = Dictionary(
      uniqueKeysWithValues: fixture.lines("facts").map { line in
        let words = line.split(separator: " ").map { String($0) }
        return (words[0], words.dropFirst().map { Array($0.utf8) })
      }
    )
    let method = words["header"]?.first ?? Array("REQUEST".utf8)
    let invitation = try #require(
      try InvitationTests.invitation(try fixture.wire(), method: method)
    )
    var facts = AnswerFacts(invitation)
    facts.own = words["own"] ?? [Array("me@example.org".utf8)]
    facts.sending = words["sending"] ?? facts.own
    facts.delivered = words["delivered"] ?? []
    facts.chosen = words["as"]?.first
    facts.authors = words["from"] ?? [Array("ada@example.com".utf8)]
    facts.isDisowned = words["disowned"] != nil
    facts.isOver = words["over"] != nil
    facts.isRepeated = words["repeated"] != nil
    facts.newer = words["newer"]?.first.map { String(decoding: $0, as: UTF8.self) }
    return facts
  }

  /// The calendar that goes back, octet by octet.
  @Test(arguments: try Fixtures.load("Fixtures/replies.txt"))
  func repliesAreWritten(_ fixture: Fixture) throws {
    let invitation = try #require(try InvitationTests.invitation(try fixture.wire()))
    let answer = try #require(InvitationAnswer(rawValue: try fixture.text("answer")))
    let attendee = try #require(invitation.event.attendees.first)
    let octets = AnswerCalendar(
      answer,
      of: attendee.line,
      to: invitation,
      note: try fixture.has("note") ? fixture.octets("note") : nil,
      now: 1_795_224_685
    ).octets
    #expect(Self.visible(octets) == fixture.lines("reply"))
    let read = try CalendarReader.read(octets)
    #expect(read.flatMap(\.octets) == octets)
  }

  /// The lines, which all end with CRLF.
  private static func visible(_ octets: [UInt8]) -> [String] {
    let text = String(decoding: octets, as: UTF8.self)
    #expect(!text.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
    #expect(octets.split(separator: ASCII.lineFeed).allSatisfy { $0.count <= 76 })
    return text.split(separator: "\r\n").map { String($0) }
  }
}
