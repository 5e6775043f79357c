import TestSupport
import Testing

@Test func outputs() throws {
  let stage = try SearchStage()
  try stage.deliver(1, flags: "S")
  try stage.deliver(2, answering: 1, folder: "Lists/a", flags: "F")
  try stage.deliver(3)
  #expect(try stage.index().output.hasPrefix("\(stage.mail)  +3 new  "))

  #expect(
    try stage.lines(["--output", "messages", "number1", "or", "number3"]) == ["id:m3@x", "id:m1@x"]
  )
  #expect(
    try stage.lines(["--output", "messages", "--sort", "oldest-first"]) == [
      "id:m1@x", "id:m2@x", "id:m3@x",
    ]
  )
  #expect(
    try stage.lines(["--output", "messages", "--offset", "1", "--limit", "1"]) == ["id:m2@x"]
  )
  #expect(try stage.lines(["--limit", "0"]) == [])
  #expect(try stage.lines(["--offset", "100"]) == [])
  #expect(try stage.lines(["--output", "messages", "--offset=-1"]) == ["id:m1@x"])
  #expect(
    try stage.lines(["--output", "messages", "--offset=-9", "--limit", "1"]) == ["id:m3@x"]
  )
  #expect(try stage.lines(["--output", "threads", "--offset=-1"]).count == 1)
  let unread = ["--exclude", "unread", "--output", "messages"]
  #expect(try stage.lines(unread) == ["id:m1@x"])
  #expect(try stage.lines(unread + ["--exclude", "inbox"]) == [])
  #expect(try stage.lines(unread + ["tag:unread"]) == ["id:m3@x", "id:m2@x"])
  #expect(try stage.lines(unread + ["not (is:unread and number2)"]) == ["id:m3@x", "id:m1@x"])
  #expect(try stage.lines(["--output", "tags"]) == ["flagged", "inbox", "unread"])
  #expect(
    try stage.lines(["--output", "files", "tag:flagged"]) == ["\(stage.mail)/Lists/a/cur/2:2,F"]
  )
  #expect(
    try stage.search(["-0", "--output", "files", "number3"]).output
      == "\(stage.mail)/INBOX/cur/3:2,\0"
  )
  #expect(try stage.lines(["--output", "senders", "number1"]) == ["Writer 1 <w1@example.org>"])
  #expect(try stage.lines(["--output", "recipients", "*"]) == ["reader@example.org"])
  #expect(try stage.lines(["--count", "tag:unread"]) == ["2"])
  #expect(try stage.lines(["--count", "--output", "threads"]) == ["2"])
  #expect(try stage.lines(["--count", "nothing"]) == ["0"])
  for output in ["messages", "files"] {
    for (number, count) in [("1", "3"), ("2", "0")] {
      let words = ["--count", "--output", output, "--duplicate", number, "*"]
      #expect(try stage.lines(words) == [count], "\(words)")
    }
  }
  #expect(try stage.lines(["-tag:unread"]).count == 1)

  let summary = try stage.lines(["number2"])
  #expect(summary.count == 1)
  #expect(summary[0].hasSuffix(" [1/2] Writer 2| Writer 1; topic 1 (flagged inbox unread)"))
  let tree = try stage.lines(["--output", "tree", "number2"])
  #expect(
    tree.count == 3 && tree[1].hasPrefix("   Writer 1, ") && tree[2].hasPrefix("*    Writer 2, ")
  )
}

@Test func json() throws {
  let stage = try SearchStage()
  try stage.deliver(1, flags: "S")
  try stage.deliver(2, answering: 1)
  _ = try stage.index()
  guard
    case .array(let list) = try ParsedJSON(stage.search(["--format", "json", "number2"]).output),
    let thread = list.first
  else {
    Issue.record("no array")
    return
  }
  #expect(thread["matched"]?.integer == 1 && thread["total"]?.integer == 2)
  #expect(thread["subject"]?.text == "topic 1" && thread["authors"]?.text == "Writer 2| Writer 1")
  #expect(thread["snippet"]?.text == "text number2" && thread["version"]?.integer == 1)
  #expect(try stage.search(["--format", "json", "nothing"]).output == "[]\n")
  #expect(try stage.search(["--format", "jsonl", "nothing"]).output == "")
  #expect(
    try stage.search(["--format", "json", "--output", "messages", "number2"]).output
      == "[\"m2@x\"]\n"
  )
  let shown = try stage.magnum.run("show", "--json", "--maildir", stage.mail, "id:m2@x").output
  let root = try ParsedJSON(shown)[0]?[0]
  #expect(root?[0]?["match"] == .boolean(false) && root?[0]?["id"]?.text == "m1@x")
  let answer = root?[1]?[0]
  #expect(answer?[0]?["match"] == .boolean(true) && answer?[1] == .array([]))
  #expect(answer?[0]?["headers"]?["Subject"]?.text == "Re: topic 1")
  let file = "\(stage.mail)/INBOX/cur/2:2,"
  let alone = try ParsedJSON(stage.magnum.run("show", "--json", file).output)
  #expect(alone[0]?[0]?[0]?["filename"]?[0]?.text == file && alone[0]?[0]?[1] == .array([]))
}

/// A tree of this shape, by numbers, in the nesting of notmuch.
@Test func answersAreNested() throws {
  let stage = try SearchStage()
  for (number, parent) in [(1, nil), (2, 1), (3, 2), (4, 3), (5, 2), (6, 1), (7, nil), (8, 1)] {
    try stage.deliver(number, answering: parent)
  }
  _ = try stage.index()
  let shown = try ParsedJSON(
    stage.magnum.run("show", "--json", "--maildir", stage.mail, "*").output
  )
  func outline(_ value: ParsedJSON) -> String {
    guard case .array(let list) = value else { return value["id"]?.text ?? "?" }
    return "(\(list.map(outline).joined(separator: " ")))"
  }
  #expect(
    outline(shown)
      == "(((m1@x ((m2@x ((m3@x ((m4@x ()))) (m5@x ()))) (m6@x ()) (m8@x ())))) ((m7@x ())))"
  )
}

@Test func peopleAndCopies() throws {
  let stage = try SearchStage()
  for (number, from) in [
    "\"Doe, J.\" <J@x.org>", "Jane <j@x.org>", "\"Doe, J.\" <J@x.org>", "k@x.org",
  ].enumerated() {
    try stage.search.home.write(
      "From: \(from)\nMessage-ID: <p\(number)@x>\nDate: \(number + 1) Jul 2026 10:00 +0000\n\n.\n",
      to: "mail/INBOX/cur/\(number):2,"
    )
  }
  try stage.makeFolder()
  try Files.makeDirectories("\(stage.mail)/Copy/cur")
  try stage.makeFolder("Copy")
  try stage.search.home.write(
    "From: k@x.org\nMessage-ID: <p3@x>\nDate: 4 Jul 2026 10:00 +0000\n\n.\n",
    to: "mail/Copy/cur/9:2,"
  )
  _ = try stage.index()
  let doe = "\"Doe, J.\" <J@x.org>"
  let senders = ["--output", "senders"]
  #expect(try stage.lines(senders) == ["k@x.org", doe, "Jane <j@x.org>"])
  #expect(try stage.lines(senders + ["--deduplicate", "address"]) == ["k@x.org", doe])
  #expect(
    try stage.lines(senders + ["--deduplicate", "no"]) == ["k@x.org", doe, "Jane <j@x.org>", doe]
  )
  let counted = try stage.lines(senders + ["--deduplicate", "address", "--format", "jsonl"])
  #expect(try ParsedJSON(counted[1])["count"]?.integer == 3)
  #expect(try stage.lines(["--output", "messages", "--duplicate", "2"]) == ["id:p3@x"])
  #expect(try stage.lines(["--output", "files", "--duplicate", "2"]).count == 1)
  #expect(try stage.lines(["--output", "files", "--duplicate", "1"]).count == 4)
  #expect(try stage.search(["--duplicate", "1"]).code == 64)
}

@Test func aListNamesThreadsByTheirNewestMessageFound() throws {
  let stage = try SearchStage()
  for (number, subject) in ["first", "Re: second", "", "third"].enumerated() {
    let answer = number > 0 ? "In-Reply-To: <s0@x>\n" : ""
    let date = "Date: \(number + 1) Jul 2026 10:00 +0000\nMessage-ID: <s\(number)@x>\n"
    try stage.search.home.write(
      "Subject: \(subject)\n\(date)\(answer)\nword\(number)\n",
      to: "mail/INBOX/cur/\(number):2,"
    )
  }
  try stage.makeFolder()
  _ = try stage.index()
  for (query, order, subject) in [
    ("*", "newest-first", "third"), ("*", "oldest-first", "first"),
    ("word1 or word2", "newest-first", "second"), ("word2", "newest-first", "first"),
  ] {
    let line = try stage.lines(["--sort", order, query])
    #expect(line.first?.contains("; \(subject) (inbox") == true, "\(query) \(order): \(line)")
  }
}

/// The short way through the options and the long one end at the same place.
@Test(arguments: [
  ["--output", "messages"], ["--output", "files"], ["--format", "json"], ["--limit", "1"],
  ["--sort", "oldest-first"], ["--offset", "1"], ["--stem", "none"], ["--exclude", "spam"],
])
func bothWaysThroughTheOptions(_ option: [String]) throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  try stage.deliver(2)
  _ = try stage.index()
  let quick = try stage.search.run("--maildir", stage.mail, option[0], option[1], "text")
  let slow = try stage.search.run("--maildir=\(stage.mail)", "\(option[0])=\(option[1])", "text")
  #expect(quick.output == slow.output && quick.code == 0 && slow.code == 0)
  #expect(!quick.output.isEmpty)
}

@Test func mistakes() throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  let missing = try stage.search(["x"])
  #expect(missing.code == 1)
  #expect(missing.errors.contains("hint: make one: magnum index"))
  for (program, hint) in [("magnum-search", "--maildir"), ("magnum", "magnum index DIRECTORY")] {
    let nobody = try (program == "magnum" ? stage.magnum.run("index") : stage.search.run("x"))
    #expect(nobody.code == 78 && nobody.errors.contains("hint: name a Maildir"))
    #expect(nobody.errors.contains(hint))
  }
  _ = try stage.index()
  let query = try stage.search(["foo", "(bar"])
  #expect(query.code == 65)
  #expect(
    query.errors == "magnum-search: query: this parenthesis is never closed\n  foo (bar\n      ^\n"
  )
  #expect(try stage.search(["--lmit", "5"]).code == 64)
  #expect(try stage.search(["--limit", "-5"]).code == 64)
  #expect(try stage.search(["--output", "nonsense"]).code == 64)
  #expect(try stage.search(["from:/(/"]).code == 65)
  #expect(try stage.search(["nothing"]).code == 0)
  #expect(try stage.search(["--fail-empty", "nothing"]).code == 2)
  #expect(try stage.search(["--fail-empty", "text"]).code == 0)
  #expect(try stage.search.run("x").code == 78)
  let nowhere = try stage.search.run("--maildir", "\(stage.mail)/nowhere", "x")
  #expect(nowhere.code == 1 && nowhere.errors.contains("No such file or directory"))
  let full = "\(stage.search.path) --maildir \(stage.mail) text >/dev/full"
  #expect(try Command("sh", ["-c", full]).run().code == 74)
}

@Test func manyQueriesAtOnce() throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  try stage.deliver(2)
  _ = try stage.index()
  var command = stage.search.command(["--maildir", stage.mail, "--batch", "--count"])
  command.input = Array("text\nnumber1\nnothing\n*\n".utf8)
  #expect(try command.run().output == "2\n1\n0\n2\n")
}

@Test func linksForMailClients() throws {
  let stage = try SearchStage()
  try stage.deliver(1, flags: "S")
  try stage.deliver(2)
  _ = try stage.index()
  let folder = stage.search.home["links"]
  #expect(try stage.search(["--links", folder, "*"]).code == 0)
  #expect(Files.names(in: "\(folder)/cur").count == 2)
  #expect(try stage.search(["--links", folder, "number1"]).code == 0)
  #expect(Files.names(in: "\(folder)/cur") == [Array("1:2,S".utf8)])
  #expect(Files.text("\(folder)/cur/1:2,S")?.contains("number1") == true)
  #expect(try stage.search(["--links", folder, "nothing"]).code == 0)
  #expect(
    try stage.search(["--links", folder, "*"]).code == 0,
    "also after one that found nothing"
  )
  #expect(Files.names(in: "\(folder)/cur").count == 2)
}

@Test(arguments: ["mail/INBOX", "mail", "mail/results", "empty", "notes", "file"])
func whatIsNoPlaceForLinks(place: String) throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  _ = try stage.index()
  let home = stage.search.home
  for part in ["cur", "new", "tmp"] { try Files.makeDirectories(home["empty/\(part)"]) }
  try home.write("text", to: "notes/today")
  try home.write("text", to: "file")
  let before = TreeSnapshot(home.path)
  let outcome = try stage.search(["--links", home[place], "*"])
  #expect(outcome.code == 1 && outcome.errors.hasPrefix("magnum-search: "), "\(outcome)")
  #expect(TreeSnapshot(home.path).differences(from: before) == [])
}

@Test func accountsOfTheConfiguration() throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  let other = stage.search.home["other"]
  for sub in ["new", "tmp"] { try Files.makeDirectories("\(other)/INBOX/\(sub)") }
  let mail = Files.text("\(stage.mail)/INBOX/cur/1:2,") ?? ""
  try stage.search.home.write(mail, to: "other/INBOX/cur/9:2,S")
  let text = """
    [account.work]
    address = "a@example.org"
    maildir = "\(stage.mail)"
    [account.home]
    address = "b@example.org"
    maildir = "\(other)"
    """
  let config = try stage.search.configure(text)
  #expect(
    try stage.magnum.run("--config", config, "index").output.split(separator: "\n").count == 2
  )
  // The same mail in two accounts is one result with two files.
  #expect(try stage.search.run("--output", "messages").output == "id:m1@x\n")
  #expect(try stage.search.run("--count").output == "1\n")
  #expect(try stage.search.run("--output", "files").output.split(separator: "\n").count == 2)
  #expect(
    try stage.search.run("--output", "files", "account:home").output == "\(other)/INBOX/cur/9:2,S\n"
  )
  #expect(
    try stage.search.run("--output", "files", "folder:work/INBOX").output
      == "\(stage.mail)/INBOX/cur/1:2,\n"
  )
  #expect(try stage.search.run("--output", "threads").output.split(separator: "\n").count == 1)
  #expect(try stage.search.run("--account", "nobody").code == 64)
}

@Test func showNeverSteersTheTerminal() throws {
  let stage = try SearchStage()
  let evil =
    "From: a@x\nSubject: =?utf-8?q?=1B[31mred?=\nMessage-ID: <e@x>\n\nbody \u{1B}]0;t\u{07} \u{9B}31m \u{202E}x\n"
  try stage.search.home.write(evil, to: "mail/INBOX/cur/e:2,")
  let file = "\(stage.mail)/INBOX/cur/e:2,"
  let shown = try stage.magnum.run("show", file)
  #expect(shown.code == 0 && shown.output.contains("body \\x1B]0;t\\x07"))
  let forbidden = shown.output.unicodeScalars.filter { scalar in
    (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
      || scalar.value == 0x202E
  }
  #expect(forbidden.isEmpty)
  #expect(try stage.magnum.run("show", "--raw", file).output == evil)
  let part = try stage.magnum.run("show", "--part", "1", file)
  #expect(part.outputOctets == Array("body \u{1B}]0;t\u{07} \u{9B}31m \u{202E}x\n".utf8))
  #expect(try stage.magnum.run("show", "--part", "7", file).code == 1)
  #expect(try stage.magnum.run("show", "--maildir", stage.mail, "nothing").code == 1)
}

/// A mistake in one query of many does not keep the others from their answers.
@Test func batchesGoOnBehindMistakes() throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  _ = try stage.index()
  var command = stage.search.command(["--maildir", stage.mail, "--batch", "--json", "--count"])
  command.input = Array("number1\n(\nnothing\n".utf8)
  let outcome = try command.run()
  #expect(outcome.code == 65 && outcome.output == "1\nnull\n0\n", "\(outcome)")
  #expect(outcome.errors.contains("this parenthesis is never closed"))
}

/// A limit is one of results: of files where files are printed.
@Test func filesAreCountedOneByOne() throws {
  let stage = try SearchStage()
  for folder in ["INBOX", "A", "B"] { try stage.deliver(1, folder: folder) }
  try stage.deliver(2)
  _ = try stage.index()
  #expect(try stage.lines(["--output", "files"]).count == 4)
  let all = try stage.lines(["--output", "files"])
  #expect(try stage.lines(["--output", "files", "--limit", "2"]) == Array(all.prefix(2)))
  #expect(
    try stage.lines(["--output", "files", "--limit", "2", "--offset", "1"]) == Array(all[1..<3])
  )
  #expect(try stage.lines(["--output", "files", "--offset=-1"]) == Array(all.suffix(1)))
}

/// Where nothing is found, the word that is to blame is named.
@Test(arguments: [
  ("tga:unread", "\"tga:\" is no field, and was taken for a word; did you mean tag:?"),
  ("before:2020", "did you mean date:..2026-01-31?"),
  ("folder:nope", "there is no folder \"nope\"\n"),
  ("folder:inbox", "there is no folder \"inbox\"; did you mean INBOX?"),
  ("folder:INBX", "there is no folder \"INBX\"; did you mean INBOX?"),
  ("path:nope", "there is no folder \"nope\"\n"),
  ("tag:starred", "no message has the tag \"starred\"; did you mean flagged?"),
  ("is:unraed", "no message has the tag \"unraed\"; did you mean unread?"),
  ("size:10..5", "the range of \"size:\" ends before it begins"),
  ("date:2020..2019", "the range of \"date:\" ends before it begins"),
  ("lastmod:9..3", "the range of \"lastmod:\" ends before it begins"),
  ("%%%", "\"%%%\" has no word in it that could be found"),
  ("subject:\"...\"", "\"...\" has no word in it that could be found"),
  ("tag:flagged", ""), ("tag:deleted", ""), ("not *", ""),
  ("account:nope", "unknown account 'nope'"),
  ("nothing", ""), ("http://example.org/nothing", ""),
])
func remarksNameWhatIsToBlame(_ query: String, _ remark: String) throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  _ = try stage.index()
  let outcome = try stage.search([query])
  #expect(outcome.code == 0 && outcome.output.isEmpty)
  #expect(remark.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(remark), "\(outcome)")
  #expect(try stage.search(["number1", "or", query]).errors.isEmpty)
  #expect(try stage.search(["--json", query]).errors.isEmpty)
}

@Test func theNewestAreShownAndThoseWithoutADomainListed() throws {
  let stage = try SearchStage()
  for number in 1...3 { try stage.deliver(number) }
  let cron = "From: root\nMessage-ID: <cron@x>\nDate: 1 Jan 2020 10:00 +0000\n\nx\n"
  try stage.search.home.write(cron, to: "mail/INBOX/cur/cron:2,")
  _ = try stage.index()
  let outcome = try stage.magnum.run("show", "--limit", "2", "--maildir", stage.mail, "*")
  #expect(outcome.errors.contains("the newest 2 of 4 messages; --limit shows more"))
  let subjects = outcome.output.split(separator: "\n").filter { $0.hasPrefix("Subject: ") }
  #expect(subjects == ["Subject: topic 2", "Subject: topic 3"])
  #expect(try stage.lines(["--output", "senders", "id:cron@x"]) == ["root"])
}

/// Quotation marks that were encoded with a name are none of it, and a name with a comma stands in such.
@Test func namesOfRecipientsCanBeRead() throws {
  let stage = try SearchStage()
  let mail = """
    From: a@x.org
    To: =?iso-8859-1?Q?"Fr=E9d=2C_X"?= <f@x.org>
    Cc: =?utf-8?Q?=22Zo=C3=A9?= <z@x.org>
    Message-ID: <m@x>

    text

    """
  try stage.makeFolder()
  try stage.search.home.write(mail, to: "mail/INBOX/cur/1:2,S")
  #expect(try stage.index().code == 0)
  let people = try stage.lines(["--output", "recipients", "*"])
  #expect(people == ["\"Fréd, X\" <f@x.org>", "Zoé <z@x.org>"])
}
