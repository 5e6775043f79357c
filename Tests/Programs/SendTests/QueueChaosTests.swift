import Glibc
import TestSupport
import Testing

/// Random commands about entries while mail is handed in and sent; with processes killed anywhere, and without.
///
/// Nothing is lost; nothing is sent while it is held, discarded or a draft; nothing is sent twice. Killed senders may each make
/// one exception to the latter two: the server has what they do not know of. MAGNUM_CHAOS in the environment is how many seeds
/// are tried.
@Suite(.serialized) struct QueueChaosTests {
  private static let seeds = getenv("MAGNUM_CHAOS").flatMap { Int(String(cString: $0)) } ?? 1

  @Test(arguments: 0..<seeds, [false, true])
  func nothingIsLostOrSentThatIsStopped(_ seed: Int, _ isKilling: Bool) throws {
    var run = try ChaosRun(seed: UInt64(Turn.number + seed), isKilling: isKilling)
    for _ in 1...60 { try run.step() }
    try run.finish()
  }
}

/// One random run, and what is known of each message by its number, which is its subject.
private struct ChaosRun {
  private let stage: SendStage
  private let isKilling: Bool
  private let seed: UInt64
  private var random: SeededGenerator
  private var senders: [RunningCommand] = []
  private var killed = 0

  /// The messages that were handed in for sure.
  private var given: Set<Int> = []
  private var count = 0

  /// Of messages that are stopped, how often they were delivered by then.
  private var stopped: [Int: Int] = [:]

  init(seed: UInt64, isKilling: Bool) throws {
    self.seed = seed
    self.isKilling = isKilling
    random = SeededGenerator(seed: seed)
    stage = try SendStage()
    try stage.configure("maildir = \"~/Mail\"\nsend-timeout = \"10d\"")
  }

  mutating func step() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: try give()
    case 3: try send()
    case 4 where isKilling: killSender()
    default: try change()
    }
  }

  /// The point at which a process is to kill itself; nothing for most.
  private mutating func fault(_ limit: Int) -> [String: String] {
    guard isKilling, Int.random(in: 0..<3, using: &random) == 0 else { return [:] }
    return ["MAGNUM_FAULT": "\(Int.random(in: 1...limit, using: &random))"]
  }

  private mutating func give() throws {
    count += 1
    let isTried = Int.random(in: 0..<3, using: &random) == 0
    let judge = Int.random(in: 0..<4, using: &random) == 0 ? "X-Judge: slow\n" : ""
    let text = "Message-ID: <\(count)@x.test>\nSubject: \(count)\n\(judge)\ntext\n"
    var words = isTried ? [] : ["--no-try"]
    words += ["a@x.test"] + (count % 3 == 0 ? ["p550@x.test"] : [])
    let outcome = try stage.command(text, words, fault(25)).run()
    if outcome.end == .signalled(9) { killed += 1 }
    if outcome.code == 0 { given.insert(count) }
  }

  private mutating func send() throws {
    senders.append(try stage.program.command(["-q"], fault(90)).start())
  }

  private mutating func killSender() {
    guard let sender = senders.randomElement(using: &random) else { return }
    sender.signal(9)
  }

  private mutating func change() throws {
    let commands: [(word: String, state: String)] = [
      ("hold", "queue"), ("release", "hold"), ("discard", "queue"), ("discard", "hold"),
      ("undiscard", "discarded"), ("cancel", "queue"), ("retry", "failed"), ("edit", "queue"),
      ("edit", "hold"),
    ]
    guard let (word, state) = commands.randomElement(using: &random),
      let entry = stage.entries(state).randomElement(using: &random),
      let number = number(in: "\(stage.spool)/\(state)/\(entry)"),
      // A part of it may be for one who has the rest.
      word != "edit" || number % 3 != 0
    else { return }
    let words = ["queue", word] + (word == "edit" ? ["--to", "a@x.test"] : []) + [entry]
    var command = stage.program.command(words, fault(30))
    command.program = "\(ProgramUnderTest.products)/magnum"
    if ["release", "undiscard", "retry", "edit"].contains(word) { stopped[number] = nil }
    let outcome = try command.run()
    // A part of a message stops nothing of the rest, which has the same subject.
    guard outcome.code == 0, number % 3 != 0, ["hold", "discard", "cancel"].contains(word) else {
      return
    }
    stopped[number] = deliveries(of: number)
  }

  private func number(in file: String) -> Int? {
    Files.text(file)?.split(separator: "\n").first { $0.hasPrefix("Subject: ") }
      .flatMap { Int($0.dropFirst(9)) }
  }

  private func deliveries(of number: Int) -> Int { stage.subjects.count { $0 == "\(number)" } }

  mutating func finish() throws {
    for sender in senders where sender.wait().end == .signalled(9) { killed += 1 }
    // What was cut short is carried out, and what is not stopped is sent.
    for _ in 1...2 { #expect(try stage.flush().code == 0) }
    stage.sink.settle()
    let note = "seed \(seed), \(count) messages, \(killed) killed"
    let kept = try Command.shell(
      "cd \"$1\"; grep -rhoE '^Subject: [0-9]+$' .local/state/magnum/spool/work/[qfhd]* Mail || :",
      [stage.program.home.path]
    )
    let there = Set(kept.split(separator: "\n").compactMap { Int($0.dropFirst(9)) })
    let sent = stage.subjects.compactMap(Int.init)
    let lost = given.subtracting(there).subtracting(sent)
    #expect(lost.isEmpty, "\(note): lost \(lost.sorted())")
    let doubled = Set(sent).filter { number in sent.count { $0 == number } > 1 }
    #expect(doubled.count <= killed, "\(note): twice \(doubled.sorted())")
    let broken = stopped.filter { deliveries(of: $0.key) > $0.value }.keys
    #expect(broken.count <= killed, "\(note): sent though stopped \(broken.sorted())")
    #expect(stage.entries("queue") == [], "\(note)")
    #expect(!stage.entries("tmp").contains { $0.hasSuffix(".next") }, "\(note)")
  }
}
