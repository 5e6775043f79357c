import Invitations
import Octets
import TestSupport
import Testing

/// What the file of an event gets by an answer or a cancellation.
@Suite struct CalendarFilingTests {
  @Test(arguments: try Fixtures.load("Fixtures/filings.txt"))
  func filesAreMerged(_ fixture: Fixture) throws {
    let method = try fixture.text("does") == "cancel" ? "CANCEL" : "REQUEST"
    let invitation = try #require(
      try InvitationTests.invitation(try fixture.wire(), method: Array(method.utf8))
    )
    let filing =
      InvitationAnswer(rawValue: try fixture.text("does"))
      .map { CalendarFiling(invitation, $0, by: Array("me@example.org".utf8)) }
      ?? CalendarFiling(cancelling: invitation)
    let file = try fixture.has("file") ? fixture.wire("file") : nil
    var lines: [String]
    do throws(CalendarFiling.Problem) {
      let content = try filing.content(of: file)
      lines = String(decoding: content, as: UTF8.self).split(separator: "\r\n").map { String($0) }
      // A second time nothing changes.
      #expect(try filing.content(of: content) == content)
    } catch {
      lines = ["left: \(error.words)"]
    }
    #expect(lines == fixture.lines("result"))
  }
}
