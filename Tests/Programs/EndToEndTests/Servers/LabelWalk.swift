import TestSupport

/// Random work of other clients on a scripted Gmail, and here where it pushes, with syncs that are killed or cut off in between.
///
/// Here can be several machines, which all have that account.
struct LabelWalk {
  private let machines: [LabelScene]
  /// The machine at which people are.
  private var scene: LabelScene
  private var chance: SeededGenerator
  private var messages = 0
  /// The days that passed.
  private var day = 0
  /// What was done, for a seed that fails.
  private(set) var log: [String] = []

  /// Whether people work here too.
  private let pushes: Bool
  /// The roots of the machines with a sync that did not come to its end.
  private var interrupted: Set<String> = []
  /// The messages that some person removed for good.
  private var removed: Set<String> = []

  private static let labels = ["INBOX", "Work", "Home", "A/b", "SENT", "DRAFTS", "STARRED"]

  init(seed: UInt64, pushes: Bool = false, machines count: Int = 1) throws {
    self.pushes = pushes
    var chance = SeededGenerator(seed: seed)
    var provider = Provider.gmail
    provider.labels.raises = Bool.random(using: &chance)
    provider.labels.tellsFlags = Bool.random(using: &chance)
    provider.labels.spelling =
      LabelHabits.Spelling.allCases.randomElement(using: &chance) ?? .atom
    for word in ["CONDSTORE ", "LIST-STATUS ", "ESEARCH "]
    where Int.random(in: 0..<6, using: &chance) == 0 {
      provider.capabilities.after = provider.capabilities.after.replacing(word, with: "")
    }
    if pushes { Self.drawHabits(&provider.labels, &chance) }
    let scene = try LabelScene(provider)
    self.scene = scene
    machines = try [scene] + (1..<count).map { _ in try LabelScene(beside: scene) }
    self.chance = chance
    log = ["\(provider.labels)", provider.capabilities.after]
    for label in Self.labels { _ = try scene.perform("label none \(label)") }
    for machine in pushes ? machines : [] {
      if let wrong = try machine.perform("pass") { throw HarnessError(wrong) }
    }
  }

  private static func drawHabits(_ labels: inout LabelHabits, _ chance: inout SeededGenerator) {
    labels.raisesForStore = Bool.random(using: &chance)
    labels.staleCounts = Int.random(in: 0...3, using: &chance)
    labels.unknown = [.made, .refused, .ignored].randomElement(using: &chance) ?? .made
    labels.forbidden =
      [.misunderstood, .refused, .ignored].randomElement(using: &chance) ?? .refused
    labels.returnsLabels = Bool.random(using: &chance)
    labels.returnsUIDs = Int.random(in: 0..<4, using: &chance) == 0
    labels.joinsTwins = Bool.random(using: &chance)
    labels.labelsDrafts = Bool.random(using: &chance)
  }

  /// Does something.
  mutating func step() throws {
    if machines.count > 1 { go(to: Int.random(in: machines.indices, using: &chance)) }
    if pushes, Int.random(in: 0..<3, using: &chance) > 0 { return try work() }
    let number = Int.random(in: 0..<16, using: &chance)
    switch number {
    case 0...3: try deliver()
    case 4, 5: try perform("label", subject(in: "ALL"), pick(Self.labels))
    case 6, 7: try unlabel()
    case 8: try perform("move", subject(in: "ALL"), "ALL", pick(["TRASH", "SPAM"]))
    case 9:
      let place = pick(["TRASH", "SPAM"])
      try perform("move", subject(in: place), place, "ALL")
    case 10:
      let place = pick(["TRASH", "SPAM"])
      let subject = subject(in: place)
      if let subject { removed.insert(subject) }
      try perform("unlabel", subject, place)
    case 11: try perform("flags", subject(in: "ALL"), pick(["\\Seen", "\\Flagged", "\\Answered"]))
    case 12: try interrupt()
    default: try sync()
    }
  }

  private mutating func go(to number: Int) {
    scene = machines[number]
    if machines.count > 1 { log.append("machine \(number + 1)") }
  }

  /// Does something here.
  private mutating func work() throws {
    let places = ["ALL", "ALL", "TRASH", "SPAM"]
    let place = pick(places)
    switch Int.random(in: 0..<12, using: &chance) {
    case 0...3:
      let tags = ["work", "home", "a/b", "inbox", "new", "x^y"]
      try performHere("tag", file(in: "ALL"), pick(["+", "-"]) + pick(tags))
    case 4, 5: try performHere("mv", file(in: place), place, pick(places.filter { $0 != place }))
    case 6:
      let subject = file(in: place)
      // What was never sent is gone with its file, and what the server has in Trash goes from there.
      if let subject, place != "ALL" || !scene.subjects("ALL").contains(subject) {
        removed.insert(subject)
      }
      try performHere("rm", subject, place)
    case 7: try performHere("mark", file(in: "ALL"), pick(["S", "F", "FS", "-", "RS"]))
    case 8:
      messages += 1
      try performHere("write", "m\(messages)", pick(["S", "DS", "-"]))
    case 9: try trouble()
    case 10: try interrupt()
    default: try sync()
    }
  }

  private mutating func performHere(_ words: String?...) throws {
    let known = words.compactMap(\.self)
    guard known.count == words.count else { return }
    log.append("here: " + known.joined(separator: " "))
    // What was moved on since is not done.
    do { _ = try scene.perform(known.joined(separator: " ")) } catch { log.append("\(error)") }
  }

  /// The server answers one command of a sync otherwise.
  private mutating func trouble() throws {
    let answer = pick([
      "NO [OVERQUOTA] Account exceeded command or bandwidth limits.",
      "NO [THROTTLED] Try again later", "NO [ALERT] Web login required",
      "BAD Could not parse command",
    ])
    let server = scene.server
    let limit = server.requests.count + Int.random(in: 5...16, using: &chance)
    scene.server.refuse { _ in
      server.requests.count == limit ? [.lines("* OK [ALERT] Hello", "{tag} \(answer)")] : nil
    }
    log.append("trouble \(answer)")
    try sync()
    scene.server.refuse(nil)
  }

  private mutating func file(in place: String) -> String? {
    scene.subjectsHere(place).randomElement(using: &chance)
  }

  private mutating func deliver() throws {
    messages += 1
    let place = pick(Self.labels + ["ALL", "INBOX", "INBOX", "TRASH", "SPAM"])
    try perform("deliver", "m\(messages)", place, pick(["\\Seen", ""]))
  }

  private mutating func unlabel() throws {
    let place = pick(Self.labels)
    try perform("unlabel", subject(in: place), place)
  }

  private mutating func perform(_ words: String?...) throws {
    let known = words.compactMap(\.self)
    guard known.count == words.count else { return }
    let line = known.filter { !$0.isEmpty }.joined(separator: " ")
    log.append(line)
    _ = try scene.perform(line)
  }

  private mutating func subject(in place: String) -> String? {
    scene.subjects(place).randomElement(using: &chance)
  }

  private mutating func pick(_ all: [String]) -> String { all.randomElement(using: &chance) ?? "" }

  // MARK: Syncs

  /// Kills a sync at some point, or has the server end the connection.
  private mutating func interrupt() throws {
    let count = Int.random(in: 1...60, using: &chance)
    var variables = ["MAGNUM_DAYS_AHEAD": "\(day)"]
    if Int.random(in: 0..<4, using: &chance) > 0 {
      variables["MAGNUM_FAULT"] = "\(count)"
    } else {
      let limit = scene.server.requests.count + 1 + count / 4
      let server = scene.server
      scene.server.refuse { _ in server.requests.count == limit ? [.reset] : nil }
    }
    interrupted.insert(scene.maildir)
    log.append("interrupt \(variables)")
    _ = try scene.run(variables)
    scene.server.refuse(nil)
  }

  private mutating func sync() throws {
    if Int.random(in: 0..<4, using: &chance) == 0 { day += 1 }
    log.append("sync +\(day)")
    let wrong = try scene.perform("sync +\(day) test")
    if let wrong { log.append(wrong) } else { log.append(scene.last?.errors ?? "") }
  }

  /// A second file of a message is not sent, and very many removals wait for a person.
  private static let reports = ["no message is copied", "too many deletions at once"]

  /// A day later all sides are alike; gives what is not.
  mutating func finish() throws -> String? {
    day += 1
    // What a server refuses for good is said once, and what it only takes back later is done then. What one machine pushes, the
    // others have with their next sync.
    for number in pushes ? Array(repeatElement(machines.indices, count: 4).joined()) : [] {
      go(to: number)
      try sync()
    }
    var others: Set<Int> = []
    for number in machines.indices {
      go(to: number)
      for line in ["sync +\(day) test", "sync +\(day) --scan test"] {
        guard let wrong = try scene.perform(line) else { continue }
        // What stays as it is, and is reported each time.
        guard Self.reports.contains(where: wrong.contains) else { return wrong }
        others.insert(number)
      }
    }
    if pushes, let wrong = wrongOnServer() { return wrong }
    for number in machines.indices where !others.contains(number) {
      go(to: number)
      if let wrong = try difference() { return "machine \(number + 1): \(wrong)" }
    }
    return nil
  }

  private func difference() throws -> String? {
    let (here, there) = (try scene.files(), scene.served())
    if here == there { return nil }
    let words = "here \(here)\nthere \(there)"
    // A file that a killed run fetched and did not record stays if its message is gone since (UnrecordedFetches).
    let subjects = here.map { $0.split(separator: ": ").last?.prefix { $0 != " " } ?? "" }
    let isKept = interrupted.contains(scene.maildir) && Set(there).isSubset(of: here)
    return isKept && Set(subjects).count == here.count ? nil : words
  }
}

extension LabelWalk {
  /// What is lost or doubled on the server, or was endangered there.
  private func wrongOnServer() -> String? {
    if let violation = scene.server.violations.first { return "a command: \(violation)" }
    let subjects = scene.served().map { line in
      "\(line.split(separator: ": ").last?.prefix { $0 != " " } ?? "")"
    }
    for number in 1..<(messages + 1) {
      let subject = "m\(number)"
      let count = subjects.count { $0 == subject }
      if count > 1 { return "\(subject) is there \(count) times" }
      if count == 0, !removed.contains(subject), isWritten(subject) { return "\(subject) is lost" }
    }
    return nil
  }

  /// Whether the message came to be anywhere.
  private func isWritten(_ subject: String) -> Bool {
    log.contains { $0.hasPrefix("deliver \(subject) ") || $0.hasPrefix("here: write \(subject) ") }
  }
}
