import TestSupport
import Testing

/// `--account`, `--json` and `-q` in every program, wherever they stand, and refused where they mean nothing.
@Suite struct GlobalOptionTests {
  private let magnum: ProgramUnderTest

  init() throws {
    magnum = try ProgramUnderTest("magnum")
    try magnum.configure(
      """
      [account.work]
      address = "a@x.test"
      maildir = "~/Mail/work"
      [account.home]
      address = "b@x.test"
      maildir = "~/Mail/home"
      """
    )
    for name in ["work", "home"] {
      for sub in ["cur", "new", "tmp"] {
        try Files.makeDirectories(magnum.home["Mail/\(name)/INBOX/\(sub)"])
      }
      try magnum.home.write(
        "Subject: \(name)\nMessage-ID: <\(name)@x>\n\ntext\n",
        to: "Mail/\(name)/INBOX/cur/1:2,"
      )
    }
  }

  private func run(_ line: String) throws -> Outcome {
    var words = line.split(separator: " ").map { "\($0)" }
    let program = words.removeFirst()
    var command = magnum.command(words)
    command.program = "\(ProgramUnderTest.products)/\(program)"
    return try command.run()
  }

  @Test(arguments: [
    "magnum --account home status", "magnum status --account home", "magnum status home",
    "magnum --account=home accounts", "magnum accounts list --account home",
    "magnum --account home index", "magnum index --account=home",
  ])
  func oneAccountIsChosen(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.code == 0 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.output.hasPrefix("home"), "\(outcome)")
  }

  @Test func oneAccountIsSearched() throws {
    #expect(try run("magnum -q index").output == "")
    #expect(try run("magnum-search --count").output == "2\n")
    #expect(try run("magnum-search --count text --account home").output == "1\n")
    #expect(try run("magnum-search --output messages --account=work").output == "id:work@x\n")
    let shown = try run("magnum --account home show text --raw")
    #expect(shown.output.contains("Subject: home") && !shown.output.contains("Subject: work"))
  }

  @Test(arguments: [
    "magnum --account nobody status", "magnum accounts --account nobody",
    "magnum index --account nobody", "magnum show --account nobody x",
    "magnum-search --account nobody", "magnum-sync --account nobody", "magnum-sync nobody",
    "magnum queue --account nobody", "magnum-send -q --account nobody",
    "magnum-send -bp --account nobody", "magnum queue flush nobody",
  ])
  func anUnknownAccountIsAMistake(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.code == 64 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("'nobody'"), "\(outcome)")
  }

  @Test(arguments: ["magnum --json status", "magnum status --json", "magnum accounts --json"])
  func resultsAreJSON(line: String) throws {
    let outcome = try run(line)
    let names = try outcome.lines.map { try ParsedJSON($0)["account"]?.text }
    #expect(outcome.code == 0 && names == ["work", "home"], "\(outcome)")
  }

  @Test func answersAreJSON() throws {
    _ = try run("magnum index -q")
    let plain = try run("magnum-search --format json --output messages")
    #expect(plain.output.hasPrefix("["))
    #expect(try run("magnum-search --json --output messages").output == plain.output)
    #expect(try run("magnum-search -0 --json").code == 64)
  }

  @Test func quietMeansTheStatusOnly() throws {
    _ = try run("magnum index -q")
    for (line, code) in [
      ("magnum -q status", 0), ("magnum-search -q text", 0),
      ("magnum-search nothing -q --fail-empty", 2), ("magnum-search --count --quiet text", 0),
    ] {
      let outcome = try run(line)
      #expect(outcome.code == Int32(code) && outcome.output == "", "\(line): \(outcome)")
      #expect(outcome.errors == "", "\(line): \(outcome)")
    }
  }

  @Test(arguments: [
    "magnum index -v", "magnum show -q x", "magnum accounts -q", "magnum -v tags",
    "magnum-search -v x", "magnum-sync -q -v",
    "magnum queue show x --raw --json",
  ])
  func whatMeansNothingIsRefused(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.code == 64 && outcome.output == "", "\(outcome)")
  }

  @Test(arguments: ["-date:2020", "-text", "-hello", "-s0ab"])
  func wordsWithADashAreSearchedFor(word: String) throws {
    _ = try run("magnum index -q")
    let outcome = try run("magnum-search --count \(word)")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.output == (word == "-text" ? "0\n" : "2\n"), "\(outcome)")
  }
}
