import CommandLine
import Configuration
import MailModel
import Maildir
import Platform
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// What follows on a step of the same message is not done where that could not be taken.
@Suite struct StepChainTests {
  private let home: TempDirectory
  private let triage: Triage

  init() throws {
    home = try TempDirectory()
    for account in ["one", "two"] {
      for folder in ["INBOX", "Archive", "Trash"] {
        for name in ["cur", "new", "tmp"] {
          try Files.makeDirectories(home["\(account)/\(folder)/\(name)"])
        }
      }
    }
    let text = ["one", "two"].map { "[account.\($0)]\nmaildir = \"\(home[$0])\"\nindex = false\n" }
    let file = try home.write(text.joined(), to: "config.toml", mode: 0o600)
    triage = Triage(
      try Configuration.load(explicit: Path(file)),
      stateHome: Path(home.path),
      now: { 1_795_384_893 }
    )
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

  private func deliver() throws {
    for number in 0...1 { try home.write("text", to: "one/INBOX/cur/m\(number):2,S") }
  }

  private var files: [String] {
    ["one", "two"].flatMap { account in
      ["INBOX", "Archive", "Trash"].flatMap { folder in
        Files.names(in: home["\(account)/\(folder)/cur"]).map {
          "\(account)/\(folder)/\(String(decoding: $0, as: UTF8.self))"
        }
      }
    }.sorted()
  }

  /// The copy of one message cannot be made: its original stays, while the other message goes.
  @Test func anOriginalStaysWhereItsCopyFails() throws {
    try deliver()
    let result = try triage.carryOut(move("Nowhere"), command: octets("move"))
    #expect(result.failed.map(\.step) == [0] && result.skipped == [1, 2] && result.left == [])
    #expect(result.messages == 1)
    #expect(files == ["one/INBOX/m0:2,S", "one/Trash/m1:2,S", "two/Archive/c1:2,S"])
    let act = try #require(try triage.acts(atLeast: 1).first)
    #expect(act.left == [0, 1, 2] && act.act.fileCount == 2 && act.leftCount == 1)
  }

  /// The original of one message cannot come back: its copy stays.
  @Test func aCopyStaysWhereItsOriginalDoesNotComeBack() throws {
    try deliver()
    #expect(try triage.carryOut(move(), command: octets("move")).messages == 2)
    let undo = try triage.planUndo(nil)
    #expect(undo.plan.messages == 2 && undo.changed == [] && undo.lasting == [])
    try Command.shell("rm -r \"$1\"/one/INBOX/cur", [home.path])
    let result = try triage.carryOut(undo.plan, command: octets("undo 1"), undoing: 1)
    #expect(result.messages == 0 && result.failed.count == 2 && result.skipped.count == 4)
    let moved = [
      "one/Trash/m0:2,S", "one/Trash/m1:2,S", "two/Archive/c0:2,S", "two/Archive/c1:2,S",
    ]
    #expect(files == moved)
  }

  /// Nor does the original go once more where the copy is gone for good.
  @Test func anOriginalStaysWhereItsCopyDoesNotComeBack() throws {
    try deliver()
    _ = try triage.carryOut(move(), command: octets("move"))
    let undo = try triage.planUndo(nil)
    let result = try triage.carryOut(undo.plan, command: octets("undo 1"), undoing: 1)
    #expect(result.messages == 2)
    #expect(files == ["one/INBOX/m0:2,S", "one/INBOX/m1:2,S"])
    let again = try triage.planUndo(2)
    #expect(again.plan.steps.isEmpty && again.lasting.count == 6)
  }
}
