import Invitations
import Octets

/// Calendars, and what is written of them.
extension FuzzTarget {
  /// What is read of a calendar is the same once it is written and read again; the octets are a file of a zone, too.
  static func readCalendar(_ octets: [UInt8]) {
    if let components = try? CalendarReader.read(octets) {
      let written = components.flatMap(\.octets)
      precondition((try? CalendarReader.read(written)) == components)
    }
    _ = ZoneFile(octets)?.offset(at: 1_795_224_685)
    let words = RecurrenceRule(octets)?.words
    precondition(words.map { !$0.isEmpty } ?? true)
    let method = Array("REQUEST".utf8)
    guard let invitation = try? Invitation(octets, method: method, zone: { _ in octets }) else {
      return
    }
    _ = InvitationLines(invitation, local: { _ in 3600 }, earlier: invitation)
    _ = invitation.event.isOver(
      at: 1_795_224_685,
      EventTimes(invitation.event, invitation.zones, local: { _ in 3600 })
    )
    file(invitation, octets)
  }

  /// What a new file of a calendar gets is there after one time.
  private static func file(_ invitation: Invitation, _ octets: [UInt8]) {
    let address = Array("me@example.org".utf8)
    let filings = [
      CalendarFiling(invitation, .accepted, by: address), CalendarFiling(cancelling: invitation),
    ]
    for filing in filings {
      _ = try? filing.content(of: octets)
      guard let content = try? filing.content(of: nil) else { continue }
      precondition((try? filing.content(of: content)) == content)
    }
  }
}
