import MemoryStore

/// What the judge knows of a server whose mailboxes are labels: a message is there once, and each of its labels holds it once.
///
/// Trash and Junk take a message from all others. What one client alone did to a message is what becomes of it; a file that is
/// removed from a label takes that label, and from a mailbox with a role it goes to Trash; from INBOX only where it has no other.
final class Labelling {
  /// Something that was done to one message.
  private struct Touch {
    let side: String
    let verb: String
    let box: String
    let to: String?

    var isRemoval: Bool { verb == "remove" }
    var text: String { "\(side) \(verb) \(box)" + (to.map { " -> \($0)" } ?? "") }
  }

  /// A message in a mailbox or folder.
  private struct Spot: Hashable {
    let box: String
    let token: String
  }

  private static let placing: Set<String> = ["move", "mutt", "copy", "remove", "expunge"]
  /// Steps that do something to one message.
  private static let single = placing.union(["append", "new", "flag", "keyword", "edit", "mark"])
  private static let taking: Set<String> = ["expunge", "empty", "mark"]
  /// The mailboxes with a role from which a removed file goes to Trash.
  private static let roles: Set<String> = ["INBOX", "Archive", "Sent", "Junk"]
  private static let harmless: Set<String> = ["create", "mkdir", "save"]
  private static let stripping: Set<String> = ["Trash", "Junk"]

  /// The messages that there are.
  private var known: Set<String> = []
  private var mayBeGone: Set<String> = []
  /// Those that were written here as drafts.
  private var drafts: Set<String> = []
  /// The labels of each when all sides agreed.
  private var before: [String: Set<String>] = [:]
  private var touches: [String: [Touch]] = [:]
  /// Whether mailboxes or folders were renamed or removed since: then only what is there is judged.
  private var isUnsettled = false

  // MARK: Steps

  /// Has a step done, and looks at what it changes.
  func watch(_ words: [String], _ world: World, _ step: () throws -> Bool) throws -> Bool {
    let (side, verb) = (words[0], words[1])
    let before = Self.spots(side, world)
    guard try step() else { return false }
    let after = Self.spots(side, world)
    known.formUnion(after.map(\.token))
    for spot in before.subtracting(after) where takes(verb, spot) {
      mayBeGone.insert(spot.token)
      guard verb == "empty" else { continue }
      let touch = Touch(side: side, verb: "expunge", box: spot.box, to: nil)
      touches[spot.token, default: []].append(touch)
    }
    if verb == "new", words.count > 4, words[4].contains("D") { drafts.insert(words[2]) }
    if Self.single.contains(verb), words.count > 3 {
      let to = ["move", "mutt", "copy"].contains(verb) && words.count > 4 ? words[4] : nil
      touches[words[2], default: []].append(Touch(side: side, verb: verb, box: words[3], to: to))
      if verb == "mark" { mayBeGone.insert(words[2]) }
    } else if !Self.harmless.contains(verb), verb != "empty" {
      isUnsettled = true
    }
    return true
  }

  /// A file that was moved before it was removed may be that of a label still.
  private func takes(_ verb: String, _ spot: Spot) -> Bool {
    guard verb == "remove" else { return Self.taking.contains(verb) }
    let boxes = [spot.box] + (touches[spot.token] ?? []).map(\.box)
    // Of a file that is new here the server may know nothing.
    return before[spot.token] == nil || drafts.contains(spot.token)
      || !boxes.allSatisfy(Self.roles.contains)
  }

  // MARK: Judgement

  /// Judges when the runs change nothing any more.
  func judge(_ sides: Sides, _ world: World) throws {
    let there = Self.boxes(sides.entries[Model.server] ?? [])
    // A mailbox under another name may have lost its role.
    if isUnsettled {
      mayBeGone.formUnion(touches.filter { $0.value.contains(where: \.isRemoval) }.keys)
    }
    for token in known.subtracting(mayBeGone).sorted() where there[token] == nil {
      throw Failure(.lost, token, story(token, sides))
    }
    for machine in world.machines { try compare(machine, there, sides, world) }
    if !isUnsettled, world.model.odd.isEmpty, world.model.sideOnly.isEmpty {
      for token in before.keys.sorted() { try judgePlace(token, there[token] ?? [], sides) }
    }
    before = there
    for machine in world.machines {
      // Where the message goes that one is, the other is a new one.
      for token in Self.doubled(sides.entries[machine.name] ?? []) { before[token] = nil }
    }
    (known, mayBeGone, touches, isUnsettled) = (Set(there.keys), [], [:], false)
  }

  private func compare(
    _ machine: Machine,
    _ there: [String: Set<String>],
    _ sides: Sides,
    _ world: World
  ) throws {
    let isAside = { (box: String) in
      world.model.sideOnly[box] != nil || world.model.odd.contains(box)
    }
    let entries = (sides.entries[machine.name] ?? []).filter { !isAside($0.box) }
    let here = Self.boxes(entries)
    let kind: Failure.Kind = machine.last.status == 0 ? .silent : .disagree
    for token in Set(here.keys).union(there.keys).sorted() {
      let wanted = there[token, default: []].filter { !isAside($0) }
      guard here[token, default: []] != wanted else { continue }
      throw Failure(kind, token, "\(machine.last)" + story(token, sides))
    }
    try compareFlags(entries, sides)
    let doubled = Self.doubled(entries)
    if let token = doubled.filter({ met($0) }).min() {
      throw Failure(.stuck, token, "two files of what was moved there" + story(token, sides))
    }
    if !doubled.isEmpty, machine.last.status == 0 {
      throw Failure(.silent, nil, "\(machine.name) has two files of a message in one folder")
    }
    for line in machine.last.problems where !line.contains("can hold it only once") {
      let words = world.model.odd.union(world.model.sideOnly.keys)
      guard !words.contains(where: { line.contains($0) }) else { continue }
      throw Failure(.stuck, nil, "\(machine.name): status \(machine.last.status): \(line)")
    }
  }

  /// Whether all that was done to a message is that it was moved on a machine into a label that it had.
  private func met(_ token: String) -> Bool {
    guard let touches = touches[token], touches.count == 1, let to = touches[0].to, !isUnsettled,
      !drafts.contains(token)
    else { return false }
    return touches[0].side != Model.server && ["move", "mutt"].contains(touches[0].verb)
      && before[token]?.contains(to) ?? false
  }

  /// A message has the same flags in all places, but where it is twice in one folder.
  private func compareFlags(_ here: [Entry], _ sides: Sides) throws {
    let there = Dictionary(
      (sides.entries[Model.server] ?? []).map { ("\($0.box)/\($0.token ?? "?")", $0.letters) },
      uniquingKeysWith: { first, _ in first }
    )
    let counts = Dictionary(grouping: here) { "\($0.box)/\($0.token ?? "?")" }
    for (place, entries) in counts where entries.count == 1 {
      guard let wanted = there[place], wanted != entries[0].letters else { continue }
      throw Failure(.flags, entries[0].token, story(entries[0].token ?? "?", sides))
    }
  }

  /// Where the one thing that one client did to a message puts it, that is where it is.
  private func judgePlace(_ token: String, _ now: Set<String>, _ sides: Sides) throws {
    let touches = touches[token] ?? []
    let placing = touches.filter { Self.placing.contains($0.verb) }
    guard let before = before[token], placing.count <= 1, !drafts.contains(token),
      Set(touches.map(\.side)).count <= 1, !touches.contains(where: { $0.verb == "edit" }),
      !touches.contains(where: { $0.verb == "mark" })
    else { return }
    let wanted = placing.first.map { Self.labels(before, $0) } ?? before
    guard now != wanted else { return }
    throw Failure(.misplaced, token, "has to be in \(wanted.sorted())" + story(token, sides))
  }

  /// The labels after a step.
  private static func labels(_ before: Set<String>, _ touch: Touch) -> Set<String> {
    switch touch.verb {
    case "expunge": return before.subtracting([touch.box])
    case "remove":
      let rest = before.subtracting([touch.box])
      let isLabelled = touch.box == "INBOX" && !rest.subtracting(stripping).isEmpty
      return roles.contains(touch.box) && !isLabelled ? ["Trash"] : rest
    default:
      guard let to = touch.to else { return before }
      if stripping.contains(to) { return [to] }
      let left = touch.verb == "copy" ? before : before.subtracting([touch.box])
      return left.union([to])
    }
  }

  private func story(_ token: String, _ sides: Sides) -> String {
    let found = sides.entries(of: token).sorted { $0.key < $1.key }
      .map { "\n    \($0.key): \($0.value.map(\.description).joined(separator: ", "))" }
    let was = before[token].map { "\n    was in \($0.sorted())" } ?? "\n    is new"
    let events = (touches[token] ?? []).map { "\n    \($0.text)" }
    return found.joined() + was + events.joined()
  }

  // MARK: What is there

  private static func boxes(_ entries: [Entry]) -> [String: Set<String>] {
    entries.reduce(into: [:]) { boxes, entry in
      if let token = entry.token { boxes[token, default: []].insert(entry.box) }
    }
  }

  /// Those that are twice in one folder; two versions of a draft are two messages, and a second copy of what was sent is of no
  /// matter.
  private static func doubled(_ entries: [Entry]) -> Set<String> {
    let groups = Dictionary(grouping: entries.filter { $0.box != "Sent" }) {
      "\($0.box)/\($0.token ?? "?")/\($0.revision)"
    }
    return Set(groups.values.filter { $0.count > 1 }.compactMap { $0[0].token })
  }

  private static func spots(_ side: String, _ world: World) -> Set<Spot> {
    guard let machine = world.machine(side) else {
      return Set(
        world.mailboxes.flatMap { box in
          world.messages(box).compactMap { spot(box, $0.message.octets) }
        }
      )
    }
    return Set(
      machine.folders.files(machine.folders.names).compactMap { file in
        file.read().flatMap { spot(file.box, $0) }
      }
    )
  }

  private static func spot(_ box: String, _ octets: [UInt8]) -> Spot? {
    JudgeMessage.identify(octets).map { Spot(box: box, token: $0.token) }
  }
}
