import Invitations
import MIME
import Octets
import TestSupport
import Testing

/// What calendars say of events.
@Suite struct InvitationTests {
  /// The lines that people are shown, of calendars as programs write them.
  @Test(arguments: try Fixtures.load("Fixtures/invitations.txt"))
  func eventsAreShown(_ fixture: Fixture) throws {
    let method = fixture["method"].map { Array($0.utf8) } ?? Array("REQUEST".utf8)
    var lines: [String]
    do throws(CalendarProblem) {
      let invitation = try Self.invitation(try wire(fixture), method: method)
      lines = invitation.map { Self.lines($0) } ?? ["nothing"]
    } catch {
      lines = [error.words]
    }
    #expect(lines == fixture.lines("lines"))
  }

  private func wire(_ fixture: Fixture) throws(CalendarProblem) -> [UInt8] {
    do { return try fixture.wire() } catch { throw .malformed }
  }

  static func invitation(
    _ text: [UInt8],
    method: [UInt8]? = Array("REQUEST".utf8)
  ) throws(CalendarProblem) -> Invitation? {
    try Invitation(text, method: method, zone: TestZones.file)
  }

  static func lines(_ invitation: Invitation, earlier: Invitation? = nil) -> [String] {
    InvitationLines(invitation, local: TestZones.local, earlier: earlier).all.map {
      "\($0.name): \(Printable.text($0.value))"
    }
  }

  /// What an update changes, and whether it counts as newer: the second calendar against the first one.
  @Test(arguments: try Fixtures.load("Fixtures/updates.txt"))
  func updatesAreCompared(_ fixture: Fixture) throws {
    let first = try #require(try Self.invitation(try fixture.wire()))
    let second = try #require(try Self.invitation(try fixture.wire("second")))
    let changes = EventChange.all(from: first, to: second, local: TestZones.local).map {
      let values = [$0.name, $0.old, $0.new].map { Printable.text($0) }
      return "\(values[0]): \(values[1]) -> \(values[2])"
    }
    #expect(changes == fixture.lines("changes"))
    let isSame = second.event.isSame(as: first.event)
    let isNewer = second.event.isNewer(than: first.event)
    #expect((isSame ? isNewer ? "newer" : "older" : "other") == (try fixture.text("counts")))
  }

  /// What is beyond the limits is left alone.
  @Test(
    arguments: [
      (1000, 1, 0, nil), (1001, 1, 0, CalendarProblem.tooMany), (1, 1, 1 << 20, .tooLong),
      (1, 8, 0, nil), (1, 9, 0, .tooMany),
    ] as [(Int, Int, Int, CalendarProblem?)]
  )
  func calendarsAreBounded(_ lines: Int, _ depth: Int, _ size: Int, _ problem: CalendarProblem?) {
    let begin = String(repeating: "BEGIN:X\r\n", count: depth)
    let end = String(repeating: "END:X\r\n", count: depth)
    let text = begin + String(repeating: "A:b\r\n", count: lines) + end
    var found: CalendarProblem?
    do throws(CalendarProblem) {
      _ = try CalendarReader.read(Array((text + String(repeating: "x", count: size)).utf8))
    } catch {
      found = error
    }
    #expect(found == problem)
  }

  /// Lines are folded after 75 octets, within no character, and are the same when they are read.
  @Test(arguments: [0, 60, 66, 67, 68, 69, 70, 200])
  func foldsAreUndone(_ count: Int) throws {
    let value = Array((String(repeating: "x", count: count) + "äöü€😀").utf8)
    let line = CalendarLine("SUMMARY", value)
    let folded = line.folded
    let pieces = folded.split(separator: ASCII.lineFeed)
    #expect(pieces.allSatisfy { $0.count <= 76 && $0.last == ASCII.carriageReturn })
    #expect(pieces.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    let text = Array("BEGIN:X\r\n".utf8) + folded + Array("END:X\r\n".utf8)
    #expect(try CalendarReader.read(text).first?.lines == [line])
  }
}
