import MailModel
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

  @Test("push", arguments: try Fixtures.load("Fixtures/pushes.txt"))
  func push(_ fixture: Fixture) throws {
    try check(fixture, "push", .push)
  }

  @Test("several mailboxes, both ways", arguments: try Fixtures.load("Fixtures/moves.txt"))
  func moves(_ fixture: Fixture) throws {
    let reader = PlanFixture(fixture: fixture)
    let plans = Planner.plan(try reader.snapshots(), policy: reader.policy(.both))
    #expect(fixture.has("plan") || fixture.has("plan other"))
    #expect(PlanText.lines(plans[0]) == fixture.lines("plan"))
    #expect(PlanText.lines(plans[1]) == fixture.lines("plan other"))
    #expect(PlanText.lines(plans[2]) == fixture.lines("plan third"))
  }

  @Test("several mailboxes, one way", arguments: try Fixtures.load("Fixtures/one-way-moves.txt"))
  func oneWay(_ fixture: Fixture) throws {
    let reader = PlanFixture(fixture: fixture)
    let directions: [(String, SyncDirection)] = [("pull", .pull), ("push", .push)]
    let tried = directions.filter { name, _ in
      ["", " other", " third"].contains { fixture.has(name + $0) }
    }
    #expect(!tried.isEmpty)
    for (name, direction) in tried {
      let plans = Planner.plan(try reader.snapshots(), policy: reader.policy(direction))
      #expect(PlanText.lines(plans[0]) == fixture.lines(name))
      #expect(PlanText.lines(plans[1]) == fixture.lines(name + " other"))
      #expect(PlanText.lines(plans[2]) == fixture.lines(name + " third"))
    }
  }

  @Test("what is here in parts only", arguments: try Fixtures.load("Fixtures/partials.txt"))
  func partials(_ fixture: Fixture) throws {
    let reader = PlanFixture(fixture: fixture)
    let plans = Planner.plan(try reader.snapshots(), policy: reader.policy(.both))
    #expect(fixture.has("plan") || fixture.has("plan other"))
    #expect(PlanText.lines(plans[0]) == fixture.lines("plan"))
    #expect(PlanText.lines(plans[1]) == fixture.lines("plan other"))
  }

  @Test("what is here in parts only is never uploaded, nor taken from the server for good")
  func partialsAreSafe() throws {
    let names = ["plans.txt", "pushes.txt", "moves.txt", "keeps.txt"]
    for fixture in try names.flatMap({ try Fixtures.load("Fixtures/\($0)") }) {
      let reader = PlanFixture(fixture: fixture)
      let mailboxes = try reader.snapshots().map(Self.inParts)
      for deletion in [LocalDeletion.trash, .expunge, .keep] {
        for remoteDeletion in [RemoteDeletion.follow, .keep] {
          var policy = reader.policy(.both)
          policy.localDeletion = deletion
          policy.remoteDeletion = remoteDeletion
          policy.expunge = .all
          for plan in Planner.plan(mailboxes, policy: policy) {
            #expect(plan.uploads.isEmpty, "\(fixture.name)")
            let isForGood = plan.removals.contains { removal in
              switch removal.step {
              case .fileless(_, toTrash: true), .copied(_, toTrash: true): false
              // Where it has another label it stays.
              case .copied(let uid, _):
                mailboxes.first { $0.mailbox == plan.mailbox }?.outside.labelled[uid] == nil
              case .fileless, .replaced, .marked: true
              }
            }
            #expect(!isForGood, "\(fixture.name)")
          }
        }
      }
    }
  }

  /// The mailbox, had all of its messages and files only parts.
  private static func inParts(_ mailbox: MailboxSnapshot) -> MailboxSnapshot {
    var mailbox = mailbox
    for index in mailbox.base.indices {
      mailbox.base[index].completeness = .partial(name: mailbox.base[index].name)
    }
    for index in mailbox.local.indices { mailbox.local[index].isPartial = true }
    return mailbox
  }

  @Test("what the server loses is kept", arguments: try Fixtures.load("Fixtures/keeps.txt"))
  func keeps(_ fixture: Fixture) throws {
    let reader = PlanFixture(fixture: fixture)
    var policy = reader.policy(.both)
    policy.remoteDeletion = .keep
    let plans = Planner.plan(try reader.snapshots(), policy: policy)
    #expect(fixture.has("plan") || fixture.has("plan other"))
    #expect(PlanText.lines(plans[0]) == fixture.lines("plan"))
    #expect(PlanText.lines(plans[1]) == fixture.lines("plan other"))
    #expect(plans.allSatisfy { $0.removedFiles == 0 })
  }

  private func check(
    _ fixture: Fixture,
    _ part: String,
    _ direction: SyncDirection
  ) throws {
    let reader = PlanFixture(fixture: fixture)
    let plan = Planner.plan(try reader.snapshot(), policy: reader.policy(direction))
    #expect(fixture.has(part))
    #expect(PlanText.lines(plan) == fixture.lines(part))
  }
}
