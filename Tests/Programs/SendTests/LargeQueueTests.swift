import Glibc
import TestSupport
import Testing

/// Queues of many entries: what one entry costs does not depend on how many others there are.
///
/// The system calls on files are counted, exactly. MAGNUM_QUEUE_SIZE=10000 in the environment works on a queue of that
/// size too, and prints seconds and memory.
@Suite struct LargeQueueTests {
  private let stage: SendStage

  init() throws { stage = try SendStage() }

  /// Copies of one entry, as magnum-send makes it.
  private func fill(_ count: Int, _ recipients: [String]) throws {
    try Command.shell("rm -rf \"$1\"", [stage.spool])
    stage.sink.clear()
    _ = try stage.command("Subject: a\n\ntext\n", ["--no-try"] + recipients).run()
    let first = try #require(stage.entries("queue").first)
    let entry = try #require(Files.text("\(stage.spool)/queue/\(first)"))
    for number in 1..<count {
      let name = first.prefix(10) + "\(100_000 + number)" + first.dropFirst(16)
      try Files.write(
        entry.replacing("Id: \(first)", with: "Id: \(name)"),
        to: "\(stage.spool)/queue/\(name)"
      )
    }
    #expect(stage.entries("queue").count == count)
  }

  private func run(_ action: Action, _ variables: [String: String] = [:]) throws -> Outcome {
    let names = stage.entries(action.state).prefix(action.count)
    var command = stage.command("Subject: b\n\n", action.words + names, variables)
    command.program = "\(ProgramUnderTest.products)/\(action.program)"
    command.timeLimit = 600
    return try command.run()
  }

  /// What is done to a whole queue.
  enum Action: String, CaseIterable {
    case flush, split, list, mailq, status, send, edit, hold, release, discard
    /// A message is handed in and sent beside held, or failed, entries.
    case besideHeld, besideFailed

    var program: String {
      switch self {
      case .flush, .split, .mailq, .send, .besideHeld, .besideFailed: "magnum-send"
      case .list, .status, .edit, .hold, .release, .discard: "magnum"
      }
    }

    /// How many entries are named.
    var count: Int {
      switch self {
      case .flush, .split, .list, .mailq, .status, .send, .besideHeld, .besideFailed: 0
      case .edit: 1
      case .hold, .release, .discard: .max
      }
    }

    var state: String { self == .release ? "hold" : "queue" }

    var words: [String] {
      switch self {
      case .flush, .split: ["-q"]
      case .mailq: ["-bp"]
      case .send: ["--no-try", "a@x.test"]
      case .besideHeld, .besideFailed: ["a@x.test"]
      case .status: ["status"]
      case .edit: ["queue", "edit", "--to", "b@x.test"]
      case .list, .hold, .release, .discard: ["queue", rawValue]
      }
    }

    var recipients: [String] {
      switch self {
      case .split: ["p550@x.test", "a@x.test"]
      case .besideFailed: ["p550@x.test"]
      default: ["a@x.test"]
      }
    }
  }

  private func prepare(_ action: Action, _ count: Int) throws {
    try fill(count, action.recipients)
    switch action {
    case .release, .besideHeld: #expect(try run(.hold).code == 0)
    case .besideFailed: #expect(try run(.flush).code == 0)
    default: break
    }
  }

  /// The system calls for a queue of so many entries.
  private func calls(_ action: Action, _ count: Int) throws -> [String: Int] {
    try prepare(action, count)
    let file = stage.program.home["calls"]
    let outcome = try run(action, ["MAGNUM_FAULT_COUNT": file])
    #expect(outcome.code == 0, "\(outcome)")
    if action == .flush || action == .split { #expect(stage.sink.messages.count == count) }
    var calls: [String: Int] = [:]
    for line in (Files.text(file) ?? "").split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ")
      calls[String(words[0])] = Int(words[1])
    }
    return calls
  }

  /// What each entry more costs, exactly; `name` is a name read in a directory.
  private static let costs: [Action: String] = [
    .flush:
      "fallocate 1, fdatasync 2, flock 4, fstat 27, getdents64 6, name 2, open 15, pread 1, read 4, "
      + "stat 6, unlink 2, write 6",
    .split:
      "fallocate 1, fdatasync 2, flock 4, fstat 30, fsync 2, getdents64 6, name 3, open 18, "
      + "pread 1, read 7, rename 1, stat 5, write 8",
    .list: "fstat 1, name 1, open 2, read 1",
    .mailq: "fstat 1, name 1, open 2, read 1",
    .status: "fstat 1, name 2, open 2, read 1",
    .send: "name 1",
    .edit: "",
    .besideHeld: "name 3",
    .besideFailed: "name 3",
    .hold:
      "fdatasync 1, flock 3, fstat 9, fsync 3, getdents64 6, name 1, open 13, read 1, rename 1, "
      + "stat 23, write 2",
    .release:
      "fdatasync 1, flock 3, fstat 15, fsync 3, getdents64 6, name 1, open 13, read 5, rename 1, "
      + "stat 29, write 2",
    .discard:
      "fdatasync 1, flock 3, fstat 9, fsync 3, getdents64 6, name 1, open 14, read 1, rename 1, "
      + "stat 23, write 2",
  ]

  @Test(arguments: Action.allCases)
  func anEntryCostsTheSameInAnyQueue(_ action: Action) throws {
    let counts = try [10, 20, 40].map { try calls(action, $0) }
    let names = Set(counts.flatMap(\.keys)).sorted()
    for name in names {
      let numbers = counts.map { $0[name] ?? 0 }
      #expect(numbers[2] - numbers[1] == 2 * (numbers[1] - numbers[0]), "\(name): \(numbers)")
    }
    let each = names.compactMap { name -> String? in
      let more = (counts[1][name] ?? 0) - (counts[0][name] ?? 0)
      #expect(more % 10 == 0, "\(name)")
      return more == 0 ? nil : "\(name) \(more / 10)"
    }
    #expect(each.joined(separator: ", ") == Self.costs[action])
  }

  @Test(.enabled(if: getenv("MAGNUM_QUEUE_SIZE") != nil), arguments: Action.allCases)
  func aQueueOfThatSize(_ action: Action) throws {
    let size = getenv("MAGNUM_QUEUE_SIZE").flatMap { Int(String(cString: $0)) } ?? 0
    try prepare(action, size)
    let outcome = try run(action)
    print("\(action) of \(size): \(outcome.seconds) s, \(outcome.peakMemory) KiB")
  }
}
