import MailModel
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Tags that cannot be written, as on a full disk: what needs them fails, and nothing else waits for it.
@Suite struct TagFailureTests {
  private let accounts: TwoAccounts

  private var triage: Triage { accounts.triage }

  init() throws {
    accounts = try TwoAccounts()
    for number in 0...1 { try accounts.home.write("text", to: "one/INBOX/cur/m\(number):2,S") }
    try accounts.home.write("text", to: "two/INBOX/cur/n:2,S")
  }

  /// Takes from an account that tags can be written.
  private func block(_ account: String) throws {
    try Files.makeDirectories(accounts.home["\(account)/.magnum/tags-lock"])
  }

  private func tagging(_ account: String, _ base: String) -> ActStep {
    let place = FilePlace(octets("INBOX"), .seen)
    let change = ActStep.Change.tags(of: place, adding: [octets("work")], removing: [])
    return ActStep(account: account, id: [], base: octets(base), change)
  }

  private func plan(_ steps: [ActStep]) -> PlannedAct {
    var plan = PlannedAct()
    plan.steps = steps.enumerated().map {
      PlannedAct.Step(step: $0.element, seen: nil, message: $0.offset)
    }
    return plan
  }

  private var archiving: PlannedAct {
    let places = (FilePlace(octets("INBOX"), .seen), FilePlace(octets("Archive"), .seen))
    return plan(
      (0...1).map {
        let change = ActStep.Change.place(from: places.0, to: places.1)
        return ActStep(account: "one", id: [], base: octets("m\($0)"), change)
      }
    )
  }

  @Test func onlyTheTagsOfThatAccountFail() throws {
    try block("two")
    let steps = [tagging("two", "n"), tagging("one", "m0")]
    let result = try triage.carryOut(plan(steps), command: octets("tag"))
    #expect(result.failed.map(\.step) == [0] && result.messages == 1)
    let tags = Files.text(accounts.home["one/INBOX/.magnum-tags"])
    #expect(tags?.contains("m0 =work") ?? false, "\(tags ?? "none")")
    let act = try #require(try triage.acts(atLeast: 1).first)
    #expect(act.isDone && act.left == [0])
  }

  /// Another act goes on, and says so once.
  @Test func anActThatWasCutShortKeepsNoOtherBack() throws {
    try block("two")
    var writer: ActJournal.Writer? = try triage.writer()
    _ = try writer?.begin(octets("tag"), [tagging("two", "n")], now: 1_795_384_893)
    writer = nil
    let first = try triage.carryOut(plan([tagging("one", "m0")]), command: octets("tag"))
    #expect(first.messages == 1 && first.failed.isEmpty)
    #expect(first.earlier?.act.act.number == 1 && first.earlier?.count == 1)
    let second = try triage.carryOut(plan([tagging("one", "m1")]), command: octets("tag"))
    #expect(second.messages == 1 && second.earlier == nil)
    #expect(try triage.acts(atLeast: 9).map(\.isDone) == [true, true, true])
  }

  /// A message whose tags cannot follow it stays where it is, with them.
  @Test func aFileDoesNotLeaveItsTags() throws {
    let tags = "magnum-tags 1\nm0 +work\n"
    try accounts.home.write(tags, to: "one/INBOX/.magnum-tags")
    try block("one")
    let result = try triage.carryOut(archiving, command: octets("archive"))
    #expect(result.failed.map(\.step) == [0] && result.messages == 1)
    #expect(accounts.files == ["one/Archive/m1:2,S", "one/INBOX/m0:2,S", "two/INBOX/n:2,S"])
    #expect(Files.text(accounts.home["one/INBOX/.magnum-tags"]) == tags)
    try Command.shell("rmdir \"$1\"", [accounts.home["one/.magnum/tags-lock"]])
    #expect(try triage.carryOut(archiving, command: octets("archive")).messages == 2)
    #expect(Files.text(accounts.home["one/Archive/.magnum-tags"]) == tags)
    #expect(Files.text(accounts.home["one/INBOX/.magnum-tags"]) == nil)
  }
}
