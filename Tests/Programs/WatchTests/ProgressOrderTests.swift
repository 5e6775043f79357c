import SyncEngine
@testable import Syncing
import Terminal
import TestSupport
import Testing

/// What is shown of a run never falls back, in whatever order its connections tell what they do.
@Suite struct ProgressOrderTests {
  private static let events: [SyncEvent.Kind] = [
    .state(.connecting), .state(.authenticating), .state(.tokenRefresh), .state(.folders),
    .state(.headers), .state(.bodies), .state(.idle), .expected(messages: 3, octets: 300),
    .fetched(mailbox: "INBOX", messages: 2, new: 1, octets: 200),
    .fetched(mailbox: "Lists/swift", messages: 1, new: 0, octets: 9000),
  ]

  private static func rank(_ state: ProgressState) -> Int {
    let phases: [ProgressState.Phase] = [
      .connecting, .authenticating, .folders, .headers, .bodies,
    ]
    return phases.firstIndex(of: state.phase) ?? -1
  }

  @Test func itNeverFallsBack() throws {
    var random = SeededGenerator(seed: 54)
    for _ in 0..<300 {
      var progress = AccountProgress("work")
      for event in (0..<40).compactMap({ _ in Self.events.randomElement(using: &random) }) {
        let before = progress.state
        _ = progress.applyEvent(event)
        let after = progress.state
        #expect(Self.rank(after) >= Self.rank(before), "\(event)")
        #expect(after.messagesDone >= before.messagesDone && after.bytesDone >= before.bytesDone)
        #expect((after.messagesTotal ?? 0) >= (before.messagesTotal ?? 0))
      }
    }
  }
}
