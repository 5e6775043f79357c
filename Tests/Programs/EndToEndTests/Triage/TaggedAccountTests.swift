import TestSupport
import Testing

/// Rules and snoozed messages where labels are tags: all mail is in one folder, and a tag says what is in the inbox.
@Suite struct TaggedAccountTests {
  @Test(arguments: try Fixtures.load("Fixtures/tagged.txt"))
  func scene(_ fixture: Fixture) throws {
    let scene = try TaggedScene(fixture.body, Provider.gmails(of: fixture)[0])
    for step in fixture.lines("steps") {
      if let wrong = try scene.perform(step) { Issue.record("\(step): \(wrong)") }
    }
    let (here, there) = (try scene.files(), scene.served())
    #expect(here == fixture.lines("here"), "\(here)")
    #expect(here == there, "\(there)")
    #expect(scene.server.violations.isEmpty)
    if fixture.has("log") { #expect(try scene.log == fixture.lines("log")) }
    if let entries = fixture["entries"] { #expect("\(scene.entries.count)" == entries) }
  }

  private static let rules = """
    [rule.lists]
    when = "subject:new"
    do = ["move Lists", "read", "tag +work"]
    [rule.flag]
    when = "subject:other"
    do = ["flag"]
    """

  /// Wherever a sync is killed that fetches mail, applies rules and pushes: each message is sorted once in the end.
  @Test func everyKillIsSurvived() throws {
    let scene = try TaggedScene(Self.rules)
    for line in ["deliver old INBOX", "pass", "sync", "deliver new INBOX", "deliver other INBOX"] {
      #expect(try scene.perform(line) == nil, "\(line)")
    }
    let sorted = [
      "All Mail: new S $MagnumSorted lists work", "All Mail: old - inbox",
      "All Mail: other F $MagnumSorted inbox",
    ]
    let acts = ["rule flag", "rule lists"].map { "\($0)  1 message  (by the \($0))" }
    try scene.killEverywhere(every: 12, moreThan: 50) { place in
      let (files, log) = (try scene.files(), try scene.log)
      #expect(files == sorted, "\(place)")
      #expect(scene.served() == sorted, "\(place)")
      #expect(log.sorted() == acts, "\(place)")
    }
  }

  /// Wherever a sync is killed that wakes a message: it is back in the inbox, without an entry.
  @Test func everyKillOfAWakeIsSurvived() throws {
    let scene = try TaggedScene()
    let before = [
      "deliver m1 INBOX", "pass", "sync", "magnum snooze --until +2d subject:m1", "sync", "sync",
      "due",
    ]
    for line in before { #expect(try scene.perform(line) == nil, "\(line)") }
    try scene.killEverywhere(every: 6, moreThan: 10) { place in
      let files = try scene.files()
      #expect(files == ["All Mail: m1 - inbox"], "\(place)")
      #expect(scene.served() == ["All Mail: m1 - inbox"], "\(place)")
      #expect(scene.entries.isEmpty, "\(place)")
    }
  }

  /// A message of which the server does not tell labels yet is fetched with these, and sorted once.
  @Test func labelsThatAreToldLater() throws {
    let scene = try TaggedScene(Self.rules)
    for line in ["deliver old INBOX", "pass", "sync", "deliver new INBOX"] {
      #expect(try scene.perform(line) == nil, "\(line)")
    }
    let uid = scene.server.mailboxes.first { $0.name == LabelScene.name("ALL") }?.messages.last?.uid
    scene.server.bend { request, actions in
      guard request.text.contains("X-GM-LABELS") else { return actions }
      return actions.filter { action in
        guard case .send(let text) = action else { return true }
        return !text.contains("(UID \(uid ?? 0) X-GM-LABELS")
      }
    }
    _ = try scene.perform("sync")
    #expect(try scene.files() == ["All Mail: old - inbox"])
    scene.server.bend(nil)
    for _ in 0..<3 { #expect(try scene.perform("sync") == nil) }
    #expect(
      try scene.files() == [
        "All Mail: new S $MagnumSorted lists work", "All Mail: old - inbox",
      ]
    )
    #expect(try scene.log == ["rule lists  1 message  (by the rule lists)"])
    #expect(try scene.perform("alike") == nil)
  }

  /// `post-sync` is told of what comes unread to the inbox, and is not put out of the way, and of what comes back.
  @Test func postSyncIsToldOfTheInbox() throws {
    let rules = Self.rules + "\n[account.test.sync]\npost-sync = \"cat >> ~/news\"\n"
    let scene = try TaggedScene(rules)
    let steps = [
      "deliver old INBOX", "pass", "sync", "deliver new INBOX", "deliver other INBOX",
      "deliver plain INBOX", "deliver seen INBOX \\Seen", "deliver archived ALL",
      "deliver sent SENT", "sync", "magnum snooze --until +2d subject:plain", "sync", "due", "sync",
    ]
    for line in steps { #expect(try scene.perform(line) == nil, "\(line)") }
    let lines = try (Files.text(scene.program.home["news"]) ?? "").split(separator: "\n").map {
      try ParsedJSON(String($0))
    }
    let path = Fixtures.project("man/schemas/new-mail.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    for line in lines { #expect(schema.mistakes(in: line) == [], "\(line)") }
    let shown = lines.map { line in
      "\(line["subject"]?.text ?? "") \(line["rules"]?[0]?.text ?? "")"
        + (line["woken"] == nil ? "" : "woken")
    }
    #expect(shown == ["other flag", "plain ", "plain woken"])
  }

  /// Two machines with rules against each other: what one sorted the other leaves alone, whatever people do meanwhile.
  @Test func twoMachinesDoNotPlayBall() throws {
    let one = try TaggedScene("[rule.there]\nwhen = \"*\"\ndo = [\"move Lists\"]\n")
    let two = try TaggedScene("[rule.here]\nwhen = \"*\"\ndo = [\"move Work\"]\n", beside: one)
    for scene in [one, two] {
      for line in ["pass", "sync"] { #expect(try scene.perform(line) == nil, "\(line)") }
    }
    var random = SeededGenerator(seed: UInt64(Turn.number) + 7)
    var count = 0
    for _ in 0..<(runsLongTests ? 300 : 30) {
      let scene = Bool.random(using: &random) ? one : two
      let subject = "m\(Int.random(in: 0...count, using: &random))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        count += 1
        #expect(try one.perform("deliver m\(count) INBOX") == nil)
      case 2: #expect(try one.perform("label \(subject) INBOX") == nil)
      case 3: _ = try scene.run(["move", "INBOX", "subject:\(subject)"])
      default: #expect(try scene.perform("sync") == nil)
      }
    }
    for _ in 0..<3 {
      for scene in [one, two] { #expect(try scene.perform("sync") == nil) }
    }
    #expect(try one.files() == two.files())
    #expect(try one.files() == one.served())
    #expect(try one.files().count == count)
    let sorted = try one.sorted() + two.sorted()
    #expect(Set(sorted).count == sorted.count, "each message is sorted once at most")
    #expect(count < 5 || !sorted.isEmpty)
  }
}

/// An account with an index whose labels are tags, on a scripted Gmail, and steps of people and programs.
final class TaggedScene {
  private let scene: LabelScene
  var server: ProviderServer { scene.server }
  var program: ProgramUnderTest { scene.program }

  init(_ more: String = "", _ provider: Provider = .gmail) throws {
    var provider = provider
    // Rules begin with the first sync, which is later than now.
    provider.internalDate = RuleScene.date(daysAgo: -1)
    scene = try LabelScene(provider)
    try scene.configureIndexed(more)
  }

  /// Another machine with that account.
  init(_ more: String, beside other: TaggedScene) throws {
    scene = try LabelScene(beside: other.scene)
    try scene.configureIndexed(more)
  }

  func files() throws -> [String] { try scene.files() }
  func served() -> [String] { scene.served() }
  func run(_ words: [String]) throws -> Outcome { try scene.run(words) }

  /// Does what a line says; gives what is wrong afterwards.
  func perform(_ line: String) throws -> String? {
    let words = line.split(separator: " ").map { "\($0)" }
    switch words[0] {
    case "magnum":
      let end = words.firstIndex(of: "=") ?? words.endIndex
      let code = words[end...].dropFirst().first.flatMap { Int32($0) } ?? 0
      let outcome = try scene.run(Array(words[1..<end]))
      return outcome.code == code ? nil : "\(outcome)"
    case "due":
      try Command.shell(
        "find \"$1\" -type f -exec sed -i 's/^due .*/due 2020-01-01T00:00:00Z/' {} +",
        [program.home[".local/state/magnum/later/test"]]
      )
      return nil
    default: return try scene.perform(line)
    }
  }

  /// The acts without numbers and times.
  var log: [String] {
    get throws {
      try scene.run(["log"]).output.split(separator: "\n").map { line in
        line.split(separator: "  ", maxSplits: 2).last.map(String.init) ?? ""
      }
    }
  }

  /// The messages that rules sorted, once for each act.
  func sorted() throws -> [String] {
    var sorted: [String] = []
    for line in try scene.run(["log", "--limit", "1000", "--json"]).output.split(separator: "\n") {
      let act = try ParsedJSON(String(line))
      guard act["by"]?.text?.hasPrefix("rule") == true else { continue }
      let steps = try scene.run(["log", "\(act["act"]?.integer ?? 0)", "--json"]).output
      let ids = try steps.split(separator: "\n").compactMap {
        try ParsedJSON(String($0))["id"]?.text
      }
      sorted += Set(ids)
    }
    return sorted
  }

  /// The names of all files of messages about which something is done later, but the lock.
  var entries: [String] {
    Files.names(in: program.home[".local/state/magnum/later/test"])
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0 != ".lock" }
  }

  /// Kills a sync wherever it changes something, each time with both sides as they are now; checks what is there after others.
  func killEverywhere(
    every stride: Int,
    moreThan least: Int,
    check: (_ place: String) throws -> Void
  ) throws {
    try scene.putBack()
    let there = server.mailboxes
    let counted = program.home["points"]
    let whole = try scene.run(["MAGNUM_FAULT_COUNT": counted])
    try #require(whole.code == 0, "\(whole)")
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > least)
    for point in Turn.chosen(of: points, every: Turn.stride(stride)) {
      try scene.putBack()
      server.mailboxes = there
      _ = try scene.run(["MAGNUM_FAULT": "\(point)"])
      for _ in 0..<3 { #expect(try scene.perform("sync") == nil, "point \(point)") }
      try check("point \(point) of \(points)")
    }
    #expect(server.violations.isEmpty)
  }
}
