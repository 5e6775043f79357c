import TestSupport
import Testing

/// What the configuration leaves out of searches, and what brings it back: the answer of each command line.
@Test(arguments: [
  ("--count", "2"), ("--count tag:flagged", "1"), ("--count not tag:flagged", "2"),
  ("--count --exclude=false", "3"), ("--count --exclude=false --exclude replied", "2"),
  ("--count --exclude=all", "2"), ("--count --exclude=flag", "3"),
  ("--output messages", "id:m4@x id:m1@x"), ("--output threads --exclude=true --count", "2"),
  ("--output tags", "inbox replied unread"),
])
func tagsThatSearchesLeaveOut(_ line: String, _ answer: String) throws {
  let stage = try excludingStage()
  let outcome = try stage.search.command(line.split(separator: " ").map { "\($0)" }).run()
  #expect(outcome.output.split(separator: "\n").joined(separator: " ") == answer, "\(outcome)")
}

/// What a summary says of a thread in which some is left out: found, and of how many.
@Test(arguments: [("true", [1, 2]), ("all", [1, 1]), ("false", [2, 2]), ("flag", [1, 2])])
func threadsInWhichSomeIsLeftOut(_ mode: String, _ counts: [Int]) throws {
  let stage = try excludingStage()
  let outcome = try stage.search.command(["--json", "--exclude=\(mode)", "subject:1"]).run()
  let thread = try ParsedJSON(outcome.output)[0]
  #expect([thread?["matched"]?.integer, thread?["total"]?.integer] == counts, "\(outcome)")
  let words = ["--json", "--output", "tree", "--exclude=\(mode)", "number1"]
  let tree = try stage.search.command(words).run()
  guard case .array(let shown)? = try ParsedJSON(tree.output)[0]?["messages"] else {
    Issue.record("no messages: \(tree)")
    return
  }
  #expect(shown.count == counts[1])
}

/// Three messages, two of them a thread; flagged ones are left out.
private func excludingStage() throws -> SearchStage {
  let stage = try SearchStage()
  try stage.deliver(1)
  try stage.deliver(2, answering: 1, flags: "F")
  try stage.deliver(4, flags: "R")
  #expect(try stage.index().code == 0)
  try stage.search.configure(
    """
    [search]
    exclude-tags = ["Flagged"]
    [account.work]
    address = "b@x.org"
    maildir = "\(stage.mail)"

    """
  )
  return stage
}
