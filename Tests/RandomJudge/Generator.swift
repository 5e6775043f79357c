import MemoryStore
/// Chooses the steps of a scene at random, from the seed and from what stands where.
final class Generator {
  static let start = ["INBOX", "Work", "Lists/swift", "Archive", "Sent", "Drafts", "Trash", "Junk"]
  static let fixed: Set<String> = ["INBOX", "Sent", "Drafts", "Trash", "Junk", "Lists"]
  private static let odd = [
    "50% off", ".dot", "tab\tx", "a b", "x:y", "a~", "&amp", "back\\slash", "star*",
  ]
  private static let keywords = ["red", "$Label1", "project-x"]

  // How often each is chosen; the third is for things that make it ambiguous what was, or leave sides apart.
  private static let there: [(String, Double)] = [
    ("append", 10), ("move", 13), ("copy", 3), ("flag", 8), ("keyword", 4), ("expunge", 4),
    ("trash", 4), ("empty", 1.5), ("create", 1.5), ("rename", 2), ("rotate", 1),
  ]
  private static let here: [(String, Double)] = [
    ("new", 8), ("flag", 8), ("move", 10), ("mutt", 6), ("copy", 4), ("remove", 8), ("edit", 6),
    ("trash", 4), ("rescue", 3), ("draft", 4), ("mkdir", 1.5), ("rename", 2), ("rotate", 1),
    ("guard", 1),
  ]
  private static let heavy: [(String, Double)] = [
    ("validity", 4), ("lose", 3), ("flip", 3), ("putback", 5), ("save", 4), ("rmfolder", 1),
    ("delete", 1), ("cpfolder", 1), ("odd", 1),
  ]

  private static let served: [(String, Double)] = [
    ("serve", 4), ("iappend", 2), ("imove", 4), ("icopy", 1), ("ifix", 3), ("letter", 2),
  ]
  /// Where labels do not meet.
  private static let stripping: Set<String> = ["Trash", "Junk", "Drafts"]

  let world: World
  let choices: Choices
  var chance: Chance
  private var count = 0
  private var recent: [String] = []
  private var saved: Set<String> = []
  private var newName = 0
  /// Originals of copies that are to be removed, so that both are a move: a side and a message.
  private var halfMoves: [(side: String, pair: Pair)] = []
  /// Whether there are heavy things in what comes: seldom, so that the strict rules are judged often enough.
  var isHeavy = false

  init(_ seed: Int, _ world: World, _ choices: Choices) {
    self.choices = choices
    chance = Chance(seed, 2)
    self.world = world
  }

  // MARK: What is there

  func boxes(_ side: String) -> [String] {
    let names = side == Model.server ? world.mailboxes : world.machine(side)?.folders.names ?? []
    // Nobody works in a folder that is on its way.
    return names.filter {
      world.model.sideOnly[$0] == nil && !world.model.odd.contains($0)
        && !$0.hasPrefix(".magnum-moving-")
    }
  }

  struct Pair: Hashable {
    let token: String
    let box: String
  }

  /// What may be chosen, each once.
  func messages(_ side: String, _ only: Set<String>?) -> [Pair] {
    let boxes = boxes(side).filter { only?.contains($0) ?? true }
    let found: [(String?, String)]
    if let machine = world.machine(side) {
      found = machine.folders.files(boxes)
        .map { ($0.read().flatMap(JudgeMessage.identify)?.token, $0.box) }
    } else {
      found = boxes.flatMap { box in
        world.messages(box).map { (JudgeMessage.identify($0.message.octets)?.token, box) }
      }
    }
    let pairs = Set(found.compactMap { token, box in token.map { Pair(token: $0, box: box) } })
    // Of a message that only machines have the model knows nothing any more.
    let isOut = world.keeping == nil
    return pairs.filter { !(world.model.tokens[$0.token]?.isTainted ?? isOut) }
      .sorted { ($0.token, $0.box) < ($1.token, $1.box) }
  }

  func token() -> String {
    count += 1
    return "t\(count)"
  }

  func kind() -> String {
    if choices.hasTwins, let twin = twin() { return twin }
    let roll = chance.fraction()
    if roll < 0.12 { return "nomid" }
    if roll < 0.16, count > 3 { return "mid=t\(chance.number(1..<count))" }
    if world.parts != nil, chance.happens(0.7) { return chance.one(Parts.kinds) }
    return chance.one([("plain", 8), ("8bit", 1), ("long", 1)])
  }

  /// A message like one that there is; nil where there is to be another one.
  private func twin() -> String? {
    let lately = recent.compactMap { world.model.tokens[$0] }
    let all = world.model.tokens.values.sorted { number(of: $0.name) < number(of: $1.name) }
    guard chance.happens(0.5),
      let other = lately.isEmpty ? all.last : chance.one(lately + [chance.one(all)])
    else { return nil }
    return JudgeMessage.twin(of: other.name, other.kind, isLonger: chance.happens(0.25))
  }

  /// The kind of a message that the server gets: some are from before the windows of accounts.
  private func kindThere() -> String {
    (world.window != nil && chance.happens(0.6) ? Window.mark : "") + kind()
  }

  func letters() -> String {
    let chances: [(String, Double)] = [("F", 0.2), ("P", 0.1), ("R", 0.15), ("S", 0.6)]
    let chosen = chances.filter { chance.happens($0.1) }.map(\.0).joined()
    return chosen.isEmpty ? Step.noLetters : chosen
  }

  func change() -> String {
    chance.one(["+", "-"]) + chance.one(["S", "S", "F", "F", "R", "P"])
  }

  private func freshBox() -> String {
    newName += 1
    return chance.one([
      "Box\(newName)", "Lists/box\(newName)", "Work/box\(newName)", "New \(newName)",
    ])
  }

  // MARK: Steps

  /// What every scene begins with.
  func fill() -> [String] {
    let boxes = Self.start.filter { !Self.fixed.contains($0) }
    let creations = boxes.map { "server create \($0)" }
    return creations
      + (0..<chance.number(6..<14)).map { _ in
        let box = chance.one(["INBOX"] + Self.start)
        return "server append \(token()) \(box) \(letters()) \(kindThere())"
      }
  }

  /// The next step; nil where what was chosen cannot be done now.
  func step() -> String? {
    if world.window != nil, chance.happens(0.06) {
      return "\(chance.one(world.machines.map(\.name))) window \(chance.one(["on", "on", "off"]))"
    }
    if choices.isSwitching, chance.happens(0.12) {
      let choice = Settings.choose(&chance, plainBoxes, world)
      return "\(chance.one(world.machines.map(\.name))) set \(choice)"
    }
    if choices.isRemoving, chance.happens(0.08) { return allowed(removal()) }
    if world.parts != nil, chance.happens(0.08) {
      return "\(chance.one(world.machines.map(\.name))) limit \(chance.one(["on", "off"]))"
    }
    let side = chance.one([Model.server] + world.machines.flatMap { [$0.name, $0.name] })
    if isHeavy, chance.happens(0.12) { return allowed(heavyStep(side)) }
    return allowed(side == Model.server ? there() : here(side))
  }

  /// A mailbox or folder that is removed with all that is in it.
  private func removal() -> String? {
    let machine = chance.one(world.machines.map(\.name))
    let isThere = chance.happens(0.5)
    let names = boxes(isThere ? Model.server : machine).filter { !Self.fixed.contains($0) }
    guard !names.isEmpty else { return nil }
    let box = Step.word(chance.one(names))
    return isThere ? "server delete \(box)" : "\(machine) rmfolder \(box)"
  }

  func allowed(_ line: String?) -> String? {
    guard let verb = line?.split(separator: " ").dropFirst().first else { return nil }
    return choices.without.contains(String(verb)) ? nil : line
  }

  func target(_ side: String, _ other: String? = nil) -> String? {
    let names = boxes(side).filter { $0 != other }
    return names.isEmpty ? nil : Step.word(chance.one(names))
  }

  private func some(_ side: String, _ only: Set<String>? = nil) -> Pair? {
    var found = messages(side, only)
    // What was touched lately is chosen more often: trouble comes of two things that happen to one message.
    let lately = found.filter { recent.contains($0.token) }
    if !lately.isEmpty, chance.happens(0.5) { found = lately }
    guard !found.isEmpty else { return nil }
    let pair = chance.one(found)
    recent = Array(([pair.token] + recent).prefix(4))
    return pair
  }

  func there() -> String? {
    let side = Model.server
    let verb = chance.one(Self.there)
    switch verb {
    case "append":
      guard let box = target(side, "Drafts") else { return nil }
      return "server append \(token()) \(box) \(letters()) \(kindThere())"
    case "create": return "server create \(Step.word(freshBox()))"
    case "empty": return "server empty \(chance.one(["Trash", "Trash", "Junk"]))"
    case "rename", "rotate": return rename(side, verb)
    default: break
    }
    guard let pair = some(side) else { return nil }
    let what = "\(pair.token) \(Step.word(pair.box))"
    switch verb {
    case "move":
      let verb = choices.isReal && chance.happens(0.2) ? "copymove" : "move"
      return target(side, pair.box).map { "server \(verb) \(what) \($0)" }
    case "copy":
      if pair.box == "Drafts" { return nil }
      return target(side, pair.box).map { "server copy \(what) \($0)" }
    case "flag": return "server flag \(what) \(change())"
    case "keyword":
      return "server keyword \(what) \(chance.one(["+", "+", "-"]))\(chance.one(Self.keywords))"
    case "trash": return pair.box == "Trash" ? nil : "server move \(what) Trash"
    default: return "server expunge \(what)"
    }
  }

  private func rename(_ side: String, _ verb: String) -> String? {
    let names = boxes(side).filter { !Self.fixed.contains($0) }
    guard !names.isEmpty, world.machines.allSatisfy(\.settings.followsRenames) else { return nil }
    let old = Step.word(chance.one(names))
    newName += 1
    return "\(side) \(verb) \(old) \(old)-\(newName)"
  }

  func here(_ side: String) -> String? {
    if choices.isServed, chance.happens(0.35) { return served(side) }
    if world.labelling != nil, chance.happens(0.12), let step = meeting(side) { return step }
    let isApt = world.parts != nil && chance.happens(0.25)
    let verb = isApt ? chance.one(["copy", "remove", "mutt"]) : chance.one(Self.here)
    if boxes(side).isEmpty { return nil }
    if let half = halfMoves.lastIndex(where: { $0.side == side }), chance.happens(0.3) {
      let pair = halfMoves.remove(at: half).pair
      return "\(side) remove \(pair.token) \(Step.word(pair.box))"
    }
    switch verb {
    case "new":
      guard let box = target(side, "Drafts") else { return nil }
      return "\(side) new \(token()) \(box) \(letters()) \(kind())"
    case "draft":
      if world.parts != nil { return nil }
      let letters = chance.one(["D", "DS", "S"])
      let kind = choices.hasTwins ? twin() : nil
      return "\(side) new \(token()) Drafts \(letters) \(kind ?? chance.one(["plain", "nomid"]))"
    case "mkdir": return "\(side) mkdir \(Step.word(freshBox()))"
    case "rename", "rotate": return rename(side, verb)
    // The guard blocks removals, of which there are none.
    case "guard":
      return world.keeping != nil || world.labelling != nil
        ? nil : target(side).map { "\(side) guard \($0) \(chance.one(["there", "here"]))" }
    default: break
    }
    let only: [String: Set<String>] = ["edit": ["Drafts"], "rescue": ["Trash", "Junk"]]
    guard let pair = some(side, only[verb]) else { return nil }
    return here(side, verb, pair)
  }

  /// What a server on the machine does.
  private func served(_ side: String) -> String? {
    let verb = chance.one(Self.served)
    switch verb {
    case "serve": return target(side).map { "\(side) serve \($0)" }
    case "iappend":
      return target(side, "Drafts").map {
        "\(side) iappend \(token()) \($0) \(letters()) \(kind())"
      }
    default: break
    }
    guard let pair = some(side) else { return nil }
    let what = "\(pair.token) \(Step.word(pair.box))"
    switch verb {
    case "imove": return target(side, pair.box).map { "\(side) imove \(what) \($0)" }
    case "icopy":
      guard let to = target(side, pair.box), !["Sent", "Drafts"].contains(to), pair.box != "Drafts"
      else { return nil }
      return "\(side) icopy \(what) \(to)"
    case "ifix": return "\(side) ifix \(what)"
    default: return "\(side) letter \(what) \(chance.one(["+a", "+b", "-a"]))"
    }
  }

  /// A message that is moved into a label that it has.
  private func meeting(_ side: String) -> String? {
    let found = messages(side, nil).filter { !Self.stripping.contains($0.box) }
    let several = Dictionary(grouping: found, by: \.token).filter { $0.value.count > 1 }
    guard let token = several.keys.min(by: { number(of: $0) < number(of: $1) }),
      let pairs = several[token]
    else { return nil }
    let pair = chance.one(pairs)
    let to = chance.one(pairs.filter { $0 != pair })
    let verb = chance.one(["move", "mutt"])
    return "\(side) \(verb) \(token) \(Step.word(pair.box)) \(Step.word(to.box))"
  }

  private func here(_ side: String, _ verb: String, _ pair: Pair) -> String? {
    let what = "\(pair.token) \(Step.word(pair.box))"
    switch verb {
    case "edit":
      guard world.model.tokens[pair.token]?.instances.count == 1 else { return nil }
      return "\(side) edit \(what) \(chance.one(["inplace", "replace", "new"]))"
    case "move", "mutt": return target(side, pair.box).map { "\(side) \(verb) \(what) \($0)" }
    case "rescue":
      let verb = chance.one(["move", "mutt"])
      return target(side, pair.box).map { "\(side) \(verb) \(what) \($0)" }
    case "trash":
      return pair.box == "Trash" ? nil : "\(side) \(chance.one(["move", "mutt"])) \(what) Trash"
    case "copy":
      let how = chance.one(["same", "new"])
      guard let to = target(side, how == "same" ? pair.box : nil), pair.box != "Drafts",
        to != "Sent", to != "Drafts"
      else { return nil }
      if chance.happens(0.5) { halfMoves.append((side, pair)) }
      return "\(side) copy \(what) \(to) \(how)"
    case "flag": return "\(side) flag \(what) \(change())"
    default: return "\(side) remove \(what)"
    }
  }

  private func heavyStep(_ side: String) -> String? {
    let verb = chance.one(Self.heavy)
    let machine = chance.one(world.machines.map(\.name))
    switch verb {
    case "validity": return target(Model.server).map { "server validity \($0)" }
    case "lose": return "\(machine) lose \(chance.one(["maps", "maps", "summary", "all"]))"
    case "flip": return "\(machine) flip \(chance.number(0..<1_000_000))"
    case "save":
      saved.insert(machine)
      return "\(machine) save b"
    case "putback":
      guard saved.contains(machine), let box = target(machine) else { return nil }
      return "\(machine) putback b \(chance.one(["state", "all", "map:" + box]))"
    case "odd":
      newName += 1
      return "\(machine) odd \(Step.word(chance.one(Self.odd)))\(newName) \(token())"
    default: break
    }
    let names = boxes(verb == "delete" ? Model.server : machine).filter { !Self.fixed.contains($0) }
    guard !names.isEmpty else { return nil }
    let box = Step.word(chance.one(names))
    switch verb {
    case "delete": return "server delete \(box)"
    case "rmfolder": return "\(machine) rmfolder \(box)"
    default:
      newName += 1
      return "\(machine) cpfolder \(box) \(box)-copy\(newName)"
    }
  }

  /// Mailboxes whose names are no patterns.
  var plainBoxes: [String] {
    world.mailboxes.filter { name in
      name.utf8.allSatisfy { !"*%&~. \\\t:".utf8.contains($0) }
    }
  }

  /// A run, perhaps with trouble, perhaps with steps in the midst of it.
}
