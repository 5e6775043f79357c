import TestSupport
import Testing

/// Which messages a command means that changes them.
struct ActScopeTests {
  private let magnum: ProgramUnderTest

  /// A thread of four: the second answers the first by its ids, the others are of it by their subject alone.
  init() throws {
    magnum = try ProgramUnderTest("magnum")
    try magnum.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "~/mail"
      imap = "imaps://127.0.0.1:9"
      password = "secret"
      subject-threading = "all"
      """
    )
    for folder in ["INBOX", "Archive"] {
      for sub in ["cur", "new", "tmp"] {
        try Files.makeDirectories(magnum.home["mail/\(folder)/\(sub)"])
      }
    }
    let mails = [
      "From: shop@x.org\nSubject: Invoice",
      "From: ann@x.org\nSubject: Re: Invoice\nIn-Reply-To: <m1@x>",
      "From: shop@x.org\nSubject: Invoice", "From: bob@x.org\nSubject: Re: Invoice",
    ]
    for (number, head) in zip(1..., mails) {
      let more = "To: me@x.test\nMessage-ID: <m\(number)@x>\nDate: \(number) Jul 2026 10:00 +0000"
      try magnum.home.write("\(head)\n\(more)\n\nx\n", to: "mail/INBOX/cur/\(number):2,")
    }
    try #require(run("index").code == 0)
  }

  private func run(_ arguments: String..., input: String = "") throws -> Outcome {
    var command = magnum.command(arguments)
    command.input = Array(input.utf8)
    return try command.run()
  }

  private func ids(_ query: String) throws -> [String] {
    try run("search", "--output", "messages", query).output.split(separator: "\n").map { "\($0)" }
      .sorted()
  }

  private func thread() throws -> String {
    let threads = try run("search", "--output", "threads", "*").output.split(separator: "\n")
    try #require(threads.count == 1)
    return String(threads[0])
  }

  @Test func aThreadMeansWhatIdsLink() throws {
    let summary = try run("search", "--json", "*")
    #expect(summary.output.contains("\"total\":4"), "\(summary)")
    #expect(summary.output.contains("\"by_subject\":2"), "\(summary)")
    let dry = try run("archive", "-n", thread())
    #expect(dry.errors.contains("2 messages are left out"), "\(dry)")
    let archived = try run("archive", thread())
    #expect(archived.output.hasPrefix("2 messages archived"), "\(archived)")
    #expect(archived.errors.contains("2 messages are left out"), "\(archived)")
    #expect(try ids("folder:Archive") == ["id:m1@x", "id:m2@x"])
    // A thread by what is found in it means what that is linked to.
    let other = try run("flag", "thread:{id:m3@x}")
    #expect(other.output.hasPrefix("1 message flagged"), "\(other)")
    #expect(try ids("tag:flagged") == ["id:m3@x"])
    let lines = try run("flag", "-", input: "\(thread())\nid:m4@x\n")
    #expect(lines.output.hasPrefix("3 messages flagged"), "\(lines)")
    let muted = try run("mute", "id:m1@x")
    #expect(muted.output.hasPrefix("2 messages"), "\(muted)")
  }

  @Test func aThreadAndMoreMeansNoGuesses() throws {
    let both = try run("flag", thread(), "and", "subject:invoice", "and", "from:shop")
    #expect(both.output.hasPrefix("1 message flagged"), "\(both)")
    #expect(both.errors.contains("1 message is left out"), "\(both)")
    // What is named otherwise is meant.
    let named = try run("flag", thread(), "or", "id:m3@x")
    #expect(named.output.hasPrefix("2 messages flagged"), "\(named)")
    #expect(try ids("tag:flagged") == ["id:m1@x", "id:m2@x", "id:m3@x"])
  }

  @Test func aWholeThreadIsThatOfWhateverIsNamed() throws {
    let id = try run("flag", "--whole-thread", "id:m2@x")
    #expect(id.output.hasPrefix("2 messages flagged"), "\(id)")
    let file = magnum.home["mail/INBOX/cur/1:2,"]
    let stale = try run("unflag", "--whole-thread", file)
    #expect(stale.output.hasPrefix("2 messages no longer flagged"), "\(stale)")
    let line = try run("archive", "--whole-thread", "-", input: "id:m1@x\n")
    #expect(line.output.hasPrefix("2 messages archived"), "\(line)")
    let query = try run("flag", "--whole-thread", "from:bob")
    #expect(query.output.hasPrefix("1 message flagged"), "\(query)")
    // A file that the index does not know is one.
    try magnum.home.write("Message-ID: <new@x>\n\nx\n", to: "mail/INBOX/cur/9:2,")
    let new = try run("flag", "--whole-thread", magnum.home["mail/INBOX/cur/9:2,"])
    #expect(new.output.hasPrefix("1 message flagged"), "\(new)")
  }

  @Test(arguments: ["", "\n \n"])
  func nothingOnStandardInputIsNothingToDo(_ input: String) throws {
    for words in [["read", "-"], ["delete", "-"], ["tag", "+x", "-"], ["move", "Archive", "-"]] {
      var command = magnum.command(words)
      command.input = Array(input.utf8)
      let outcome = try command.run()
      #expect(outcome.code == 0 && outcome.output.contains("nothing to do"), "\(outcome)")
      #expect(outcome.errors.isEmpty, "\(outcome)")
    }
    let quiet = try run("read", "-q", "-", input: input)
    #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
  }

  @Test(arguments: ["+to do", "+grün", "+a(b", "+50%"])
  func aTagThatNoServerHoldsIsSaidOnce(_ tag: String) throws {
    let first = try run("tag", tag, "id:m1@x")
    #expect(first.errors.contains("stays on this machine"), "\(first)")
    let second = try run("tag", tag, "id:m2@x")
    #expect(second.code == 0 && second.errors.isEmpty, "\(second)")
    let other = try run("tag", "+fine", "id:m1@x")
    #expect(other.errors.isEmpty, "\(other)")
  }

  @Test(arguments: ["tag +$w id:m1@x", "search subject:$w", "flag from:$w", "show $w"])
  func octetsThatAreNoTextAreRefused(_ line: String) throws {
    var command = magnum.command([])
    command.program = "/bin/sh"
    command.arguments = ["-c", "w=$(printf 'gr\\374n'); exec '\(magnum.path)' \(line)"]
    let outcome = try command.run()
    #expect(outcome.code == 65 && outcome.errors.contains("is not UTF-8"), "\(outcome)")
  }
}
