import MailModel
import Platform
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct ActJournalTests {
  private let home: TempDirectory
  private let journal: ActJournal
  /// 2026-11-22T22:01:33Z.
  private let now: Int64 = 1_795_384_893

  init() throws {
    home = try TempDirectory()
    journal = ActJournal(stateHome: Path(home.path))
  }

  private static let steps = [
    ActStep(
      account: "work",
      id: octets("a@x.test"),
      base: octets("1.a,S=1"),
      .place(from: FilePlace(octets("INBOX"), []), to: FilePlace(octets("Archive"), .seen))
    ),
    ActStep(
      account: "my mail",
      id: [],
      base: octets("name with\nline"),
      .copy(
        of: FilePlace([], [.seen, .flagged]),
        to: FilePlace(octets(".a b"), .seen),
        base: octets("-")
      )
    ),
    ActStep(
      account: "work",
      id: octets("a@x.test"),
      base: octets("1.a"),
      .export(
        of: FilePlace(octets("INBOX"), .seen),
        account: "my mail",
        to: FilePlace(octets("Archive"), []),
        base: octets("2.b")
      )
    ),
    ActStep(account: "work", id: octets("-"), base: octets("%"), .removal(of: FilePlace([], []))),
  ]

  private var file: String { home["magnum/journal/2026-11"] }

  private func writer() throws -> ActJournal.Writer { try #require(try journal.writer()) }

  @discardableResult
  private func record(_ command: String, undoing: Int? = nil, now: Int64? = nil) throws -> Int {
    let writer = try writer()
    let act = try writer.begin(
      octets(command),
      Self.steps,
      undoing: undoing,
      now: now ?? self.now
    )
    try writer.finishAct(act, leaving: [])
    return act.act.number
  }

  @Test func whatIsWrittenIsRead() throws {
    let writer = try writer()
    let act = try writer.begin(octets("archive id:a b"), Self.steps, now: now)
    #expect(act.act.number == 1)
    #expect(
      Files.text(file) == """
        magnum-journal 1
        act 1 2026-11-22T22:01:33Z - archive%20id:a%20b
        place work a@x.test 1.a,S=1 INBOX - Archive S
        copy my%20mail - name%20with%0Aline - FS .a%20b S %2D
        export work a@x.test 1.a INBOX S Archive - 2.b my%20mail
        remove work %2D %25 - -
        end 1 4

        """
    )
    try writer.finishAct(act, leaving: [1])
    try writer.noteRefusal(of: 0, of: act, octets("no way"))
    try writer.noteRefusal(of: 0, of: act, octets("no way"))
    try writer.noteReturn(of: 0, of: act, octets("no way"))
    let read = try #require(try journal.acts(atLeast: 1).first)
    #expect(read.act == act.act && read.act.steps == Self.steps)
    #expect(read.isDone && read.left == [1] && read.refusals == [0: 2])
    #expect(read.returned == [0: octets("no way")])
    #expect(read.standing == Array(Self.steps[2...]))
  }

  /// Who asked for an act, and its word in the journal.
  static let origins: [(ActOrigin, String)] = [
    (.agent("helper"), "by 1 mcp:helper\n"), (.rule("lists"), "by 1 rule:lists\n"),
    (.program(octets("wake up")), "by 1 wake%20up\n"), (.person, ""),
  ]

  @Test(arguments: origins.indices)
  func whoAskedForAnActIsOnRecord(_ index: Int) throws {
    let (origin, line) = Self.origins[index]
    let act = try writer().begin(octets("a"), [Self.steps[0]], by: origin, now: now)
    #expect(act.act.origin == origin)
    #expect(
      Files.text(file) == """
        magnum-journal 1
        act 1 2026-11-22T22:01:33Z - a
        place work a@x.test 1.a,S=1 INBOX - Archive S
        \(line)end 1 1

        """
    )
    #expect(try journal.acts(atLeast: 1).first?.act == act.act)
  }

  /// A line of who asked is of the act that it stands in; one of a later version that it is not known is passed over.
  @Test func aLineOfAnotherActSaysNothing() throws {
    let text =
      "magnum-journal 1\nact 1 2026-11-22T22:01:33Z - a\nby 2 mcp:x\nby 1\nmore 1 2\nend 1 0\n"
    try Files.makeDirectories(home["magnum/journal"])
    try home.write(text, to: "magnum/journal/2026-11")
    #expect(try journal.acts(atLeast: 1).map(\.act.origin) == [.person])
  }

  /// An agent that acts often does not push what a person did out of reach.
  @Test func actsAreCountedByWhoAskedForThem() throws {
    try record("a")
    for _ in 1...3 {
      let writer = try writer()
      let act = try writer.begin(octets("b"), [], by: .agent("x"), now: now + 40 * 86_400)
      try writer.finishAct(act, leaving: [])
    }
    #expect(try journal.acts(atLeast: 1).count == 3)
    #expect(try journal.acts(atLeast: 1) { $0.origin == .person }.count == 4)
    #expect(try journal.acts(since: now + 30 * 86_400).map(\.act.number) == [2, 3, 4])
  }

  /// Why steps were not taken is on record; of a journal that does not say so, their files were gone.
  @Test func whatWasNotTakenIsReadWithItsReason() throws {
    let act = try writer().begin(octets("a"), Self.steps, now: now)
    try writer().finishAct(
      act,
      leaving: [0, 1, 2],
      failed: [(0, octets("rename: Permission denied"))],
      skipped: [2]
    )
    let text = try #require(Files.text(file))
    let lines = "failed 1 1 rename:%20Permission%20denied\nskipped 1 3\ndone 1 1 2 3\n"
    #expect(text.hasSuffix(lines), "\(text)")
    let read = try #require(try journal.acts(atLeast: 1).first)
    #expect(read.isDone && read.left == [0, 1, 2] && read.skipped == [2])
    #expect(read.failed == [0: octets("rename: Permission denied")])
    #expect(try record("b") == 2)
  }

  @Test func numbersCountUpOverMonthsAndWhateverTheClockSays() throws {
    #expect(try record("a") == 1)
    #expect(try record("b", now: now + 40 * 86_400) == 2)
    #expect(try record("c", now: now - 400 * 86_400) == 3)
    #expect(try record("d", now: now + 80 * 86_400) == 4)
    let acts = try journal.acts(atLeast: 100)
    #expect(acts.map(\.act.number) == [4, 3, 2, 1])
    #expect(try journal.acts(atLeast: 1).map(\.act.number) == [4])
  }

  @Test func whatIsTakenBackIsNoLongerInEffect() throws {
    try record("a")
    try record("undo", undoing: 1)
    #expect(try journal.acts(atLeast: 9).map(\.undoneBy) == [nil, 2])
    try record("undo", undoing: 2)
    #expect(try journal.acts(atLeast: 9).map(\.undoneBy) == [nil, 3, nil])
  }

  /// Whatever is left of an act's lines, it is there as a whole or not at all, and the next one follows.
  @Test func anActThatIsNotWholeIsNone() throws {
    try record("a")
    let before = try #require(Files.text(file))
    let unfinished = try writer().begin(octets("b"), Self.steps, now: now)
    let whole = try #require(Files.text(file))
    for count in before.utf8.count..<whole.utf8.count {
      try Files.write(Array(whole.utf8.prefix(count)), to: file)
      var writer: ActJournal.Writer? = try self.writer()
      #expect(writer?.unfinished == nil, "\(count)")
      #expect(Files.text(file) == before, "\(count)")
      writer = nil
      #expect(try record("c") == 2)
    }
    try Files.write(Array(whole.utf8), to: file)
    let writer = try writer()
    #expect(writer.unfinished?.act == unfinished.act)
    try writer.finishAct(unfinished, leaving: [])
    #expect(writer.unfinished == nil)
  }

  /// The writer looks at the last 64 KiB of a file first: refusals of 120 kB leave no end of an act there.
  @Test func anEndBeforeManyRefusalsIsFoundToo() throws {
    var refusing: ActJournal.Writer? = try writer()
    let act = try #require(try refusing?.begin(octets("a"), Self.steps, now: now))
    try refusing?.finishAct(act, leaving: [])
    for _ in 0..<30 {
      try refusing?.noteRefusal(of: 0, of: act, [UInt8](repeating: 0x61, count: 4000))
    }
    refusing = nil
    let next = try writer()
    #expect(next.unfinished == nil)
    #expect(try next.begin(octets("b"), Self.steps, now: now).act.number == 2)
    let acts = try journal.acts(atLeast: 9)
    #expect(acts.map(\.act.number) == [2, 1])
    #expect(acts.map(\.isDone) == [false, true])
    #expect(acts.last?.refusals == [0: 30])
  }

  @Test func oneProcessWritesAtATime() throws {
    var first: ActJournal.Writer? = try writer()
    let act = try first?.begin(octets("a"), Self.steps, now: now)
    let waiting = Background { [journal, now] in
      let second = try? journal.writer()
      // It came after the first had gone, and finds what that left.
      guard let left = second?.unfinished else { return }
      try? second?.finishAct(left, leaving: [])
      _ = try? second?.begin(octets("b"), Self.steps, now: now)
    }
    Stopwatch.sleep(0.05)
    first = nil
    waiting.join()
    #expect(act?.act.number == 1)
    #expect(try journal.acts(atLeast: 9).map(\.act.number) == [2, 1])
    #expect(try journal.acts(atLeast: 9).map(\.isDone) == [false, true])
  }
}
