import enum MailModel.ExitStatus
import Testing

/// How programs end.
@Suite struct ExitStatusTests {
  @Test func theNumbersAreAPromise() {
    #expect(
      ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 64, 65, 66, 67, 69, 71, 73, 74, 75, 77, 78]
    )
  }

  @Test("over several accounts the most severe wins: 78, 77, 69, 1, 75, 0")
  func mostSevere() {
    let order: [ExitStatus] = [
      .configuration, .refused, .unavailable, .partial, .tryAgain, .success,
    ]
    for (index, graver) in order.enumerated() {
      for lighter in order[index...] {
        #expect(ExitStatus.mostSevere(of: [lighter, graver]) == graver)
        #expect(ExitStatus.mostSevere(of: [graver, lighter, .success]) == graver)
      }
    }
    #expect(ExitStatus.mostSevere(of: []) == .success)
  }
}
