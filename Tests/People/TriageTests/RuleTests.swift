import TestSupport
import Testing

@testable import Triage

/// What rules decide, and what comes of it in files.
@Suite struct RuleTests {
  @Test(arguments: try Fixtures.load("Fixtures/decisions.txt"))
  func decision(_ fixture: Fixture) throws {
    let traits = fixture.lines().map { line in
      RuleDecision.Trait(
        isMoving: line.contains("move"),
        isMarking: line.contains("mark"),
        isLast: line.contains("stop")
      )
    }
    let found = fixture.lines("found by").flatMap { $0.split(separator: " ") }
    let decision = RuleDecision(found.compactMap { Int($0) }.map { $0 - 1 }, of: traits)
    let counts = decision.rules.map { $0 == decision.mover ? "[\($0 + 1)]" : "\($0 + 1)" }
    #expect(counts.joined(separator: " ") == fixture["counts"])
  }

  @Test(arguments: try Fixtures.load("Fixtures/rules.txt"))
  func scene(_ fixture: Fixture) throws {
    let stage = try RuleStage(fixture.body)
    for line in fixture.lines("mail") { try stage.deliver(line) }
    let before = stage.messages
    // It says of rules that are left out.
    try #require(try stage.magnum.run("index").code <= 1)
    let words = (fixture["run"] ?? "*").split(separator: " ").map(String.init)
    let status: Int32 = fixture.has("says") ? 1 : 0
    let trial = try stage.magnum.command(["rules", "try"] + words).run()
    let lines = trial.output.split(separator: "\n").map(String.init)
    #expect(lines == fixture.lines("tries"), "\(trial)")
    #expect(trial.code == status && stage.messages == before, "\(trial)")
    let run = try stage.magnum.command(["rules", "run"] + words).run()
    #expect(run.code == status, "\(run)")
    #expect(stage.messages == fixture.lines("after"), "\(run)")
    for line in fixture.lines("says") { #expect(run.errors.contains(line), "\(run.errors)") }
    let undo = try stage.magnum.run("undo")
    #expect(undo.code == 0 && stage.messages == before, "\(undo)")
  }

  /// Without a query, the rules look at the newest messages of their mailboxes.
  @Test func withoutAQueryTheNewestOfTheInboxAreTried() throws {
    let stage = try RuleStage(
      """
      [rule.inbox]
      when = "*"
      do = ["flag"]
      [rule.lists]
      when = "*"
      do = ["read"]
      in = ["Lis*", "Trash"]
      """
    )
    for line in ["INBOX/a:2, ann", "Lists/b:2, ann", "Archive/c:2, ann", "Trash/d:2, ann"] {
      try stage.deliver(line)
    }
    try #require(try stage.magnum.run("index").code == 0)
    let trial = try stage.magnum.run("rules", "try")
    #expect(
      trial.output == """
        work/INBOX  id:a@x.test  +F  (inbox)
        work/Lists  id:b@x.test  +S  (lists)

        """
    )
    let run = try stage.magnum.run("rules", "run")
    #expect(run.code == 64 && run.errors.contains("no query says which messages are meant"))
  }

  /// Which of several copies is moved is not guessed; a folder that is named says it.
  @Test func oneOfSeveralCopiesIsNotGuessed() throws {
    let stage = try RuleStage(
      """
      [rule.lists]
      when = "from:ann"
      do = ["move Lists", "flag"]
      """
    )
    for line in ["INBOX/a:2, ann", "Archive/a:2, ann"] { try stage.deliver(line) }
    try #require(try stage.magnum.run("index").code == 0)
    let unclear = try stage.magnum.run("rules", "run", "*")
    #expect(unclear.code == 65 && unclear.errors.contains("a message lies in several folders"))
    #expect(stage.messages == ["Archive/a:2,", "INBOX/a:2,"])
    let named = try stage.magnum.run("rules", "run", "--folder", "INBOX", "*")
    #expect(named.code == 0 && stage.messages == ["Archive/a:2,", "Lists/a:2,F"], "\(named)")
    #expect(try stage.magnum.run("undo").code == 0)
    let all = try stage.magnum.run("rules", "run", "folder:INBOX")
    #expect(all.code == 0 && stage.messages == ["Archive/a:2,F", "Lists/a:2,F"], "\(all)")
  }

  @Test func veryManyMessagesNeedAPerson() throws {
    let stage = try RuleStage("[rule.all]\nwhen = \"*\"\ndo = [\"flag\"]\n")
    for number in 0...200 { try stage.deliver("INBOX/m\(number):2, ann") }
    try #require(try stage.magnum.run("index").code == 0)
    let asked = try stage.magnum.run("rules", "run", "*")
    #expect(asked.code == 64 && asked.errors.contains("201 messages, more than 200"), "\(asked)")
    #expect(try stage.magnum.run("rules", "try").errors == "100 messages in all\n")
    let run = try stage.magnum.run("rules", "run", "--yes", "*")
    #expect(run.code == 0 && run.output == "201 messages sorted  (1)\n", "\(run)")
  }

  /// Names in the order of the configuration complete the words before a query.
  @Test func namesAreCompleted() throws {
    let stage = try RuleStage(
      """
      [rule.two]
      when = "from:bob"
      do = ["flag"]
      [rule.one]
      when = "from:ann"
      do = ["flag"]
      """
    )
    #expect(try stage.magnum.run("complete", "rules").output == "two\none\n")
    let slip = try stage.magnum.run("rules", "run", "too", "--", "from:ann")
    #expect(slip.code == 64 && slip.errors.contains("there is no rule \"too\""), "\(slip)")
    #expect(slip.errors.contains("did you mean two?"), "\(slip)")
  }

  /// The log names the rules that did something.
  @Test func theLogNamesTheRules() throws {
    let stage = try RuleStage(
      """
      [rule.one]
      when = "from:ann"
      do = ["flag"]
      [rule.two]
      when = "from:bob"
      do = ["flag"]
      """
    )
    try stage.deliver("INBOX/a:2, ann")
    try #require(try stage.magnum.run("index").code == 0)
    #expect(
      try stage.magnum.run("rules", "run", "folder:INBOX").output == "1 message sorted  (1)\n"
    )
    let log = try stage.magnum.run("log").output
    #expect(log.contains("rules run one -- folder:INBOX  1 message"), "\(log)")
    let again = try stage.magnum.run("rules", "run", "folder:INBOX").output
    #expect(again == "nothing to do: 1 message is so already\n")
  }

  @Test(arguments: [
    ("when = \"frm:ann\"\ndo = [\"read\"]", 9, "rule.one.when: \"frm:\" is no field"),
    ("when = \"(ann\"\ndo = [\"read\"]", 9, "rule.one.when: "),
    ("when = \"file:a\"\ndo = [\"read\"]", 9, "rule.one.when: file:"),
    ("when = \"*\"\ndo = [\"tag +trash\"]", 10, "rule.one.do: the tag \"trash\" says where"),
    ("when = \"*\"\ndo = [\"tag -inbox\"]", 10, "rule.one.do: the tag inbox says where"),
  ])
  func mistakesHaveTheirLine(section: String, line: Int, says: String) throws {
    let stage = try RuleStage("[rule.one]\n\(section)\n")
    for words in [["rules"], ["rules", "try"], ["rules", "run", "*"]] {
      let outcome = try stage.magnum.command(words).run()
      #expect(outcome.code == 78 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("config.toml:\(line): \(says)"), "\(outcome.errors)")
    }
  }
}

/// A home with the account `work`, its folders, and rules for it; the account `old` without an
/// index, and `more` without mail.
struct RuleStage {
  static let folders = ["Archive", "Drafts", "INBOX", "Junk", "Lists", "Sent", "Trash"]

  let magnum: ProgramUnderTest

  init(_ rules: String) throws {
    magnum = try ProgramUnderTest("magnum")
    try magnum.configure(
      """
      [account.work]
      maildir = "~/Mail/work"
      [account.old]
      maildir = "~/Mail/old"
      index = false
      [account.more]
      maildir = "~/Mail/more"
      \(rules)
      """
    )
    let others = ["old/INBOX", "more/INBOX", "more/Archive", "more/Junk", "more/Trash"]
    for folder in Self.folders.map({ "work/\($0)" }) + others {
      for name in ["cur", "new", "tmp"] {
        try Files.makeDirectories(magnum.home["Mail/\(folder)/\(name)"])
      }
    }
  }

  /// Writes a message of a line `FOLDER/NAME:2,FLAGS FROM`.
  func deliver(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let place = words[0].split(separator: "/").map(String.init)
    let name = place[1].split(separator: ":")[0]
    try magnum.home.write(
      """
      From: \(words[1])@x.test
      To: me@x.test
      Subject: about \(name)
      Date: Mon, 2 Nov 2026 10:00:00 +0000
      Message-ID: <\(name)@x.test>

      text of \(name)
      """,
      to: "Mail/work/\(place[0])/cur/\(place[1])"
    )
  }

  /// The messages with their tags: `Lists/a:2,S swift`.
  var messages: [String] {
    Self.folders.flatMap { folder -> [String] in
      let maildir = magnum.home["Mail/work/\(folder)"]
      let tags = Files.text("\(maildir)/.magnum-tags")?.split(separator: "\n").dropFirst() ?? []
      return Files.names(in: "\(maildir)/cur").map { octets in
        let name = String(decoding: octets, as: UTF8.self)
        let base = name.prefix { $0 != ":" }
        let own = tags.first { $0.hasPrefix("\(base) ") }?.dropFirst(base.count + 1)
        let words = (own ?? "").split(separator: ",").map { $0.dropFirst() }.sorted()
        return (["\(folder)/\(name)"] + words.map(String.init)).joined(separator: " ")
      }
    }.sorted()
  }
}
