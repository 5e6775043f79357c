import Configuration
import SyncState
import Testing

@testable import IMAPStore

/// When a log-in may go out before the greeting.
@Suite struct EarlyLoginRuleTests {
  /// What was seen of a server, and the rules by which the log-in goes out early then.
  struct Sight: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isToken = false
    let change: @Sendable (inout ServerTraits) -> Void
    var early: Set<EarlyLoginRule> = []
  }

  @Test(arguments: [
    Sight(
      testDescription: "two clean runs",
      change: { _ in },
      early: [.asked, .afterCleanRuns]
    ),
    Sight(testDescription: "one clean run", change: { $0.cleanRuns = 1 }, early: [.asked]),
    Sight(testDescription: "none", change: { $0.cleanRuns = 0 }, early: [.asked]),
    // What a build without the count wrote, a log-in where SCRAM is offered, and one in clear text look like this.
    Sight(testDescription: "another log-in", change: { $0.cleanRuns = nil }, early: [.asked]),
    Sight(testDescription: "a token", isToken: true, change: { _ in }),
    Sight(testDescription: "never seen", change: { $0.identity = nil }),
    Sight(testDescription: "not by PLAIN", change: { $0.logsInByPlain = false }),
    Sight(testDescription: "commands not tried", change: { $0.pipelining = .untried }),
    Sight(testDescription: "commands dropped", change: { $0.pipelining = .fails }),
    Sight(testDescription: "awaits its greeting", change: { $0.awaitsGreeting = true }),
    Sight(testDescription: "wants a name first", change: { $0.needsIdentity = true }),
  ])
  func isAllowed(_ sight: Sight) {
    var traits = ServerTraits()
    traits.loggedIn(1)
    traits.pipelining = .works
    traits.logsInByPlain = true
    traits.cleanRuns = 2
    sight.change(&traits)
    let early = [EarlyLoginRule.never, .afterCleanRuns, .asked].filter {
      EarlyLogin.isAllowed($0, isToken: sight.isToken, traits)
    }
    #expect(Set(early) == sight.early)
  }
}
