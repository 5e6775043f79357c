import Glibc
import TestSupport
import Testing

/// An account with mail that is watched.
struct WatchScene {
  let stage: Stage

  /// An account of which the mail is synced, or there on the server only.
  init(
    isIndexed: Bool = false,
    isSynced: Bool = true,
    _ options: DovecotOptions = DovecotOptions()
  ) throws {
    stage = try Stage(options)
    try stage.fill()
    try stage.configure(isIndexed: isIndexed)
    if isSynced { try stage.syncWell() }
  }

  /// An account that is there as it is to be.
  init(of stage: Stage) {
    self.stage = stage
  }

  var maildir: String { stage.maildir }

  func command(_ arguments: [String], _ variables: [String: String] = [:]) -> Command {
    var command = stage.program.command(["watch", "--json"] + arguments, variables)
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.timeLimit = 120
    return command
  }

  /// Has the account reach its server through a proxy, in clear text.
  func configure(port: UInt16) throws {
    try stage.configure(url: "imap+plain://127.0.0.1:\(port)")
  }

  /// What has a watch decide by a clock that runs five times as fast: it waits a fifth of a second for further changes of
  /// files, and a second for a server that is gone.
  static let fast = ["MAGNUM_WATCH_PACE": "5"]

  /// Starts the program.
  func start(
    _ arguments: [String] = [],
    _ variables: [String: String] = [:]
  ) throws -> RunningWatch {
    RunningWatch(try command(arguments, variables).start())
  }

  /// Starts the program by way of a proxy, without anything to do, and waits until nothing is sent any more.
  func startQuietly(port: UInt16, _ variables: [String: String] = [:]) throws -> RunningWatch {
    try configure(port: port)
    try stage.settle()
    let watch = try start(["--poll", "3600"], variables)
    try watch.waitForListening()
    Stopwatch.sleep(variables.isEmpty ? 3 : 1)
    return watch
  }

  /// Has a message come in; gives the seconds until it is here.
  @discardableResult
  func deliver(
    _ subject: String,
    to mailbox: String = "INBOX",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Double {
    try measure(
      { try stage.imap.append(mail(subject), to: mailbox) },
      until: { holds(subject) },
      sourceLocation: sourceLocation
    )
  }

  func mail(_ subject: String) -> [UInt8] {
    let id = subject.filter { $0 != " " }
    let lines = [
      "From: a@example.org", "Subject: \(subject)", "Message-ID: <\(id)@w>", "", "Text.", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Whether a file has that subject.
  func holds(_ subject: String) -> Bool {
    let script = "cd \"$1\" && grep -rlq \"^Subject: $2\" */new */cur */*/new */*/cur"
    return (try? Command.shell(script, [maildir, subject])) != nil
  }

  /// How many messages a query finds.
  func count(_ query: String) throws -> Int? {
    var command = stage.program.command(["--count", query])
    command.program = "\(ProgramUnderTest.products)/magnum-search"
    return Int(try command.run().output.filter { $0 != "\n" })
  }

  /// Runs a script with the Maildir, the subdirectory and the name of a file.
  func shell(_ script: String, _ file: MaildirTree.Message) throws {
    _ = try Command.shell(script, [maildir, file.subdirectory, file.name])
  }

  /// Has the server end the user's connections.
  func kick() throws {
    _ = try Command.shell(
      "doveadm -c \"$1/dovecot.conf\" kick \"$2\"",
      [stage.server.folder, stage.user]
    )
  }

  /// Does something, and gives the seconds until a condition holds.
  func measure(
    _ act: () throws -> Void,
    until isDone: () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Double {
    try act()
    let start = Stopwatch.now()
    while !isDone() {
      try #require(Stopwatch.now() - start < 30, sourceLocation: sourceLocation)
      Stopwatch.sleep(0.02)
    }
    return Stopwatch.now() - start
  }

  /// Waits until both sides hold the same.
  func waitUntilMirrored(
    _ seconds: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let start = Stopwatch.now()
    var differences = ["not compared"]
    while !differences.isEmpty, Stopwatch.now() - start < seconds {
      Stopwatch.sleep(0.2)
      differences = stage.tree.differences(from: try stage.imap.everything())
    }
    #expect(differences == [], sourceLocation: sourceLocation)
  }
}

/// A watch that runs.
struct RunningWatch {
  private let process: RunningCommand

  init(_ process: RunningCommand) {
    self.process = process
  }

  var output: String { process.outputSoFar }

  /// How often it printed something.
  func count(_ text: String) -> Int { output.ranges(of: text).count }

  /// How often it logged in.
  var logins: Int { count("\"state\":\"authenticating\"") }

  /// How many syncs it began.
  var syncs: Int { count("\"event\":\"started\"") }

  var hasEnded: Bool { process.hasEnded }

  /// Waits until it has begun no sync for a second; false where syncs follow each other for longer than 20 seconds.
  func becomesQuiet() -> Bool {
    let end = Stopwatch.now() + 20
    var (seen, since) = (syncs, Stopwatch.now())
    while Stopwatch.now() < end {
      Stopwatch.sleep(0.05)
      let now = syncs
      if now > seen { (seen, since) = (now, Stopwatch.now()) }
      if Stopwatch.now() - since >= 1 { return true }
    }
    return false
  }

  func waitForListening() throws { try wait("\"event\":\"listening\"") }
  func waitForStart() throws { try wait("\"event\":\"started\"") }

  /// Waits for a sync to begin, or for the end of a watch that was told to end before.
  func waitForStartOrEnd() {
    _ = Stopwatch.wait(upTo: 30) { output.contains("\"event\":\"started\"") || process.hasEnded }
  }

  private func wait(_ text: String) throws {
    let start = Stopwatch.now()
    while !output.contains(text) {
      try #require(
        !process.hasEnded && Stopwatch.now() - start < 30,
        "\(output) \(process.errorsSoFar)"
      )
      Stopwatch.sleep(0.02)
    }
  }

  /// How often its threads were woken so far.
  var wakeUps: Int {
    let folder = "/proc/\(process.identifier)/task"
    return Files.names(in: folder).reduce(0) { sum, thread in
      let name = String(decoding: thread, as: UTF8.self)
      return sum + Self.number("voluntary_ctxt_switches:", in: "\(folder)/\(name)/status")
    }
  }

  /// The octets of its own memory, without pages of files, which come and go.
  var memory: Int { Self.number("RssAnon:", in: "/proc/\(process.identifier)/status") * 1024 }

  /// How many descriptors it has open.
  var descriptors: Int { Files.names(in: "/proc/\(process.identifier)/fd").count }

  private static func number(_ field: String, in file: String) -> Int {
    let lines = (Files.text(file) ?? "").split(separator: "\n").filter { $0.hasPrefix(field) }
    return lines.first?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }

  func signal(_ number: Int32) { process.signal(number) }
  func wait() -> Outcome { process.wait() }

  func kill() {
    process.signal(SIGKILL)
    _ = process.wait()
  }

  /// Ends it as a service manager does.
  func end() throws {
    process.signal(SIGTERM)
    let outcome = process.wait()
    #expect(!outcome.errors.contains("Fatal"), "\(outcome)")
  }
}
