import Glibc
import TestSupport
import Testing

/// Searches over this machine and archives on others.
@Suite struct ArchiveTests {
  private static let queries = [
    "*", "apple", "+grape", "grape", "\"apple pear\"", "pear NEAR/2 plum", "app*", "subject:12*",
    "from:w3", "to:r2 and plum", "tag:unread", "is:flagged", "not is:replied", "folder:INBOX",
    "path:Lists/**", "folder:Lists/swift and figs", "id:m7@x", "id:m7@x or id:m8@x",
    "date:2024-07-01",
    "size:..300", "subject:/9$/", "mid:/^m1.@/", "thread:{id:m30@x}", "thread:{figs} and is:unread",
    "apple xor pear", "apple not pear", "nothing at all", "mimetype:text/plain",
    "account:elsewhere",
    "wordless or subject:\"\"",
  ]

  /// Of archives, and of several accounts of this machine.
  @Test(arguments: [false, true])
  func theSameAnswersAsOneIndex(isLocal: Bool) throws {
    let mail = try ShardedMail(messages: 130, shards: 4, isLocal: isLocal)
    for arguments in [
      ["--limit", "20"], ["--sort", "oldest-first", "--limit", "7", "--offset", "3"], ["--count"],
      ["--output", "threads"], ["--output", "threads", "--limit", "1"], ["--output", "messages"],
      ["--output", "messages", "--sort", "oldest-first", "--offset", "5", "--limit", "6"],
      ["--output", "messages", "--offset", "-4"], ["--output", "threads", "--offset", "-4"],
      ["--count", "--output", "threads"], ["--output", "tags"], ["--output", "addresses"],
      ["--output", "recipients", "--format", "json"], ["--output", "tree", "--limit", "3"],
      ["--output", "senders", "--count"],
    ] {
      let (alone, together) = (
        try mail.alone(arguments, Self.queries), try mail.together(arguments, Self.queries)
      )
      #expect(alone.output.utf8.count > 50 && together.errors == alone.errors, "\(arguments)")
      for (one, other) in zip(alone.lines, together.lines) where one != other {
        Issue.record("\(arguments): \(one) is not \(other)")
        break
      }
      #expect(together.output == alone.output && together.code == alone.code, "\(arguments)")
    }
  }

  /// A thread is asked for by the name that a list has.
  @Test(arguments: [false, true])
  func threadsAreFoundByTheirNames(isLocal: Bool) throws {
    let mail = try ShardedMail(messages: 150, shards: 3, isLocal: isLocal)
    let names = try mail.together(["--output", "threads", "*"]).lines
    #expect(names.count > 10)
    for name in names {
      let (alone, together) = (try mail.alone([name]), try mail.together([name]))
      #expect(alone.output == together.output, "\(name)")
    }
  }

  /// What acts on a thread finds its messages in all accounts.
  @Test func threadsOfSeveralAccountsAreActedOn() throws {
    let mail = try ShardedMail(messages: 120, shards: 3, isLocal: true)
    try mail.magnum.configure(
      try #require(Files.text(mail.search.home[".config/magnum/config.toml"]))
    )
    func messages(_ query: String) throws -> [String] {
      try mail.together(["--output", "messages", query]).lines
    }
    let names = try mail.together(["--output", "threads", "*"]).lines
    let name = try #require(
      try names.first { name in
        let count = try mail.together(["--count", name]).output
        let here = try mail.together(["--count", "--account", "here", name]).output
        return (Int(count.dropLast()) ?? 0) > (Int(here.dropLast()) ?? 0) + 2
      }
    )
    let all = try messages(name)
    #expect(try mail.magnum.run("tag", "-q", "+seen-before", name).code == 0)
    #expect(try messages("tag:seen-before") == all)
    // Also where it is one of many lines.
    var command = mail.magnum.command(["tag", "-q", "--yes", "+each", "-"])
    command.input = Array(names.map { $0 + "\n" }.joined().utf8)
    #expect(try command.run().code == 0)
    #expect(try mail.together(["--count", "tag:each"]).output == "120\n")
  }

  @Test func accountsAndArchivesCanBeNamed() throws {
    let mail = try ShardedMail(messages: 60, shards: 3)
    func count(_ arguments: String...) throws -> Int {
      Int(try mail.together(["--count"] + arguments).output.dropLast()) ?? -1
    }
    let here = try count("--account", "here")
    let (first, second) = (try count("--account", "a1"), try count("--account", "a2"))
    #expect(here > 0 && first > 0 && second > 0)
    #expect(try count("--no-archives") == here)
    #expect(try count("account:a1") == first && count("account:here") == here)
    #expect(try count() == 60)
    let unknown = try mail.together(["--account", "a3", "*"])
    #expect(unknown.code != 0 && unknown.errors.contains("unknown account"), "\(unknown)")
  }

  @Test func whatIsFoundThereHasNoFilesHere() throws {
    let mail = try ShardedMail(messages: 60, shards: 3)
    let outcome = try mail.together(["--output", "files", "*"])
    #expect(!outcome.lines.isEmpty)
    #expect(outcome.lines.allSatisfy { $0.hasPrefix(mail.home["shard0"]) })
    #expect(outcome.errors.contains("archives a1, a2: not searched"))
    let links = mail.home["links"]
    let linked = try mail.together(["--links", links, "*"])
    #expect(linked.errors.contains("not searched"))
    #expect(Files.names(in: "\(links)/cur").count == outcome.lines.count)
    let tree = try mail.together(["--output", "tree", "--json", "*"])
    #expect(!tree.output.contains("shard1") && !tree.output.contains("shard2"))
    #expect(tree.output.contains("\"archives\":[\"a1\"]"))
  }

  @Test func messagesAreShown() throws {
    let mail = try ShardedMail(messages: 60, shards: 3)
    try mail.magnum.configure(
      try #require(Files.text(mail.search.home[".config/magnum/config.toml"]))
    )
    for number in 0..<60 {
      let outcome = try mail.magnum.run("show", "--raw", "id:m\(number)@x")
      let file =
        Files.names(in: mail.home["all/INBOX/cur"])
        + Files.names(in: mail.home["all/Lists/swift/cur"])
      let name = file.map { String(decoding: $0, as: UTF8.self) }.first {
        $0.hasPrefix("\(number):")
      }
      let folder = number % 3 == 0 ? "Lists/swift" : "INBOX"
      #expect(
        outcome.output == Files.text(mail.home["all/\(folder)/cur/\(name ?? "")"]),
        "\(number)"
      )
    }
    // What is only there is not changed from here.
    let there = try mail.together(["--account", "a1", "--output", "messages", "not id:m0@x"]).lines
    let here = Set(try mail.together(["--account", "here", "--output", "messages"]).lines)
    let id = try #require(there.first { !here.contains($0) })
    for command in ["delete", "flag", "archive"] {
      let outcome = try mail.magnum.run(command, id)
      #expect(outcome.code == 65, "\(outcome)")
      #expect(outcome.errors.contains("found only in the archive"), "\(outcome)")
    }
    #expect(try mail.magnum.run("delete", "id:nowhere@x").code == 1)
  }
}
