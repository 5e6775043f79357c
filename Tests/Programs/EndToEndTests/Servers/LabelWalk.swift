import TestSupport

/// Random work of other clients on a scripted Gmail, and syncs that are killed or cut off in between.
struct LabelWalk {
  let scene: LabelScene
  private var chance: SeededGenerator
  private var messages = 0
  /// The days that passed.
  private var day = 0
  /// What was done, for a seed that fails.
  private(set) var log: [String] = []

  private static let labels = ["INBOX", "Work", "Home", "A/b", "SENT", "DRAFTS", "STARRED"]

  init(seed: UInt64) throws {
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
    scene = try LabelScene(provider)
    self.chance = chance
    log = ["\(provider.labels)", provider.capabilities.after]
    for label in Self.labels { _ = try scene.perform("label none \(label)") }
  }

  /// Does something.
  mutating func step() throws {
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
      try perform("unlabel", subject(in: place), place)
    case 11: try perform("flags", subject(in: "ALL"), pick(["\\Seen", "\\Flagged", "\\Answered"]))
    case 12: try interrupt()
    default: try sync()
    }
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
    log.append("interrupt \(variables)")
    _ = try scene.run(variables)
    scene.server.refuse(nil)
  }

  private mutating func sync() throws {
    if Int.random(in: 0..<4, using: &chance) == 0 { day += 1 }
    log.append("sync +\(day)")
    if let wrong = try scene.perform("sync +\(day)") { log.append(wrong) }
  }

  /// A day later both sides are alike; gives what is not.
  mutating func finish() throws -> String? {
    day += 1
    for line in ["sync +\(day)", "sync +\(day) --scan"] {
      if let wrong = try scene.perform(line) { return wrong }
    }
    let (here, there) = (try scene.files(), scene.served())
    if here == there { return nil }
    let words = "here \(here)\nthere \(there)"
    // A file that a killed run fetched and did not record stays if its message is gone since (UnrecordedFetches).
    let subjects = here.map { $0.split(separator: ": ").last?.prefix { $0 != " " } ?? "" }
    let isKept = log.contains { $0.hasPrefix("interrupt") } && Set(there).isSubset(of: here)
    return isKept && Set(subjects).count == here.count ? nil : words
  }
}

extension LabelScene {
  /// The subjects of the messages in a mailbox.
  func subjects(_ place: String) -> [String] { server.subjects(Self.name(place)) }

  /// What has to be here, a line a message as in `files`.
  func served() -> [String] {
    let boxes = server.mailboxes
    let mirrored = ["\\All", "\\Trash", "\\Junk"]
    return boxes.filter { box in mirrored.contains { box.attributes.contains($0) } }
      .flatMap { box in
        let others = box.attributes.contains("\\All") ? boxes.filter { $0.name != box.name } : []
        return box.messages.map { message in
          Self.line(
            box,
            message,
            others.filter { other in
              other.messages.contains { $0.identity == message.identity }
            }
          )
        }
      }.sorted()
  }

  private static func line(
    _ box: ProviderMailbox,
    _ message: ProviderMailbox.Message,
    _ labels: [ProviderMailbox]
  ) -> String {
    var flags = MaildirTree.letters(message.flags.sorted())
    var tags: [String] = []
    for label in labels {
      if label.attributes.contains("\\Drafts") {
        if !flags.contains("D") { flags = "D" + flags }
      } else if label.attributes.contains("\\Sent") {
        tags.append("sent")
      } else if !label.attributes.contains("\\Flagged") {
        tags.append(label.name.lowercased())
      }
    }
    let words = tags.isEmpty ? "-" : tags.sorted().joined(separator: " ")
    let name = box.name.replacing("[Gmail]/", with: "")
    return "\(name): \(message.subject) \(flags.isEmpty ? "-" : flags) \(words)"
  }
}
