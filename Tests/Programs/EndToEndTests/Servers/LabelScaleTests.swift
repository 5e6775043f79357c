import Glibc
import Octets
import TestSupport
import Testing

/// An account of a scripted Gmail with many messages that have many labels: what a sync asks, and what it takes.
@Suite struct LabelScaleTests {
  /// Round trips: with nothing to do the log-in and the list, and with a label that was set elsewhere two more.
  @Test func roundTrips() throws {
    let stage = try LabelledMail(count: 300)
    try stage.takeOver()
    let proxy = try FlightProxy(to: stage.server.port)
    try stage.configure(at: proxy.port)
    for _ in 0..<2 { _ = try stage.sync() }
    _ = proxy.takeFlights()
    _ = try stage.sync()
    #expect(proxy.takeFlights() == 2)
    stage.server.copy("m8", from: "[Gmail]/All Mail", to: "Label 3")
    _ = try stage.sync()
    #expect(proxy.takeFlights() == 4)
    _ = try stage.sync()
    #expect(proxy.takeFlights() == 2)
    #expect(stage.tags(of: "m8").contains("label%203"))
  }

  /// 100,000 messages, 30 labels: time, and memory beside that of a mailbox of the same messages without labels.
  ///
  /// The limit of time is that of a program that is not optimised as well: nothing is asked of the messages.
  @Test(.enabled(if: runsLongTests)) func veryManyMessages() throws {
    let stage = try LabelledMail(count: 100_000)
    let plain = try LabelledMail(count: 100_000, provider: .complete)
    for stage in [stage, plain] { try stage.takeOver() }
    let usual = try plain.sync("--scan")
    let scan = try stage.sync("--scan")
    print("scan: \(scan.seconds) s, \(scan.peakMemory) KiB; without labels \(usual.peakMemory) KiB")
    #expect(scan.peakMemory < usual.peakMemory + 20 << 10)
    for _ in 0..<2 { _ = try stage.sync() }
    let idle = try (0..<3).map { _ in try stage.sync().seconds }.min() ?? 1
    print("nothing to do: \(idle) s")
    #expect(idle < 0.3)
    for _ in 0..<2 { _ = try plain.sync() }
    plain.server.setFlags(["\\Flagged"], of: "m8", in: "Archive")
    let flag = try plain.sync()
    stage.server.copy("m8", from: "[Gmail]/All Mail", to: "Label 3")
    let change = try stage.sync()
    print("one label: \(change.seconds) s; one flag without labels \(flag.seconds) s")
    #expect(stage.tags(of: "m8").contains("label%203"))
  }
}

/// What rules cost in an account of 100,000 messages, beside one without rules.
@Suite struct LabelRuleScaleTests {
  private static let rules = (0..<10).map { number in
    """
    [rule.r\(number)]
    when = "subject:none\(number) or from:none"
    do = ["tag +r\(number)"]

    """
  }

  private static let flagging = "[rule.last]\nwhen = \"subject:new*\"\ndo = [\"flag\"]\n"

  /// Only with MAGNUM_MEASURE in the environment; MAGNUM_SYNC names a program that was built for release.
  @Test(.enabled(if: getenv("MAGNUM_MEASURE") != nil)) func arrivals() throws {
    for rules in ["", Self.rules.joined() + Self.flagging] {
      let stage = try LabelledMail(count: 100_000, rules: rules)
      try stage.takeOver()
      for _ in 0..<3 { _ = try stage.sync() }
      let idle = try (0..<25).map { _ in try stage.sync().seconds }.sorted()
      for number in 0..<10 { stage.server.deliver(mail("new\(number)"), to: "INBOX") }
      let arrival = try stage.sync()
      #expect(stage.flaggedCount == (rules.isEmpty ? 0 : 10), "\(arrival)")
      print(
        "measured: \(rules.isEmpty ? "no rules" : "11 rules"): nothing to do \(idle[0]) s, median "
          + "\(idle[12]) s; 10 messages \(arrival.seconds) s, \(arrival.peakMemory) KiB"
      )
    }
  }
}

/// Messages that are on a scripted server and here already.
private final class LabelledMail {
  let server: ProviderServer
  private let program: ProgramUnderTest
  private let isLabelled: Bool
  /// The rules of an account with an index; nil for one without.
  private let rules: String?

  private static let labels = 30
  /// When the messages came: 17-Jul-1996 02:44:25 +0000.
  private static let date: time_t = 837_571_465

  /// Each message has three of the labels; without labels all are in one mailbox.
  init(count: Int, provider: Provider = .gmail, rules: String? = nil) throws {
    var provider = provider
    if rules != nil { provider.internalDate = RuleScene.date(daysAgo: -1) }
    self.rules = rules
    server = try ProviderServer(provider)
    program = try ProgramUnderTest()
    isLabelled = provider.allMail != nil
    try configure(at: server.port)
    if rules != nil { try testLabels() }
    let folder = "\(program.home.path)/Mail/test/\(isLabelled ? "[Gmail]/All Mail" : "Archive")"
    for part in ["cur", "new", "tmp"] { try Files.makeDirectories("\(folder)/\(part)") }
    var all: [ProviderMailbox.Message] = []
    for number in 1...count {
      let body = mail("m\(number)")
      let uid = UInt32(number)
      all.append(
        ProviderMailbox.Message(
          uid: uid,
          identity: number,
          flags: ["\\Seen"],
          body: body,
          modSequence: 1
        )
      )
      let text = String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n")
      let name = "\(Self.date).V1U\(uid).0123456789abcdef,S=\(text.utf8.count),W=\(body.count):2,S"
      try Files.write(text, to: "\(folder)/cur/\(name)")
      Self.setTime("\(folder)/cur/\(name)")
    }
    var boxes = server.mailboxes
    let main = isLabelled ? "[Gmail]/All Mail" : "Archive"
    boxes.append(contentsOf: isLabelled ? Self.labelBoxes(all) : [])
    for index in boxes.indices where boxes[index].name == main {
      boxes[index].messages = all
      boxes[index].uidNext = UInt32(count + 1)
    }
    server.mailboxes = boxes
  }

  private static func labelBoxes(_ all: [ProviderMailbox.Message]) -> [ProviderMailbox] {
    (0..<labels).map { label in
      var box = ProviderMailbox("Label \(label)", "\\HasNoChildren")
      box.messages = all.filter { ($0.identity + label) % 10 == 0 }
      box.uidNext = UInt32(all.count + 1)
      return box
    }
  }

  private static func setTime(_ path: String) {
    var times = [timespec(tv_sec: date, tv_nsec: 0), timespec(tv_sec: date, tv_nsec: 0)]
    _ = utimensat(AT_FDCWD, path, &times, 0)
  }

  /// Has the account be on that port.
  func configure(at port: UInt16) throws {
    if let rules {
      try program.configure(
        """
        [account.test]
        maildir = "~/Mail/test"
        imap = "imap+plain://127.0.0.1:\(port)"
        user = "user"
        password = "pass"
        labels = "tags"
        \(rules)
        """
      )
      return
    }
    try program.configure(
      at: "imap+plain://127.0.0.1:\(port)",
      isLabelled ? "labels = \"tags\"" : ""
    )
  }

  /// The first sync, which fetches nothing.
  func takeOver() throws {
    _ = try sync()
    #expect(!server.requests.contains { $0.contains("BODY.PEEK[]") })
  }

  func sync(_ words: String...) throws -> Outcome {
    var command = program.command(words)
    command.timeLimit = 300
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    return outcome
  }

  /// Has the server pass the test that pushing needs.
  private func testLabels() throws {
    let environment = program.command([]).environment
    let path = "\(ProgramUnderTest.products)/magnum"
    let words = ["accounts", "test", "--labels", "test"]
    let outcome = try Command(path, words, environment: environment).run()
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// How many files here are of flagged messages.
  var flaggedCount: Int {
    let path = "\(program.home.path)/Mail/test/[Gmail]/All Mail/cur"
    return Files.names(in: path).count { name in
      String(decoding: name, as: UTF8.self).split(separator: ":2,").last?.contains("F") ?? false
    }
  }

  /// What is recorded of the tags of a message.
  func tags(of subject: String) -> String {
    let path = "\(program.home.path)/Mail/test/[Gmail]/All Mail/.magnum-keywords"
    let number = subject.dropFirst()
    let lines = (Files.text(path) ?? "").split(separator: "\n")
    return lines.first { $0.contains("V1U\(number).") }.map { "\($0)" } ?? ""
  }
}
