import MemoryStore

/// The server, the machines and the model of one scene.
final class World {
  let server: any ServerSide
  let machines: [Machine]
  let model: Model
  /// What the accounts are set to.
  let ways: AccountWays
  /// Whether something tells of a renamed mailbox that it is the same.
  let keepsIdentity: Bool
  /// Whether it prints how each run ended.
  var isTelling = false
  /// What is kept here; nil where machines follow what the server removes.
  let keeping: Keeping?
  /// What is known of large messages; nil where machines mirror all of them whole.
  let parts: Parts?
  /// What is known of messages that are too old to be fetched; nil where all are.
  let window: Window?
  /// What is known of labels; nil where mailboxes hold messages of their own.
  let labelling: Labelling?
  /// How many files the judge has named.
  private var count = 0

  /// A new world in a folder, with a server that lacks some things.
  init(
    _ folder: String,
    _ server: any ServerSide,
    _ abilities: MemoryAbilities,
    machines: Int,
    _ ways: AccountWays
  ) throws {
    self.server = server
    self.ways = ways
    keepsIdentity = abilities.keepsValidity || abilities.tellsMailboxIDs
    keeping = ways.isKeeping ? Keeping() : nil
    parts = ways.isParted ? Parts() : nil
    window = ways.isWindowed ? Window() : nil
    labelling = ways.isLabelled ? Labelling() : nil
    self.machines = try (1...machines).map {
      try Machine("m\($0)", in: folder, ways, server.account)
    }
    model = Model(
      machines: self.machines.map(\.name),
      hasUIDPlus: abilities.hasUIDPlus,
      hasMove: abilities.movesAtOnce,
      changesMessages: abilities.changesCopies || abilities.changesUploads
    )
    model.removesHere = ["local", "both"].contains(ways.removal)
    model.removesThere = ["remote", "both"].contains(ways.removal)
  }

  func tell(_ text: @autoclosure () -> String) {
    if isTelling { say(text()) }
  }

  func machine(_ name: String) -> Machine? { machines.first { $0.name == name } }

  /// A base name that is the same each time a scene is played, and behind those of fetched files in order.
  func freshBase() -> String {
    count += 1
    let digits = String(count)
    return "18" + String(repeating: "0", count: 8 - digits.count) + digits + ".R\(count).judge"
  }

  /// A time of a file that no other one of the judge has.
  var moment: Int { 1_800_000_000 + count }

  /// The time of a file of that kind, where nothing but its text and its time tell it from others; nil where it is of no matter.
  func ownMoment(_ kind: String) -> Int? {
    guard JudgeMessage.isTwin(kind) else { return nil }
    count += 1
    return moment
  }

  // MARK: The server

  /// The names of all mailboxes.
  var mailboxes: [String] { server.mailboxes }

  /// The messages of a mailbox by UID.
  func messages(_ box: String) -> [(uid: UInt32, message: MemoryMailbox.Message)] {
    server.messages(box)
  }

  /// The first message of a token in a mailbox.
  func find(_ token: String, _ box: String) -> (uid: UInt32, message: MemoryMailbox.Message)? {
    messages(box).first { JudgeMessage.identify($0.message.octets)?.token == token }
  }
}

extension MemoryMailbox.Message {
  static let letters: [String: Character] = [
    "\\Seen": "S", "\\Flagged": "F", "\\Answered": "R", "\\Draft": "D", "$Forwarded": "P",
  ]
  static let names: [Character: String] = [
    "S": "\\Seen", "F": "\\Flagged", "R": "\\Answered", "D": "\\Draft", "P": "$Forwarded",
  ]

  /// Its flags as a Maildir shows them.
  var shown: Set<Character> { Set(flags.compactMap { Self.letters[$0] }) }

  /// All others.
  var keywords: Set<String> {
    flags.filter { Self.letters[$0] == nil && !$0.hasPrefix("\\") }
  }

  var isMarked: Bool { flags.contains("\\Deleted") }
}
