import Glibc
import TestSupport
import Testing

/// Rules that a sync applies to mail that came.
@Suite struct RuleArrivalTests {
  @Test(arguments: try Fixtures.load("Fixtures/arrivals.txt"))
  func scene(_ fixture: Fixture) throws {
    let scene = try RuleScene(
      fixture.body,
      sync: fixture["settings"] ?? "",
      isLabelled: fixture.has("labels")
    )
    for step in fixture.lines("steps") { try scene.perform(step) }
    let after = try scene.shown
    #expect(after == fixture.lines("after"), "\(scene.last)")
    // A file without its attachments, or one that is kept, is not what the server has.
    let settings = fixture["settings"] ?? ""
    if !settings.contains("size-limit"), !settings.contains("keep") {
      try scene.stage.expectMirrored()
    }
    for line in fixture.lines("says") { #expect(scene.last.errors.contains(line), "\(scene.last)") }
    if fixture.has("log") { #expect(try scene.log == fixture.lines("log")) }
    if fixture.has("asked") {
      let asked = Files.text(scene.stage.program.home["asked"]) ?? ""
      #expect(asked.split(whereSeparator: \.isNewline).map(String.init) == fixture.lines("asked"))
    }
    if fixture.has("list") { #expect(scene.open == []) }
  }

  /// Without a rule for the account and this machine nothing is written that was not before.
  @Test func withoutRulesNothingIsAsked() throws {
    var counts: [String: [String]] = [:]
    for (name, rules) in [
      ("none", ""),
      ("other host", "[rule.a]\nwhen = \"*\"\ndo = [\"flag\"]\nhosts = [\"other\"]\n"),
    ] {
      let scene = try RuleScene(rules)
      try scene.perform("came INBOX new")
      let file = scene.stage.program.home["count"]
      _ = try scene.stage.sync(variables: ["MAGNUM_FAULT_COUNT": file])
      counts[name] = (Files.text(file) ?? "").split(separator: "\n").map(String.init)
        .filter { $0.hasPrefix("fdatasync") || $0.hasPrefix("flock") || $0.hasPrefix("ftruncate") }
      #expect(scene.open == nil)
      #expect(scene.last.errors.isEmpty, "\(scene.last)")
    }
    #expect(counts["none"] == counts["other host"])
  }

  /// A run that is killed behind the records of messages does not fetch them again: the list has them before.
  @Test func theListIsDurableBeforeTheRecords() throws {
    let scene = try RuleScene("[rule.a]\nwhen = \"subject:none\"\ndo = [\"flag\"]\n")
    for number in 0..<3 { try scene.perform("came INBOX new\(number)") }
    let flushed = try scene.stage.flushedInOrder(by: scene.stage.program.command([]))
    #expect(flushed.count { $0 == "test/arrivals" } == 1, "\(flushed)")
    let list = try #require(flushed.firstIndex(of: "test/arrivals"))
    let records = try #require(flushed.firstIndex { $0.hasPrefix("mailboxes/") })
    #expect(list < records, "\(flushed)")
    #expect(scene.open == [])
  }

  /// `post-sync` is told where messages are, and by which rules; not of those that are out of the way.
  @Test func postSyncIsToldThePlacesOfNow() throws {
    let scene = try RuleScene(
      """
      [rule.lists]
      when = "subject:list"
      do = ["move Lists", "flag"]
      [rule.work]
      when = "subject:list"
      do = ["tag +work"]
      [rule.bad]
      when = "subject:bad"
      do = ["junk"]
      [rule.read]
      when = "subject:dull"
      do = ["read"]
      """,
      sync: "post-sync = \"cat >> ~/news\""
    )
    for subject in ["list", "bad", "dull", "plain"] { try scene.perform("came INBOX \(subject)") }
    try scene.perform("sync")
    let file = scene.stage.program.home["news"]
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/new-mail.json")))
    )
    let lines = try (Files.text(file) ?? "").split(separator: "\n").map {
      try ParsedJSON(String($0))
    }
    for line in lines { #expect(schema.mistakes(in: line) == [], "\(line)") }
    let shown = lines.map { line in
      let rules = (0..<3).compactMap { line["rules"]?[$0]?.text }.joined(separator: ",")
      return "\(line["mailbox"]?.text ?? "") \(line["subject"]?.text ?? "") \(rules)"
    }
    #expect(shown == ["Lists list lists,work", "INBOX plain "])
    for line in lines { #expect(Files.read(line["file"]?.text ?? "") != nil, "\(line)") }
  }

  /// The changes of rules go out over the same connection, and `magnum rules` counts them.
  @Test func oneLoginIsEnough() throws {
    let scene = try RuleScene(
      "[rule.lists]\nwhen = \"subject:new\"\ndo = [\"move Lists\"]\n"
    )
    try scene.perform("came INBOX new")
    let outcome = try scene.stage.sync("-v", "--trace")
    let logins = outcome.errors.split(separator: "\n").count {
      $0.contains(" LOGIN ") || $0.contains("AUTHENTICATE")
    }
    #expect(outcome.code == 0 && logins == 1, "\(outcome)")
    #expect(outcome.errors.contains("1 message sorted by rules: lists"), "\(outcome)")
    #expect(try scene.shown == ["INBOX old []", "Lists new [] $MagnumSorted"])
    let rules = try ParsedJSON(try scene.stage.magnumWell("rules", "--json").output)
    #expect(rules["count"]?.integer == 1 && rules["last"] != nil)
    #expect(try !scene.stage.magnumWell("tags").output.contains("Sorted"))
  }

  /// A watch sees the files that rules changed, and tells the server.
  @Test func aWatchAppliesThem() throws {
    let scene = try RuleScene(
      "[rule.lists]\nwhen = \"subject:new\"\ndo = [\"move Lists\", \"flag\"]\n"
    )
    let command = WatchScene(of: scene.stage).command([], WatchScene.fast)
    let watch = RunningWatch(try command.start())
    try watch.waitForListening()
    try scene.perform("came INBOX new")
    let wanted = ["INBOX old []", "Lists new [F] $MagnumSorted"]
    let isSorted = Stopwatch.wait(upTo: 20) { (try? scene.shown) == wanted }
    #expect(isSorted, "\(watch.output)")
    let path = Fixtures.project("man/schemas/sync-event.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    let line = watch.output.split(separator: "\n").first { $0.contains("\"sorted\"") }
    let sorted = try ParsedJSON(String(try #require(line)))
    #expect(schema.mistakes(in: sorted) == [] && sorted["messages"]?.integer == 1)
    #expect(watch.becomesQuiet())
    try watch.end()
  }

  /// Another process that sorts, or a command that keeps the journal, is no failure of the sync.
  @Test(arguments: ["accounts/test/arrivals.lock"] + (runsLongTests ? ["journal/lock"] : []))
  func whatOthersLockWaitsForTheNextSync(_ name: String) throws {
    let scene = try RuleScene("[rule.a]\nwhen = \"subject:new\"\ndo = [\"move Lists\"]\n")
    try scene.perform("magnum flag subject:old")
    try scene.perform("came INBOX new")
    var command = scene.stage.program.command([])
    let lock = scene.stage.program.home[".local/state/magnum/\(name)"]
    command.arguments = [lock, command.program]
    command.program = "/usr/bin/flock"
    let locked = try command.run()
    // That acts which were cut short wait too is said of the journal, as without rules.
    let said = locked.errors.split(separator: "\n").filter { !$0.contains("magnum/journal: ") }
    #expect(locked.code == 0 && said.allSatisfy { $0.contains("hint: ") }, "\(locked)")
    #expect(try scene.shown == ["INBOX new []", "INBOX old [F]"] && scene.open?.count == 1)
    try scene.perform("sync")
    #expect(try scene.shown == ["INBOX old [F]", "Lists new [] $MagnumSorted"])
    #expect(scene.open == [])
  }

  /// How many steps two machines take; `MAGNUM_RULE_STEPS` in the environment is another number.
  private static let steps =
    getenv("MAGNUM_RULE_STEPS").flatMap { Int(String(cString: $0)) } ?? (runsLongTests ? 400 : 40)

  /// Two machines with rules against each other: what one sorted the other leaves alone, whatever people do meanwhile.
  @Test func twoMachinesDoNotPlayBall() throws {
    let scene = try RuleScene("[rule.there]\nwhen = \"*\"\ndo = [\"move Lists\"]\n")
    let other = try ProgramUnderTest()
    let own = Files.text(scene.stage.program.home[".config/magnum/config.toml"]) ?? ""
    let rule = "[rule.back]\nwhen = \"*\"\ndo = [\"move INBOX\"]\nin = [\"Lists\"]\n"
    let account = own.split(separator: "[rule.").first.map(String.init) ?? ""
    try other.configure(account + rule)
    let first = try other.run()
    try #require(first.code == 0, "\(first)")
    var random = SeededGenerator(seed: UInt64(Turn.number) + 7)
    var count = 0
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: (count, _) = (count + 1, try scene.perform("came INBOX m\(count)"))
      case 1: (count, _) = (count + 1, try scene.perform("came Lists m\(count)"))
      case 2: try scene.perform("sync")
      case 3: #expect(try other.run().code == 0)
      default:
        let (source, target) = Bool.random(using: &random) ? ("INBOX", "Lists") : ("Lists", "INBOX")
        let there = try scene.stage.imap.everything()[source] ?? []
        guard let subject = there.randomElement(using: &random)?.subject else { continue }
        try scene.perform("move \(subject) \(source) \(target)")
      }
    }
    for _ in 0..<3 {
      try scene.perform("sync")
      #expect(try other.run().code == 0)
    }
    let settled = try scene.shown
    try scene.perform("sync")
    #expect(try scene.shown == settled)
    let subjects = try scene.stage.imap.everything().values.joined().map(\.subject).sorted()
    #expect(subjects == (["old"] + (0..<count).map { "m\($0)" }).sorted())
    var sorted: [String] = []
    for program in [scene.stage.program, other] {
      var command = program.command(["log", "--limit", "1000", "--json"])
      command.program = "\(ProgramUnderTest.products)/magnum"
      for line in try command.run().output.split(separator: "\n") {
        let act = try ParsedJSON(String(line))
        var steps = program.command(["log", "\(act["act"]?.integer ?? 0)", "--json"])
        steps.program = command.program
        let ids = try steps.run().output.split(separator: "\n").compactMap {
          try ParsedJSON(String($0))["id"]?.text
        }
        sorted += Set(ids)
      }
    }
    #expect(Set(sorted).count == sorted.count, "each message is sorted once at most")
    #expect(count < 5 || !sorted.isEmpty)
  }
}

/// An account with rules, and steps of other clients and programs.
final class RuleScene {
  let stage: Stage
  private(set) var last: Outcome

  init(
    _ rules: String,
    account: String = "",
    sync: String = "",
    isLabelled: Bool = false
  ) throws {
    var options = DovecotOptions()
    if isLabelled { options.capabilities = DovecotOptions.allCapabilities + " X-GM-EXT-1" }
    options.specialUse = [
      "Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive", "Sent": "\\Sent",
      "Drafts": "\\Drafts",
    ]
    stage = try Stage(options)
    try stage.imap.create("Lists")
    try stage.imap.append([mail("old")])
    let all = "[rule.all]\nwhen = \"*\"\ndo = [\"move Lists\", \"tag +all\"]"
    try stage.configure(
      account: account,
      sync: "\(sync)\n\(rules.replacing("all sorts", with: all))",
      isIndexed: true
    )
    last = try stage.sync()
  }

  /// Where messages are on the server: `MAILBOX SUBJECT [FLAGS] KEYWORDS`.
  var shown: [String] {
    get throws {
      Self.lines(of: try stage.imap.everything())
    }
  }

  static func lines(of mailboxes: [String: [RawIMAP.Message]]) -> [String] {
    mailboxes.flatMap { name, messages in
      messages.map { message in
        let keywords = message.flags.filter { !$0.hasPrefix("\\") }.sorted().map { " \($0)" }
        return "\(name) \(message.subject) [\(MaildirTree.letters(message.flags))]"
          + keywords.joined()
      }
    }.sorted()
  }

  /// The acts without numbers and times.
  var log: [String] {
    get throws {
      try stage.magnumWell("log").output.split(separator: "\n").map { line in
        line.split(separator: "  ", maxSplits: 2).last.map(String.init) ?? ""
      }
    }
  }

  /// The messages that are on the list and not done; nil where there is none.
  var open: [String]? {
    guard let text = Files.text(list) else { return nil }
    var open: [String] = []
    for line in text.split(separator: "\n").dropFirst(2) {
      let words = line.split(separator: " ")
      for uid in words.dropFirst(3) {
        let name = "\(words[1]) \(words[2]) \(uid)"
        if words[0] == "came" { open.append(name) } else { open.removeAll { $0 == name } }
      }
    }
    return open
  }

  private var list: String {
    stage.program.home[".local/state/magnum/accounts/test/arrivals"]
  }

  func perform(_ step: String) throws {
    let parts = step.split(separator: " = ")
    let code = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
    let words = parts[0].split(separator: " ").map(String.init)
    let rest = Array(words.dropFirst())
    switch words[0] {
    case "came": try deliver(rest)
    case "move":
      try stage.imap.select(rest[1])
      let uid = try stage.imap.messages(in: rest[1]).first { $0.subject == rest[0] }?.uid
      try stage.imap.move("\(uid ?? 0)", to: rest[2])
    case "lose":
      let lost = try stage.imap.messages(in: rest[1]).filter { $0.subject == rest[0] }
      #expect(lost.count == 1, "\(step)")
      try stage.imap.select(rest[1])
      for message in lost { try stage.imap.expunge("\(message.uid)") }
    case "backup":
      try Command.shell("cp -a \"$1\" \"$2\"", [stage.maildir, stage.program.home["backup"]])
    case "restore": try restore()
    case "recreate":
      try stage.imap.rename(rest[0], to: "Former")
      try stage.imap.create(rest[0])
      try stage.imap.select("Former")
      try stage.imap.copy("1:*", to: rest[0])
      try stage.imap.select()
      try stage.imap.delete("Former")
    case "mv": try moveFile(rest[0], from: rest[1], to: rest[2])
    case "damage": try Command.shell("printf xxx | dd of=\"$1\" conv=notrunc status=none", [list])
    case "due": try setTimes()
    case "forget": try Command.shell("rm \"$1\"", [list])
    case "sync":
      let ahead = rest.first { $0.hasPrefix("ahead=") }.map { String($0.dropFirst(6)) } ?? "0"
      var variables = ["MAGNUM_DAYS_AHEAD": ahead]
      if rest.contains("hurried") { variables["MAGNUM_PATIENCE"] = "3000" }
      let options = rest.filter { !$0.hasPrefix("ahead=") && $0 != "hurried" }
      last = try stage.program.command(options, variables).run()
      #expect(last.code == code, "\(step): \(last)")
    default:
      var command = stage.program.command(rest)
      command.program = "\(ProgramUnderTest.products)/magnum"
      let outcome = try command.run()
      #expect(outcome.code == code, "\(step): \(outcome)")
    }
  }

  /// Another machine, which has never seen the account, uploads what the server lacks of the backup.
  private func restore() throws {
    let other = try ProgramUnderTest("magnum")
    let own = Files.text(stage.program.home[".config/magnum/config.toml"]) ?? ""
    try other.configure(own.split(separator: "[rule.").first.map(String.init) ?? "")
    let outcome = try other.run("restore", stage.program.home["backup"], "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// The times of all snoozed messages are past.
  private func setTimes() throws {
    try Command.shell(
      "find \"$1\" -type f -exec sed -i 's/^due .*/due 2020-01-01T00:00:00Z/' {} +",
      [stage.program.home[".local/state/magnum/later/test"]]
    )
  }

  private func deliver(_ words: [String]) throws {
    var (flags, date): (String, String?) = ("", nil)
    var message = mail(words[1])
    for word in words.dropFirst(2) {
      if word.hasPrefix("day=") { date = Self.date(daysAgo: Int(word.dropFirst(4)) ?? 0) }
      switch word {
      case "S": flags = "\\Seen"
      case "D": flags = "\\Draft"
      case "large": message = SizeLimitTests.large(words[1])
      case "again": message = Array("Received: by another way\r\n".utf8) + message
      default: break
      }
    }
    try stage.imap.append(message, to: words[0], flags: flags, date: date)
  }

  /// The INTERNALDATE of a moment so many days ago.
  static func date(daysAgo days: Int) -> String {
    var time = Glibc.time(nil) - days * 86_400
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    strftime(&buffer, 64, "%d-%b-%Y %H:%M:%S +0000", &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func moveFile(_ subject: String, from source: String, to target: String) throws {
    try Command.shell(
      """
      cd "$1"; file=$(grep -rl "^Subject: $2\\r*$" "$3/cur" "$3/new" | head -1)
      mv "$file" "$4/cur/$(basename "$file")"
      """,
      [stage.maildir, subject, source, target]
    )
  }
}
