import MailModel
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// What is taken back, and what is yet to be.
@Suite struct UndoneTests {
  private let accounts: TwoAccounts

  private var triage: Triage { accounts.triage }

  init() throws {
    accounts = try TwoAccounts()
    for number in 0...1 { try accounts.home.write("text", to: "one/INBOX/cur/m\(number):2,S") }
  }

  /// Moves messages of one account to its Archive.
  @discardableResult
  private func archive(
    _ numbers: Int...,
    by origin: ActOrigin = .person
  ) throws -> Triage.Result {
    var plan = PlannedAct()
    let places = (FilePlace(octets("INBOX"), .seen), FilePlace(octets("Archive"), .seen))
    for number in numbers {
      let change = ActStep.Change.place(from: places.0, to: places.1)
      let step = ActStep(account: "one", id: [], base: octets("m\(number)"), change)
      plan.steps.append(PlannedAct.Step(step: step, seen: nil, message: number))
    }
    return try triage.carryOut(plan, command: octets("archive"), by: origin)
  }

  private func carryOut(_ undo: UndoPlan) throws -> Triage.Result {
    let number = undo.act.act.number
    return try triage.carryOut(undo.plan, command: octets("undo \(number)"), undoing: number)
  }

  private func undo() throws -> (act: Int, messages: Int) {
    let undo = try triage.planUndo(nil)
    return (undo.act.act.number, try carryOut(undo).messages)
  }

  private func move(_ source: String, _ target: String) throws {
    let home = accounts.home
    try Command.shell(
      "mv \"$1\" \"$2\"",
      [home["one/INBOX/\(source)"], home["one/INBOX/\(target)"]]
    )
  }

  /// Nothing of it could be done: it is tried again, and nothing older is.
  @Test func anUndoThatFailsTookNothingBack() throws {
    try archive(0)
    try archive(1)
    try move("cur", "gone")
    for _ in 1...2 { #expect(try undo() == (2, 0)) }
    #expect(accounts.files == ["one/Archive/m0:2,S", "one/Archive/m1:2,S"])
    #expect(try triage.acts(atLeast: 9).allSatisfy { $0.undoneBy == nil })
    try move("gone", "cur")
    #expect(try undo() == (2, 1))
    #expect(throws: Explanation.self) { try triage.planUndo(2) }
    #expect(try undo() == (1, 1))
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    #expect(throws: Explanation.self) { try triage.planUndo(nil) }
  }

  /// Without a number only what a person did is taken back, whatever agents and rules did since.
  @Test(arguments: [
    (ActOrigin.agent("helper"), 1), (.program(octets("rule:lists")), 0),
  ])
  func whatAPersonDidNotDoIsTakenBackByItsNumber(origin: ActOrigin, ofAgents: Int) throws {
    try archive(0)
    try archive(1, by: origin)
    #expect(try triage.agentActs(in: "one", since: 0) == ofAgents)
    #expect(try triage.agentActs(in: "two", since: 0) == 0)
    #expect(try triage.agentActs(in: "one", since: .max) == 0)
    #expect(try undo() == (1, 1))
    #expect(accounts.files == ["one/Archive/m1:2,S", "one/INBOX/m0:2,S"])
    #expect(throws: Explanation.self) { try triage.planUndo(nil) }
    _ = try carryOut(try triage.planUndo(2))
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
  }

  /// What the server refuses of it is put back, whoever asked for it.
  @Test func whatTheServerRefusesOfAnAgentIsPutBack() throws {
    try archive(0, by: .agent("helper"))
    let refused = RefusedFile(
      account: "one",
      folder: octets("Archive"),
      base: octets("m0"),
      words: octets("no way")
    ) { _ in true }
    #expect(try triage.applyRefusals([refused]).map(\.act.origin) == [.agent("helper")])
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    #expect(try triage.planUndo(1).plan.steps.isEmpty)
    #expect(try triage.acts(atLeast: 1).first?.standing == [])
  }

  /// Of one message another file has the place: that one is what is left to be taken back.
  @Test func whatIsLeftOfAnActIsTakenBackLater() throws {
    try archive(0, 1)
    try accounts.home.write("other", to: "one/INBOX/cur/m1:2,S")
    #expect(try undo() == (1, 1))
    let act = try #require(try triage.acts(atLeast: 9).last)
    #expect(act.undoneBy == 2 && act.standing.map(\.base) == [octets("m1")])
    let other = accounts.home["one/INBOX/cur/m1:2,S"]
    try Command.shell("rm \"$1\"", [other])
    #expect(try undo() == (1, 1))
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    #expect(throws: Explanation.self) { try triage.planUndo(nil) }
    // What the first one did is done again, the rest is not.
    _ = try carryOut(try triage.planUndo(2))
    #expect(accounts.files == ["one/Archive/m0:2,S", "one/INBOX/m1:2,S"])
    #expect(try triage.planUndo(nil).act.act.number == 1)
  }

  /// An undo that was cut short is finished as one, and nothing else is taken back.
  @Test func anUndoThatWasCutShortIsFinished() throws {
    try archive(0)
    let plan = try triage.planUndo(nil).plan
    let steps = plan.steps.map(\.step)
    var writer: ActJournal.Writer? = try triage.writer()
    _ = try writer?.begin(octets("undo 1"), steps, undoing: 1, now: 1_795_384_893)
    writer = nil
    let finished = try #require(try triage.finish())
    #expect(finished.act?.act.undoing == 1 && finished.messages == 1)
    #expect(try triage.acts(atLeast: 9).map(\.undoneBy) == [nil, 2])
    #expect(accounts.files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
  }

  /// A file of the same base name, which another program put beside it, is another message.
  @Test(arguments: [false, true])
  func aNamesakeIsNotTakenForTheFile(isRenamed: Bool) throws {
    try accounts.home.write("other", to: "one/Archive/cur/m0:2,F")
    try archive(0)
    guard !isRenamed else {
      let paths = ["S", "RS"].map { accounts.home["one/Archive/cur/m0:2,\($0)"] }
      try Command.shell("mv \"$1\" \"$2\"", paths)
      let undo = try triage.planUndo(nil)
      #expect(undo.plan.steps.isEmpty && undo.changed.count == 1)
      return
    }
    #expect(try undo() == (1, 1))
    #expect(accounts.files == ["one/Archive/m0:2,F", "one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    #expect(Files.text(accounts.home["one/INBOX/cur/m0:2,S"]) == "text")
  }
}
