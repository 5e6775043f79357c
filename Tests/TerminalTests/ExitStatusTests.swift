import Terminal
import Testing

/// How programs end.
@Suite struct ExitStatusTests {
  @Test func theNumbersAreAPromise() {
    #expect(Terminal.ExitStatus.allCases.map(\.rawValue) == [0, 1, 64, 69, 74, 75, 77, 78])
  }

  @Test("over several accounts the gravest wins: 78, 77, 69, 1, 75, 0")
  func gravest() {
    let order: [Terminal.ExitStatus] = [
      .configuration, .refused, .unavailable, .partial, .tryAgain, .success,
    ]
    for (index, graver) in order.enumerated() {
      for lighter in order[index...] {
        #expect(Terminal.ExitStatus.gravest(of: [lighter, graver]) == graver)
        #expect(Terminal.ExitStatus.gravest(of: [graver, lighter, .success]) == graver)
      }
    }
    #expect(Terminal.ExitStatus.gravest(of: []) == .success)
  }
}
