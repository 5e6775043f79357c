import MailModel
import MailStore
import Maildir
import Octets
@testable import SyncEngine
import SyncPlan
import Testing

@Suite("What steps came to") struct StepOutcomeTests {
  @Test func laterStepsAddToEarlierOnes() {
    var first = StepOutcome.Part()
    first.counts.flags = 2
    first.fail(.file([97], .empty))
    var second = StepOutcome.Part()
    second.counts.flags = 3
    second.counts.blocked[.notPermitted] = 1
    second.mayGrow = true
    second.changes = [.marked(folder: [], base: [98])]
    second.fail(.file([99], .containsNUL))
    (first.expunged, second.expunged) = ([1], [2])
    first.followed.insert([100])
    second.followed.insert([101])
    first.merge(second)
    #expect(first.counts.flags == 5 && first.counts.failed == 2)
    #expect(first.counts.blocked == [.notPermitted: 1])
    #expect(!first.isComplete && first.mayGrow && first.changes.count == 1)
    #expect(first.expunged == [1, 2] && first.followed == [[100], [101]])
    #expect(first.failures.map(Self.name) == [[97], [99]])
  }

  /// Whatever is left undone stays so.
  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func isCompleteOnlyIfAllStepsAre(_ one: Bool, _ other: Bool) {
    var (first, second) = (StepOutcome.Part(), StepOutcome.Part())
    (first.isComplete, second.isComplete) = (one, other)
    first.merge(second)
    #expect(first.isComplete == (one && other))
  }

  /// A count that is forgotten in the sum would be missed in the report of the run.
  @Test func allCountsAreAdded() {
    var report = MailboxReport(mailbox: "a")
    (report.fetched, report.new, report.octets, report.flags, report.removed) = (1, 1, 1, 1, 1)
    (report.relocated, report.stored, report.uploaded, report.moved) = (1, 1, 1, 1)
    (report.copied, report.trashed, report.deleted, report.rematched) = (1, 1, 1, 1)
    (report.detached, report.failed, report.partial, report.completed) = (1, 1, 1, 1)
    report.blocked = [.massDeletion: 1]
    var sum = report
    sum.add(report)
    var counted = 0
    for (name, value) in Mirror(reflecting: sum).children {
      switch value {
      case let count as Int: #expect(count == 2, "\(name ?? "")")
      case let count as UInt64: #expect(count == 2, "\(name ?? "")")
      default: continue
      }
      counted += 1
    }
    #expect(counted == 17)
    #expect(sum.blocked == [.massDeletion: 2] && sum.mailbox == "a")
  }

  private static func name(_ failure: SyncFailure) -> [UInt8] {
    if case .file(let name, _) = failure { name } else { [] }
  }
}
