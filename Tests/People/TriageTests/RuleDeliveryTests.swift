import TestSupport
import Testing

/// Rules for files that programs deliver to an account without a server.
@Suite struct RuleDeliveryTests {
  @Test(arguments: try Fixtures.load("Fixtures/deliveries.txt"))
  func scene(_ fixture: Fixture) throws {
    let scene = try DeliveryScene(fixture.body)
    for step in fixture.lines("steps") { try scene.perform(step) }
    #expect(scene.shown == fixture.lines("after"), "\(scene.last)")
    let said = scene.last.output + scene.last.errors
    for line in fixture.lines("says") { #expect(said.contains(line), "\(scene.last)") }
    if fixture.has("log") { #expect(try scene.log == fixture.lines("log")) }
    if fixture.has("asked") {
      let asked = Files.text(scene.magnum.home["asked"]) ?? ""
      #expect(asked.split(separator: "\n").map(String.init) == fixture.lines("asked"))
    }
  }

  /// A run that is killed anywhere is finished by the next: all rules are applied, each once.
  @Test func everyKillIsSurvived() throws {
    let scene = try DeliveryScene(
      """
      [rule.lists]
      when = "from:ann"
      do = ["move Lists", "read", "tag +work"]
      [rule.rest]
      when = "from:bob"
      do = ["tag +rest"]
      """
    )
    for line in ["new INBOX a ann", "new INBOX b bob", "new INBOX c cid"] {
      try scene.perform(line)
    }
    let (home, saved) = (scene.magnum.home.path, try TempDirectory("saved"))
    try Command.shell("cp -a \"$1\"/. \"$2\"", [home, saved.path])
    let counted = saved["points"]
    let whole = try scene.magnum.command(["index"], ["MAGNUM_FAULT_COUNT": counted]).run()
    try #require(whole.code == 0, "\(whole)")
    let wanted = [
      "INBOX/new/b $MagnumSorted rest", "INBOX/new/c", "Lists/cur/a:2,S $MagnumSorted work",
    ]
    #expect(scene.shown == wanted)
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10)
    for point in Turn.chosen(of: points, every: Turn.stride(6)) {
      try Command.shell(
        "find \"$2\" -mindepth 1 -delete; cp -a \"$1\"/. \"$2\"",
        [saved.path, home]
      )
      _ = try scene.magnum.command(["index"], ["MAGNUM_FAULT": "\(point)"]).run()
      let again = try scene.magnum.run("index")
      #expect(again.code == 0 && scene.shown == wanted, "point \(point) of \(points): \(again)")
      #expect(try scene.log.count == 2, "point \(point) of \(points)")
    }
    print("fault points: deliveries: \(points)")
  }

  @Test func jsonHasThem() throws {
    let scene = try DeliveryScene("[rule.all]\nwhen = \"from:ann\"\ndo = [\"flag\"]\n")
    for line in ["new INBOX a ann", "new INBOX b ann", "new INBOX c bob", "index --json"] {
      try scene.perform(line)
    }
    let path = Fixtures.project("man/schemas/index.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    let lines = try scene.last.output.split(separator: "\n").map { try ParsedJSON(String($0)) }
    for line in lines { #expect(schema.mistakes(in: line) == []) }
    try #require(lines.count == 2 && lines[0]["added"]?.integer == 3)
    #expect(lines[1]["sorted"]?.integer == 2 && lines[1]["rules"]?[0]?.text == "all")
  }

  /// The list does not grow without an end: only files that lie in `new` are remembered.
  @Test func theListIsCut() throws {
    let scene = try DeliveryScene("[rule.all]\nwhen = \"subject:none\"\ndo = [\"flag\"]\n")
    try scene.perform("new INBOX a ann")
    try scene.perform("index")
    let list = scene.magnum.home[".local/state/magnum/accounts/work/arrivals"]
    try Command.shell(
      "for i in $(seq 4000); do echo \"seen /INBOX gone.$i.host\"; done >> \"$1\"",
      [list]
    )
    try scene.perform("new INBOX b ann")
    try scene.perform("index")
    let lines = (Files.text(list) ?? "").split(separator: "\n").dropFirst(2)
    #expect(lines == ["seen /INBOX a", "delivered /INBOX b", "seen /INBOX b"])
  }
}

/// The account `work` without a server, into whose folders programs deliver.
private final class DeliveryScene {
  let magnum: ProgramUnderTest
  private(set) var last: Outcome

  init(_ rules: String) throws {
    let stage = try RuleStage(rules)
    magnum = stage.magnum
    last = try magnum.run("index", "--account", "work")
    try #require(last.code == 0 || last.errors.contains("left out"), "\(last)")
  }

  /// Files with their tags: `INBOX/new/a work`.
  var shown: [String] {
    RuleStage.folders.flatMap { folder -> [String] in
      let maildir = magnum.home["Mail/work/\(folder)"]
      let tags = Files.text("\(maildir)/.magnum-tags")?.split(separator: "\n").dropFirst() ?? []
      return ["cur", "new"].flatMap { sub in
        Files.names(in: "\(maildir)/\(sub)").map { octets in
          let name = String(decoding: octets, as: UTF8.self)
          let base = name.prefix { $0 != ":" }
          let own = tags.first { $0.hasPrefix("\(base) ") }?.dropFirst(base.count + 1)
          let words = (own ?? "").split(separator: ",").map { $0.dropFirst() }.sorted()
          return (["\(folder)/\(sub)/\(name)"] + words.map(String.init)).joined(separator: " ")
        }
      }
    }.sorted()
  }

  /// The acts without numbers and times.
  var log: [String] {
    get throws {
      try magnum.run("log").output.split(separator: "\n").map { line in
        line.split(separator: "  ", maxSplits: 2).last.map(String.init) ?? ""
      }
    }
  }

  func perform(_ step: String) throws {
    let parts = step.split(separator: " = ")
    let code = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
    let words = parts[0].split(separator: " ").map(String.init)
    let rest = Array(words.dropFirst())
    let mail = magnum.home["Mail/work"]
    switch words[0] {
    case "new": try deliver(rest, to: "new/\(rest[1])")
    case "cur": try deliver(rest, to: "cur/\(rest[1]):2,")
    case "copy":
      try Command.shell(
        "cp \"$1/$3/cur/$2\"* \"$1/$4/new/$5\"",
        [mail] + rest
      )
    case "mv":
      try Command.shell("mv \"$1/$3\"/*/\"$2\"* \"$1/$4/new/$5\"", [mail] + rest + [""])
    case "again":
      try Command.shell(
        "cd \"$1\"; (echo 'Received: by another way'; cat */cur/\"$2\"*) > \"$3/new/$4\"; "
          + "rm */cur/\"$2\"*",
        [mail] + rest
      )
    case "forget": try Command.shell("rm \"$1\"", [list])
    case "index":
      let variables = rest.contains("readonly") ? ["MAGNUM_READ_ONLY": "1"] : [:]
      let options = rest.filter { $0 != "readonly" }
      last = try magnum.command(["index", "--account", "work"] + options, variables).run()
      #expect(last.code == code, "\(step): \(last)")
    default:
      let outcome = try magnum.command(rest).run()
      #expect(outcome.code == code, "\(step): \(outcome)")
    }
  }

  private var list: String { magnum.home[".local/state/magnum/accounts/work/arrivals"] }

  private func deliver(_ words: [String], to file: String) throws {
    let path = "Mail/work/\(words[0])/\(file)"
    try magnum.home.write(
      """
      From: \(words[2])@x.test
      To: me@x.test
      Subject: about \(words[1])
      Date: Mon, 2 Nov 2026 10:00:00 +0000
      Message-ID: <\(words[1])@x.test>

      text of \(words[1])
      """,
      to: path
    )
    guard let age = words.last, age.hasPrefix("age=") else { return }
    try Command.shell(
      "touch -d \"$2 days ago\" \"$1\"",
      [magnum.home[path], String(age.dropFirst(4))]
    )
  }
}
