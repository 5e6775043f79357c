import MailModel
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// What follows on a step of the same message is not done where that could not be taken.
@Suite struct StepChainTests {
  private let accounts: TwoAccounts

  private var triage: Triage { accounts.triage }

  init() throws {
    accounts = try TwoAccounts()
    for number in 0...1 { try accounts.home.write("text", to: "one/INBOX/cur/m\(number):2,S") }
  }

  /// A move of two messages to Archive of the other account, where the first is to go to a folder there.
  private func move(_ target: String = "Archive") -> PlannedAct {
    var plan = PlannedAct()
    for (number, folder) in [target, "Archive"].enumerated() {
      let (base, copy) = (octets("m\(number)"), octets("c\(number)"))
      let (from, there) = (FilePlace(octets("INBOX"), .seen), FilePlace(octets(folder), .seen))
      let trash = FilePlace(octets("Trash"), .seen)
      let changes: [(String, [UInt8], ActStep.Change)] = [
        ("one", base, .export(of: from, account: "two", to: there, base: copy)),
        ("two", copy, .tags(of: there, adding: [octets("work")], removing: [])),
        ("one", base, .place(from: from, to: trash)),
      ]
      plan.steps += changes.map { account, base, change in
        let step = ActStep(account: account, id: octets("id\(number)"), base: base, change)
        return PlannedAct.Step(step: step, seen: nil, message: number)
      }
    }
    return plan
  }

  /// The copy of one message cannot be made: its original stays, while the other message goes.
  @Test func anOriginalStaysWhereItsCopyFails() throws {
    let result = try triage.carryOut(move("Nowhere"), command: octets("move"))
    #expect(result.failed.map(\.step) == [0] && result.skipped == [1, 2] && result.left == [])
    #expect(result.messages == 1)
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/Trash/m1:2,S", "two/Archive/c1:2,S"])
    let act = try #require(try triage.acts(atLeast: 1).first)
    #expect(act.left == [0, 1, 2] && act.act.fileCount == 2 && act.leftCount == 1)
    #expect(act.skipped == [1, 2] && act.failedCount == 1)
    let reason = String(decoding: act.failed[0] ?? [], as: UTF8.self)
    #expect(act.failed.count == 1 && reason.hasPrefix("link "), "\(reason)")
  }

  /// The original of one message cannot come back: its copy stays.
  @Test func aCopyStaysWhereItsOriginalDoesNotComeBack() throws {
    #expect(try triage.carryOut(move(), command: octets("move")).messages == 2)
    let undo = try triage.planUndo(nil)
    #expect(undo.plan.messages == 2 && undo.changed == [] && undo.lasting == [])
    try Command.shell("rm -r \"$1\"/one/INBOX/cur", [accounts.home.path])
    let result = try triage.carryOut(undo.plan, command: octets("undo 1"), undoing: 1)
    #expect(result.messages == 0 && result.failed.count == 2 && result.skipped.count == 4)
    let moved = [
      "one/Trash/m0:2,S", "one/Trash/m1:2,S", "two/Archive/c0:2,S", "two/Archive/c1:2,S",
    ]
    #expect(accounts.files == moved)
  }

  /// Nor does the original go once more where the copy is gone for good.
  @Test func anOriginalStaysWhereItsCopyDoesNotComeBack() throws {
    _ = try triage.carryOut(move(), command: octets("move"))
    let undo = try triage.planUndo(nil)
    let result = try triage.carryOut(undo.plan, command: octets("undo 1"), undoing: 1)
    #expect(result.messages == 2)
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    let again = try triage.planUndo(2)
    #expect(again.plan.steps.isEmpty && again.lasting.count == 6)
  }
}
