import TestSupport
import Testing

/// The files in examples are what their readers take: systemd, cron, mutt.
@Suite struct ExampleTests {
  private static let folder = Fixtures.project("examples")

  @Test(.enabled("systemd-analyze is not installed") { ManualTests.isInstalled("systemd-analyze") })
  func unitsAreRight() throws {
    let units = try TempDirectory("units")
    let files = ["sync", "queue", "system/magnum-queue-system"].map { name in
      name.hasPrefix("system/") ? name : "magnum-\(name)"
    }
    var names: [String] = []
    for file in files.flatMap({ ["\($0).service", "\($0).timer"] }) {
      let text = try #require(Files.text("\(Self.folder)/systemd/\(file)"), "no \(file)")
      names.append(file.split(separator: "/").last.map { "\($0)" } ?? file)
      let here = text.replacing("/usr/local/bin", with: ProgramUnderTest.products)
      try units.write(here, to: names[names.count - 1])
    }
    let outcome = try Command("systemd-analyze", ["--man=no", "verify"] + names.map { units[$0] })
      .run()
    #expect(outcome.code == 0 && outcome.errors == "" && outcome.output == "", "\(outcome)")
    // A user's own manager cannot take away what a system's can.
    let system = ["security", "--offline=yes", "--threshold=40", "--no-pager"]
    let judged = try Command("systemd-analyze", system + [units["magnum-queue-system.service"]])
      .run()
    #expect(judged.code == 0, "\(judged)")
  }

  @Test func theServiceTakesNoNetworkForSuccess() throws {
    let text = try #require(Files.text("\(Self.folder)/systemd/magnum-sync.service"))
    #expect(text.split(separator: "\n").contains("SuccessExitStatus=75"))
  }

  @Test func thePagesShowTheLineForCron() throws {
    let line = try Self.cronLine()
    for name in ["magnum-sync.1", "magnum.7"] {
      #expect(ManualPage(name).displays.contains(line), "\(name)")
    }
  }

  @Test func cronHearsOfMistakesOnly() throws {
    let program = try ProgramUnderTest()
    let mistake = try Self.runFromCron(program)
    #expect(mistake.output.contains("magnum-sync: ~/.config/magnum/config.toml"), "\(mistake)")
    try program.configure(
      """
      [account.work]
      maildir = "~/Mail/work"
      imap = "imaps://localhost:\(try Loopback.freePort())"
      user = "me"
      password = "x"
      """
    )
    #expect(try program.run().code == 75)
    let offline = try Self.runFromCron(program)
    #expect(offline.code == 0 && offline.output == "" && offline.errors == "", "\(offline)")
  }

  @Test(.enabled("mutt is not installed") { ManualTests.isInstalled("mutt") })
  func muttReadsItsConfiguration() throws {
    let program = try ProgramUnderTest("magnum")
    try program.configure(
      """
      [account.work]
      maildir = "~/Mail/work"
      imap = "imaps://localhost"
      user = "me"
      password = "x"
      """
    )
    for folder in ["INBOX", "Lists/swift", "Grüße und mehr"] {
      for name in ["cur", "new", "tmp"] {
        try Files.makeDirectories(program.home["Mail/work/\(folder)/\(name)"])
      }
    }
    var environment = program.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "/usr/bin:/bin")"
    let arguments = ["-n", "-F", "\(Self.folder)/muttrc", "-Q", "trash"]
    let outcome = try Command("mutt", arguments, environment: environment).run()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.output.hasPrefix("trash=\"=Trash\""), "\(outcome)")
  }

  /// The one line of the table that is an entry.
  private static func cronLine() throws -> String {
    let text = try #require(Files.text("\(folder)/crontab"))
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("PATH=") }
    try #require(lines.count == 1, "\(lines)")
    return String(lines[0])
  }

  /// Runs the command of the table as cron does: percent signs behind a backslash are themselves.
  private static func runFromCron(_ program: ProgramUnderTest) throws -> Outcome {
    let command = try cronLine().split(separator: " ").dropFirst(5).joined(separator: " ")
    try #require(!command.split(separator: "\\%").contains { $0.contains("%") })
    let script = command.split(separator: "\\%", omittingEmptySubsequences: false)
      .joined(separator: "%")
    var environment = program.command([]).environment
    let folder = program.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    environment["PATH"] = "\(folder.joined(separator: "/")):/usr/bin:/bin"
    return try Command("/bin/sh", ["-c", script], environment: environment).run()
  }
}
