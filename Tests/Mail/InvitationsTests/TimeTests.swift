import Invitations
import MailModel
import Octets
import TestSupport
import Testing

/// Zones, and how events repeat.
@Suite struct TimeTests {
  /// The moment, in UTC, at which the clocks of a zone show a time: gaps, times that come twice, rules of both hemispheres.
  @Test(arguments: try Fixtures.load("Fixtures/zones.txt"))
  func clocksAreMoments(_ fixture: Fixture) throws {
    let zones = try #require(
      try CalendarReader.read(try fixture.wire()).first.map {
        CalendarZones(of: $0, [Array(try fixture.text("zone").utf8)], file: TestZones.file)
      }
    )
    for line in fixture.lines("times") {
      let words = line.split(separator: " ").map { String($0) }
      let zone = zones[Array(try fixture.text("zone").utf8)]
      guard case .floating(let reading) = CalendarTime(Array(words[0].utf8), zone: nil) else {
        Issue.record("\(words[0]) is no time")
        continue
      }
      let moment = zone.map { CalendarTime.utc($0.moment(of: reading)).standard } ?? "unknown"
      #expect(moment == words[1], "\(words[0])")
    }
  }

  /// Damaged files are none.
  @Test func damagedZoneFilesAreNotRead() {
    let file = TestZones.file(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(ZoneFile(file)?.offset(at: 1_700_000_000) == 3600)
    #expect(ZoneFile(file)?.offset(at: 1_690_000_000) == 7200)
    for count in [0, 4, 43, 44, 60, 100] {
      #expect(ZoneFile([UInt8](file.prefix(count))) == nil)
    }
  }

  @Test(
    arguments: [
      ("FREQ=DAILY", "every day"),
      ("FREQ=DAILY;INTERVAL=3;COUNT=10", "every 3 days, 10 times"),
      (
        "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T225959Z",
        "every week on Tue and Thu until 2026-12-31 (UTC)"
      ),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;WKST=SU", "every week on Mon, Tue, Wed, Thu and Fri"),
      ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO", nil),
      ("FREQ=MONTHLY;BYDAY=2MO", "every month on the 2nd Mon"),
      ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=1", "every month on the last Fri, once"),
      ("FREQ=MONTHLY;BYDAY=-2FR", "every month on the 2nd last Fri"),
      ("FREQ=MONTHLY;BYMONTHDAY=15,-1", "every month on day 15 and the last day"),
      ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", nil),
      ("FREQ=YEARLY", "every year"),
      ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year in Nov on the 4th Thu"),
      ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year in Dec on day 24"),
      ("FREQ=YEARLY;BYDAY=20MO", nil),
      ("FREQ=YEARLY;UNTIL=20301224", "every year until 2030-12-24"),
      ("FREQ=HOURLY", nil),
      ("FREQ=WEEKLY;BYDAY=XX", nil),
      ("FREQ=WEEKLY;INTERVAL=0", nil),
      ("INTERVAL=2", nil),
    ] as [(String, String?)]
  )
  func recurrencesHaveWords(_ rule: String, _ words: String?) {
    #expect(RecurrenceRule(Array(rule.utf8))?.words == words)
  }

  @Test(
    arguments: [
      ("PT1H", 3600), ("PT1H30M", 5400), ("P1D", 86_400), ("P2W", 1_209_600), ("-PT15M", -900),
      ("P1DT2H3M4S", 93_784), ("+PT5S", 5), ("", nil), ("1H", nil), ("P1H", nil), ("PT1D", nil),
      ("PT99999999999999999999H", nil),
      ("P" + String(repeating: "999999999W", count: 20_000), nil),
    ] as [(String, Int?)]
  )
  func durationsAreSeconds(_ text: String, _ seconds: Int?) {
    #expect(CalendarDuration.seconds(Array(text.utf8)) == seconds)
  }
}
