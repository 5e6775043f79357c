import TestSupport
import Testing

/// What a command did is taken back, whether the server was told of it or not.
@Suite struct UndoTests {
  /// Commands, and whether the server is told of each before the next.
  private static let commands = [
    ["read", "*"], ["flag", "subject:number1"], ["archive", "subject:number2"],
    ["delete", "subject:number3"], ["copy", "Archive", "subject:number4"],
  ]

  @Test(arguments: commands, [false, true])
  func anActIsTakenBack(_ words: [String], isTold: Bool) throws {
    let stage = try Stage.forTriage()
    let before = stage.shownHere
    var command = stage.program.command(words)
    command.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try command.run().code == 0)
    let after = stage.shownHere
    #expect(after != before)
    if isTold {
      try stage.settle()
      #expect(try stage.shownThere() == after)
    }
    let undone = try stage.magnumWell("undo")
    #expect(undone.output.contains("restored"), "\(undone)")
    #expect(stage.shownHere == before)
    #expect(try stage.magnum("undo").code == 1)
    if words[0] != "copy" {
      // An act that takes another back is one itself.
      try stage.magnumWell("undo", "2")
      #expect(stage.shownHere == after)
      try stage.magnumWell("undo")
      #expect(stage.shownHere == before)
    }
    #expect(try stage.found("folder:INBOX and tag:unread and not tag:flagged") == 7)
    try stage.expectSettled("", ["--allow-mass-delete", "test/Archive"])
    let there = try stage.shownThere()
    // The copy that was on the server goes where removed messages go.
    let isCopy = words[0] == "copy" && isTold
    let note = "the server has 1 copy already, which the next sync moves to Trash there"
    #expect(undone.errors.contains(note) == isCopy, "\(undone)")
    #expect(there.filter { !$0.hasPrefix("Trash") } == before)
    #expect(there.count == before.count + (isCopy ? 1 : 0), "\(there)")
  }

  @Test func oneActAfterTheOther() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("archive", "subject:number1")
    try stage.magnumWell("archive", "subject:number2")
    try stage.magnumWell("undo")
    try stage.magnumWell("undo")
    #expect(stage.shownHere.count { $0 == "INBOX []" } == 7)
    let log = try stage.magnumWell("log").lines
    #expect(log.count == 4, "\(log)")
    #expect(log[0].hasPrefix("4  ") && log[0].contains("  undo 1  1 message"), "\(log)")
    #expect(log[3].contains("archive subject:number1  1 message  (undone by 4)"), "\(log)")
    let steps = try stage.magnumWell("log", "2").lines
    #expect(steps.count == 1 && steps[0].hasSuffix("  to Archive  done"), "\(steps)")
  }

  @Test func whatWasChangedSinceStaysAsItIs() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("flag", "*")
    try stage.imap.select()
    try stage.settle()
    try stage.imap.store("1", "-FLAGS (\\Flagged)")
    try stage.imap.move("2", to: "Archive")
    try stage.settle()
    let undone = try stage.magnum("undo")
    #expect(undone.code == 1 && undone.output.contains("5 messages restored"), "\(undone)")
    #expect(undone.errorLines.count { $0.contains("changed since") } == 2, "\(undone)")
    #expect(stage.shownHere.count { $0.contains("F") } == 1)
  }

  /// Another message of the same Message-ID is not put where the one that is gone was.
  @Test func whatIsGoneIsNotReplacedByAnother() throws {
    let stage = try Stage.forTriage()
    let first = try #require(try stage.imap.messages(in: "INBOX").first)
    try stage.imap.append(first.body, to: "Archive")
    try stage.settle()
    try stage.magnumWell("archive", "--folder", "INBOX", "subject:number1")
    try stage.settle()
    try stage.imap.select("Archive")
    try stage.imap.store("2", "+FLAGS (\\Deleted)")
    try stage.imap.expunge("2")
    try stage.settle()
    let undone = try stage.magnum("undo")
    #expect(undone.code == 1 && undone.errors.contains("changed since"), "\(undone)")
    #expect(stage.shownHere.count { $0.hasPrefix("Archive") } == 1)
  }

  @Test func aCopyIsNotRemovedWhereItIsAllThatIsLeft() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("copy", "Archive", "subject:number1")
    try stage.settle()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.remove("number1")
    let undone = try stage.magnum("undo")
    #expect(undone.code == 1, "\(undone)")
    #expect(stage.shownHere.contains("Archive []"))
  }

  /// Where removals are not passed on the copy stays on the server, which is said too, before anything is done.
  @Test func aCopyThatTheServerKeepsIsNamed() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("copy", "Archive", "subject:number1 or subject:number2")
    try stage.settle()
    try stage.configure(sync: "on-local-delete = \"keep\"", isIndexed: true)
    let note = "the server has 2 copies already, which it keeps"
    for words in [["undo", "-n"], ["undo"]] {
      var command = stage.program.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      let undone = try command.run()
      #expect(undone.code == 0 && undone.errors.contains(note), "\(undone)")
    }
  }

  @Test func whatIsGoneForGoodIsSaid() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("delete", "subject:number1")
    try stage.settle()
    try stage.magnumWell("delete", "--expunge", "folder:Trash")
    let last = try stage.magnum("undo")
    #expect(last.code == 1 && last.errors.contains("magnum undo 1 takes back"), "\(last)")
    let undone = try stage.magnum("undo", "2")
    #expect(undone.code == 1 && undone.errors.contains("does not come back"), "\(undone)")
  }

  /// Wherever it is killed: anyone who repeats it takes back the same act, unless the first one had come to its end.
  @Test func anUndoThatIsRepeatedIsOne() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("archive", "subject:number1")
    try stage.magnumWell("archive", "subject:number2")
    try stage.imap.command("LOGOUT")
    let world = SavedWorld(stage: stage)
    try world.save("base")
    let counted = stage.program.home["points"]
    _ = try stage.magnum("undo", variables: ["MAGNUM_FAULT_COUNT": counted])
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 5)
    for point in Turn.chosen(of: points, every: 5) {
      try world.restore("base")
      _ = try stage.magnum("undo", variables: ["MAGNUM_FAULT": "\(point)"])
      let log = try stage.magnumWell("log").lines
      let isDone = log.contains { $0.hasPrefix("3  ") && !$0.contains("cut short") }
      let repeated = try stage.magnumWell("undo")
      #expect(repeated.output.hasPrefix("1 message restored"), "point \(point): \(repeated)")
      let archived = stage.shownHere.count { $0.hasPrefix("Archive") }
      #expect(archived == (isDone ? 0 : 1), "point \(point) of \(points)")
    }
  }
}
