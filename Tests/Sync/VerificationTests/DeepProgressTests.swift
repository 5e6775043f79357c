import MailModel
import Platform
import TestSupport
import Testing

@testable import Verification

/// What a deep verification compared before it was cut short.
@Suite struct DeepProgressTests {
  private let folder: TempDirectory
  private var memory: Path { Path(folder["memory"]) }
  private var file: String { folder["memory/verifying"] }
  private var now: Int64 { Clock.now() }

  init() throws { folder = try TempDirectory("verifying") }

  private func progress(_ patterns: [String] = [], now: Int64? = nil) -> DeepProgress {
    DeepProgress(memory, patterns.map { MailboxPattern($0) }, now: now ?? self.now)
  }

  @Test(
    arguments: [
      ([1], "1"), ([3, 1, 2], "1-3"), ([1, 3, 4], "1,3-4"), ([1, 2, 5, 9, 10, 11], "1-2,5,9-11"),
      ([4_294_967_294, 4_294_967_295], "4294967294-4294967295"),
    ] as [(Set<UInt32>, String)]
  )
  func isFoundAgain(_ uids: Set<UInt32>, _ text: String) throws {
    var first = progress()
    try first.recordCompared(uids, in: 0xAB, 7)
    try first.recordCompared([1], in: 1, 8)
    #expect(Files.text(file) == "magnum-verifying 2\n1 8 1\nab 7 \(text)\n")
    let next = progress()
    #expect(next.compared(in: 0xAB, 7) == uids && next.compared(in: 1, 8) == [1])
  }

  /// A mailbox of another UIDVALIDITY has other messages under these UIDs.
  @Test func isOfOneMailbox() throws {
    var first = progress()
    try first.recordCompared([1, 2], in: 1, 7)
    #expect(progress().compared(in: 1, 8).isEmpty && progress().compared(in: 2, 7).isEmpty)
  }

  /// In whatever order the patterns are given.
  @Test func isOfTheSameMailboxes() throws {
    var first = progress(["Work", "Lists/*"])
    try first.recordCompared([1], in: 1, 7)
    #expect(progress(["Lists/*", "Work"]).compared(in: 1, 7) == [1])
    for patterns in [[], ["Work"], ["Work", "Lists/*", "A"], ["WorkLists/*"]] {
      #expect(progress(patterns).compared(in: 1, 7).isEmpty, "\(patterns)")
    }
  }

  @Test func isForgotten() throws {
    var first = progress()
    try first.recordCompared([1], in: 1, 7)
    #expect(progress(now: now + 29 * 86_400).compared(in: 1, 7) == [1])
    #expect(progress(now: now + 31 * 86_400).compared(in: 1, 7).isEmpty)
    try first.remove()
    #expect(!Files.exists(file) && progress().compared(in: 1, 7).isEmpty)
    try first.remove()
  }

  /// A file that says something else counts as absent, as a whole.
  @Test(arguments: [
    "", "magnum-verifying 1\n1 7 1\n", "1 7 1\n", "magnum-verifying 2\n1 7 1\n2 x 1\n",
    "magnum-verifying 2\n1 7 1\n2 7\n", "magnum-verifying 2\n1 7 1\n2 7 3-2\n",
    "magnum-verifying 2\n1 7 1\n2 7 1-2-3\n", "magnum-verifying 2\n1 7 1\n2 7 1-4294967296\n",
    "magnum-verifying 2\n1 7 1\n2 7 1-20000000\n", "magnum-verifying 2\n1 7 1 1\n",
  ])
  func damage(_ text: String) throws {
    try Files.makeDirectories(memory.display)
    try Files.write(Array(text.utf8), to: file)
    #expect(progress().compared(in: 1, 7).isEmpty)
  }
}
