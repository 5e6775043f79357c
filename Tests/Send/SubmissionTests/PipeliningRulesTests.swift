import SMTP
import Submission
import Testing

/// What may be under way at once, by what is known of the server.
@Suite struct PipeliningRulesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let offered: [String]
    let experience: PipeliningRules.Experience
    var asks = false
    var mayBeOutOfStep = false
    let announces: Bool
    let flightLimit: Int

    var testDescription: String { "\(offered) \(experience) \(asks) \(mayBeOutOfStep)" }
  }

  static let all = ["PIPELINING", "chunking", "SIZE"]

  static let cases = [
    Case(offered: [], experience: .none, announces: false, flightLimit: 1),
    Case(offered: ["CHUNKING"], experience: .kept, announces: false, flightLimit: 1),
    Case(offered: ["PIPELINING"], experience: .none, announces: true, flightLimit: 1),
    Case(offered: ["PIPELINING"], experience: .kept, announces: true, flightLimit: 1),
    Case(offered: ["PIPELINING"], experience: .broken, announces: false, flightLimit: 1),
    Case(offered: all, experience: .none, announces: true, flightLimit: 1),
    Case(offered: all, experience: .kept, announces: true, flightLimit: 8),
    Case(offered: all, experience: .lost, announces: true, flightLimit: 1),
    Case(offered: all, experience: .broken, announces: false, flightLimit: 1),
    Case(offered: all, experience: .kept, asks: true, announces: true, flightLimit: 1),
    Case(offered: all, experience: .kept, mayBeOutOfStep: true, announces: true, flightLimit: 1),
  ]

  @Test(arguments: cases) func rules(_ example: Case) {
    let rules = PipeliningRules(
      Extensions(lines: example.offered.map { Array($0.utf8) }),
      example.experience,
      asksAboutUncertain: example.asks,
      mayBeOutOfStep: example.mayBeOutOfStep
    )
    #expect(rules.announces == example.announces)
    #expect(rules.flightLimit == example.flightLimit)
  }

  /// A long message, or one for several recipients, goes alone.
  @Test(
    arguments: [(65_536, 1, true), (65_537, 1, false), (10, 2, false), (0, 1, true)]
      as [(UInt64, Int, Bool)]
  )
  func messages(_ size: UInt64, _ recipientCount: Int, _ isFit: Bool) {
    let rules = PipeliningRules(
      Extensions(lines: Self.all.map { Array($0.utf8) }),
      .kept,
      asksAboutUncertain: false,
      mayBeOutOfStep: false
    )
    #expect(rules.takesIntoFlight(size: size, recipientCount: recipientCount) == isFit)
  }
}
