import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Other mail clients at work while the program runs: one on the server, one in the folders.
///
/// Two seeds; MAGNUM_CLIENT_SEEDS=300 in the environment tries so many for each server, from MAGNUM_CLIENT_SEED on.
/// MAGNUM_CLIENT_PAUSE is how many milliseconds a client rests between two deeds; with fewer than 5 one message is
/// moved on both sides several times in one run, which is more than can be told apart. What the runs
/// said, and the server's lines, are kept in the directory that MAGNUM_CLIENT_TRACE names.
@Suite struct ClientTests {
  static let servers = [
    DovecotOptions(),
    DovecotOptions().hiding("UIDPLUS", "MOVE"),
    DovecotOptions().hiding("MOVE"),
    DovecotOptions().hiding("CONDSTORE", "QRESYNC", "MULTIAPPEND"),
  ]

  fileprivate static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  @Test(arguments: Turn.part(of: servers))
  func twoOthersAtWork(_ options: DovecotOptions) throws {
    let first = Self.number("MAGNUM_CLIENT_SEED") ?? 1
    for seed in first..<first + (Self.number("MAGNUM_CLIENT_SEEDS") ?? 2) {
      try Crowd(options, seed: UInt64(seed)).run()
    }
  }
}

/// One seed: both clients and several runs at the same time, then peace.
private struct Crowd {
  private let seed: UInt64
  private let stage: Stage
  private let ledger: MessageLedger
  private let stop = StopSign()

  init(_ options: DovecotOptions, seed: UInt64) throws {
    let isMoveWhole = options.capabilities?.contains(" MOVE") ?? true
    ledger = MessageLedger(isMoveWhole: isMoveWhole)
    var options = options
    options.specialUse = ["Drafts": "\\Drafts", "Trash": "\\Trash"]
    self.seed = seed
    stage = try Stage(options)
    var client = ServerClient(stage.imap, ledger, seed: seed)
    for name in ["Archive", "Lists/swift"] { try stage.imap.create(name) }
    for mailbox in ["INBOX", "Archive", "Lists/swift", "INBOX"] {
      for _ in 0..<8 { try client.append(to: mailbox) }
    }
    for _ in 0..<3 { try client.append(to: "Drafts", .draft, flags: ["\\Draft", "\\Seen"]) }
    for kind in [MessageLedger.Kind.copied, .rewritten] {
      for _ in 0..<5 { try client.append(to: "Archive", kind, flags: ["\\Seen"]) }
    }
  }

  func run() throws {
    try stage.syncWell()
    var log: [String] = []
    let clients = try start()
    for number in 0..<6 {
      ledger.note("run \(number) begins")
      let outcome = try sync(number)
      ledger.note("run \(number) ended")
      log.append("run \(number): \(outcome)")
      try #require([0, 1].contains(outcome.code), "seed \(seed): \(outcome)")
    }
    stop.raise()
    for client in clients { client.join() }
    try #require(ledger.problem == nil, "seed \(seed)")
    for number in 6..<8 {
      let outcome = try sync(number, "--allow-mass-delete=test/*")
      log.append("run \(number): \(outcome)")
      try #require(outcome.code == 0, "seed \(seed): \(outcome)")
    }
    try judge(log)
  }

  /// One run; all that it said and left is kept where somebody wants to read it.
  private func sync(_ number: Int, _ option: String = "-v") throws -> Outcome {
    guard let place = getenv("MAGNUM_CLIENT_TRACE").map({ String(cString: $0) }) else {
      return try stage.sync("-v", option)
    }
    let outcome = try stage.sync("-v", "--trace", option)
    let words = "\(outcome.output)\n\(outcome.errors)\n\(stage.stateText())"
    try Files.makeDirectories(place)
    try Files.write(Array(words.utf8), to: "\(place)/\(seed)-\(stage.user)-\(number)")
    return outcome
  }

  private func start() throws -> [Background] {
    let (ledger, stop, seed) = (ledger, stop, seed)
    let chosen = ClientTests.number("MAGNUM_CLIENT_PAUSE").map { Double($0) / 1000 }
    let pause = chosen ?? [0.01, 0.02, 0.05][Int(seed % 3)]
    let (port, user, maildir) = (stage.server.ports.clear, stage.user, stage.maildir)
    let server = Background {
      do {
        let imap = try RawIMAP(port: port, user: user)
        var client = ServerClient(imap, ledger, seed: seed &* 2 &+ 1)
        while !stop.value {
          try client.act()
          Stopwatch.sleep(pause)
        }
      } catch { ledger.giveUp(.server, error) }
    }
    let folders = Background {
      do {
        var client = FolderClient(maildir, ledger, seed: seed &* 2)
        while !stop.value {
          try client.act()
          Stopwatch.sleep(pause)
        }
      } catch { ledger.giveUp(.folders, error) }
    }
    return [server, folders]
  }

  /// Both sides are the same and as the ledger says, and another run changes nothing.
  private func judge(_ log: [String]) throws {
    let server = try stage.imap.everything()
    let words = "seed \(seed): \(log.joined(separator: "\n"))"
    let objections = ledger.objections(server, stage.tree)
    try #require(objections == [], "\(words)")
    let files = TreeSnapshot(stage.maildir)
    let further = try stage.sync("-v")
    try #require(further.code == 0, "\(words)\n\(further)")
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    try #require(changed.filter { !$0.contains("/.magnum") } == [], "\(words)\n\(further)")
    try #require(try stage.imap.everything() == server, "\(words)\n\(further)")
  }
}
