import Configuration
import Glibc
import MailModel
import Maildir
import Platform
import TestSupport
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

/// One step on a Maildir of three folders; what stands there before and after is a table.
@Suite struct StepTakerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: [String]
    var step: ActStep.Change
    var outcome: StepTaker.Outcome
    var after: [String]
  }

  private static func place(
    _ folder: String,
    _ flags: SystemFlags,
    _ target: String,
    _ wanted: SystemFlags
  ) -> ActStep.Change {
    .place(from: FilePlace(octets(folder), flags), to: FilePlace(octets(target), wanted))
  }

  private static let copy = ActStep.Change.copy(
    of: FilePlace(octets("A"), .seen),
    to: FilePlace(octets("B"), .seen),
    base: octets("m2")
  )

  private static let removal = ActStep.Change.removal(of: FilePlace(octets("A"), []))

  private static let cases = [
    Case(
      testDescription: "a new file that is read",
      before: ["A/new/m"],
      step: place("A", [], "A", .seen),
      outcome: .taken,
      after: ["A/cur/m:2,S"]
    ),
    Case(
      testDescription: "a flag beside one that another program has set meanwhile",
      before: ["A/cur/m:2,R"],
      step: place("A", [], "A", .flagged),
      outcome: .taken,
      after: ["A/cur/m:2,FR"]
    ),
    Case(
      testDescription: "a flag that goes, with letters that mean nothing here",
      before: ["A/cur/m:2,FSab"],
      step: place("A", [.flagged, .seen], "A", .flagged),
      outcome: .taken,
      after: ["A/cur/m:2,Fab"]
    ),
    Case(
      testDescription: "it was taken before",
      before: ["A/cur/m:2,S"],
      step: place("A", [], "A", .seen),
      outcome: .taken,
      after: ["A/cur/m:2,S"]
    ),
    Case(
      testDescription: "a move",
      before: ["A/cur/m:2,S"],
      step: place("A", .seen, "B", .seen),
      outcome: .taken,
      after: ["B/cur/m:2,S"]
    ),
    Case(
      testDescription: "a move that was made before",
      before: ["B/cur/m:2,S"],
      step: place("A", .seen, "B", .seen),
      outcome: .taken,
      after: ["B/cur/m:2,S"]
    ),
    Case(
      testDescription: "a file that another program moved elsewhere",
      before: ["C/cur/m:2,S"],
      step: place("A", .seen, "B", .seen),
      outcome: .left,
      after: ["C/cur/m:2,S"]
    ),
    Case(
      testDescription: "a namesake in the place where it is to go",
      before: ["A/cur/m:2,S", "B/cur/m:2,S"],
      step: place("A", .seen, "B", .seen),
      outcome: .failed(SystemError(operation: "rename", path: nil, code: EEXIST)),
      after: ["A/cur/m:2,S", "B/cur/m:2,S"]
    ),
    Case(
      testDescription: "a copy",
      before: ["A/cur/m:2,S"],
      step: copy,
      outcome: .taken,
      after: ["A/cur/m:2,S", "B/cur/m2:2,S"]
    ),
    Case(
      testDescription: "a copy that was made before, and read",
      before: ["A/cur/m:2,S", "B/cur/m2:2,RS"],
      step: copy,
      outcome: .taken,
      after: ["A/cur/m:2,S", "B/cur/m2:2,RS"]
    ),
    Case(
      testDescription: "a copy of what is gone",
      before: ["C/cur/x"],
      step: copy,
      outcome: .left,
      after: ["C/cur/x"]
    ),
    Case(
      testDescription: "a removal",
      before: ["A/cur/m:2,S", "B/cur/m:2,S"],
      step: removal,
      outcome: .taken,
      after: ["B/cur/m:2,S"]
    ),
    Case(
      testDescription: "a removal of what is gone",
      before: ["B/cur/m:2,S"],
      step: removal,
      outcome: .taken,
      after: ["B/cur/m:2,S"]
    ),
  ]

  @Test(arguments: cases, [false, true])
  func aStep(_ table: Case, isSeen: Bool) throws {
    let home = try TempDirectory()
    for folder in ["A", "B", "C"] {
      for name in ["cur", "new", "tmp"] { try Files.makeDirectories(home["\(folder)/\(name)"]) }
    }
    for file in table.before { try home.write("text", to: file) }
    let account = try Self.account(home)
    let step = ActStep(account: "test", id: [], base: octets("m"), table.step)
    var seen: ScannedFile?
    // What was just seen has no copy yet.
    let isFirst = !table.before.contains { $0.contains("m2") }
    if isSeen, isFirst, let path = table.before.first(where: { $0.hasPrefix("A/") }) {
      let words = path.split(separator: "/")
      seen = ScannedFile(
        name: FileName(octets(String(words[2]))),
        subdirectory: words[1] == "new" ? .new : .cur
      )
    }
    var taker = StepTaker([account])
    #expect(Self.withoutPath(taker.takeStep(step, seen: seen)) == table.outcome)
    #expect(try taker.flushChanges().isEmpty)
    var found: [String] = []
    for folder in ["A", "B", "C"] {
      for name in ["cur", "new", "tmp"] {
        found += Files.names(in: home["\(folder)/\(name)"]).map {
          "\(folder)/\(name)/\(String(decoding: $0, as: UTF8.self))"
        }
      }
    }
    #expect(found.sorted() == table.after.sorted())
    // Taken again, it changes nothing more, as after a crash.
    var again = StepTaker([account])
    let outcome = Self.withoutPath(again.takeStep(step, seen: nil))
    #expect(outcome == table.outcome && again.changes.isEmpty)
  }

  /// The directory of the test is another one in each run.
  private static func withoutPath(_ outcome: StepTaker.Outcome) -> StepTaker.Outcome {
    guard case .failed(let error) = outcome else { return outcome }
    return .failed(SystemError(operation: error.operation, path: nil, code: error.code))
  }

  /// What is written anew in its place shares its octets with no other file.
  @Test(
    arguments: [
      ("A", "B", "S", SystemFlags.seen, 2), ("A", "Drafts", "S", .seen, 1),
      ("Drafts", "B", "S", .seen, 1), ("A", "B", "DS", .seen, 1), ("A", "B", "S", .draft, 1),
    ] as [(String, String, String, SystemFlags, UInt64)]
  )
  func aCopyOfADraftIsAFileOfItsOwn(
    source: String,
    target: String,
    letters: String,
    flags: SystemFlags,
    links: UInt64
  ) throws {
    let home = try TempDirectory()
    for folder in ["A", "B", "Drafts"] {
      for name in ["cur", "new", "tmp"] { try Files.makeDirectories(home["\(folder)/\(name)"]) }
    }
    try home.write("text", to: "\(source)/cur/m:2,\(letters)")
    var taker = StepTaker([try Self.account(home)])
    let change = ActStep.Change.copy(
      of: FilePlace(octets(source), .seen),
      to: FilePlace(octets(target), flags),
      base: octets("m2")
    )
    let step = ActStep(account: "test", id: [], base: octets("m"), change)
    #expect(taker.takeStep(step, seen: nil) == .taken)
    let copy = try #require(Files.names(in: home["\(target)/cur"]).first { $0.contains(50) })
    let path = Path(home["\(target)/cur"]).appending(copy)
    #expect(try FileSystem.status(path)?.links == links)
    #expect(Files.read(path.display) == octets("text"))
  }

  /// A run that was killed between the two is followed by one that finds the file in its new place.
  @Test func tagsFollowAFileThatWasMovedBefore() throws {
    let home = try TempDirectory()
    for name in ["cur", "new", "tmp"] {
      for folder in ["A", "B"] { try Files.makeDirectories(home["\(folder)/\(name)"]) }
    }
    try home.write("text", to: "B/cur/m:2,S")
    try home.write("magnum-tags 1\nm +urgent\n", to: "A/.magnum-tags")
    var taker = StepTaker([try Self.account(home)])
    let step = ActStep(
      account: "test",
      id: [],
      base: octets("m"),
      Self.place("A", .seen, "B", .seen)
    )
    #expect(taker.takeStep(step, seen: nil) == .taken)
    #expect(try taker.flushChanges().isEmpty)
    #expect(Files.read(home["B/.magnum-tags"]) == octets("magnum-tags 1\nm +urgent\n"))
    #expect(Files.read(home["A/.magnum-tags"]) == nil)
  }

  /// A file that was seen under another name by now is found by its base.
  @Test func aFileThatWasRenamedSinceItWasSeen() throws {
    let home = try TempDirectory()
    for name in ["cur", "new", "tmp"] { try Files.makeDirectories(home["A/\(name)"]) }
    try home.write("text", to: "A/cur/m:2,S")
    var taker = StepTaker([try Self.account(home)])
    let step = ActStep(
      account: "test",
      id: [],
      base: octets("m"),
      Self.place("A", [], "A", .flagged)
    )
    let seen = ScannedFile(name: FileName(octets("m")), subdirectory: .new)
    #expect(taker.takeStep(step, seen: seen) == .taken)
    #expect(Files.names(in: home["A/cur"]) == [octets("m:2,FS")])
  }

  private static func account(_ home: TempDirectory) throws -> Account {
    let file = try home.write(
      "[account.test]\nmaildir = \"\(home.path)\"\n",
      to: "config.toml",
      mode: 0o600
    )
    let configuration = try Configuration.load(explicit: Path(file))
    return try #require(configuration.accounts.first)
  }
}
