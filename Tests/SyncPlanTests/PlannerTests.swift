import SyncPlan
import TestSupport
import Testing

@Suite("Plans of one mailbox")
struct PlannerTests {
  @Test("pull", arguments: try Fixtures.load("Fixtures/plans.txt"))
  func pull(_ fixture: Fixture) throws {
    try check(fixture, "pull", .pull)
  }

  @Test("both ways", arguments: try Fixtures.load("Fixtures/plans.txt"))
  func both(_ fixture: Fixture) throws {
    try check(fixture, "both", .both)
  }

  private func check(
    _ fixture: Fixture,
    _ part: String,
    _ direction: Policy.Direction
  ) throws {
    let reader = PlanFixture(fixture: fixture)
    let plan = Planner.plan(try reader.snapshot(), policy: reader.policy(direction))
    #expect(fixture.has(part))
    #expect(PlanText.lines(plan) == fixture.lines(part))
  }
}
