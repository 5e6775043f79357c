import TestSupport
import Testing

@testable import Syncing

/// A problem that lasts is reported once a day.
@Suite struct ReportedProblemsTests {
  private static let start: Int64 = 1_795_384_893
  private static let hour: Int64 = 3600

  /// So many hours after it was reported; a clock that was set back tells nothing.
  @Test(arguments: [(0, false), (1, false), (22, false), (23, true), (48, true), (-1, true)])
  func isDue(_ hours: Int64, _ isDue: Bool) {
    var problems = ReportedProblems()
    let isFirst = problems.isDue("a", now: Self.start)
    let isOther = problems.isDue("b", now: Self.start)
    let isAgain = problems.isDue("a", now: Self.start + hours * Self.hour)
    #expect(isFirst && isOther)
    #expect(isAgain == isDue)
  }

  @Test func whatIsSolvedIsReportedAtOnceWhenItComesBack() {
    var problems = ReportedProblems()
    for name in ["a", "b"] { _ = problems.isDue(name, now: Self.start) }
    var next = ReportedProblems(problems.octets)
    let isDue = next.isDue("a", now: Self.start + 60)
    next.forgetSolved()
    var last = ReportedProblems(next.octets)
    let (isSame, isBack) = (
      last.isDue("a", now: Self.start + 120), last.isDue("b", now: Self.start + 120)
    )
    #expect(!isDue && !isSame && isBack)
  }

  @Test func theFile() {
    var problems = ReportedProblems()
    for name in ["work INBOX", "b"] { _ = problems.isDue(name, now: Self.start) }
    let text = "1795384893 b\n1795384893 work INBOX\n"
    #expect(String(decoding: problems.octets, as: UTF8.self) == text)
    #expect(ReportedProblems(Array(text.utf8)).octets == Array(text.utf8))
    let damaged = "x a\n\n99999999999999999999 b\n12\n5 c d\n"
    let read = ReportedProblems(Array(damaged.utf8))
    #expect(String(decoding: read.octets, as: UTF8.self) == "5 c d\n")
  }
}
