import MailModel
import RestorePlan
import SyncPlan
import Testing

@Suite("A restored file and its message")
struct DifferenceTests {
  private static let red = [Array("red".utf8)]
  private static let blue = [Array("blue".utf8)]

  private static func message(
    _ flags: SystemFlags = .seen,
    _ keywords: [[UInt8]] = red,
    date: Int64? = 100
  ) -> RemoteMessage {
    RemoteMessage(uid: 1, flags: MessageFlags(flags, keywords: keywords), date: date)
  }

  @Test func differences() throws {
    let file = RestoredFile(
      digest: try digest(1),
      identity: ContentIdentity(messageID: 1, bodyHigh: 1, bodyLow: 1, header: 1),
      headerKey: 1,
      wireSize: 1,
      date: 100,
      flags: MessageFlags(.seen, keywords: Self.red)
    )
    let cases: [(RemoteMessage?, RestoreRecords.Proof, [RestoreDifference])] = [
      (Self.message(), .same, []), (nil, .same, [.missing]),
      (Self.message(), .other, [.octets]), (Self.message(), .unseen, [.unread]),
      (Self.message(.seen, Self.red + Self.blue), .same, []),
      (Self.message(.seen, Self.blue), .same, [.keywords(here: Self.red, there: Self.blue)]),
      (Self.message([]), .same, [.flags(here: .seen, there: [])]),
      (Self.message([.seen, .flagged]), .same, [.flags(here: .seen, there: [.seen, .flagged])]),
      (Self.message(date: 101), .same, [.date(here: 100, there: 101)]),
      (Self.message(date: nil), .same, []),
      (
        Self.message([], [], date: 1), .other,
        [
          .octets, .flags(here: .seen, there: []), .keywords(here: Self.red, there: []),
          .date(here: 100, there: 1),
        ]
      ),
    ]
    for (message, proof, expected) in cases {
      #expect(RestoreDifference.all(file, file.flags, message, proof) == expected)
    }
  }
}
