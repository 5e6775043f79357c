/// The quiet runs, and the judgement over what both sides hold after them.
struct Verdict {
  let world: World
  var model: Model { world.model }

  init(_ world: World) { self.world = world }

  /// Judges; afterwards the model begins anew from what is there.
  func judge() throws {
    defer { for machine in world.machines { machine.lost = [] } }
    if let window = world.window {
      try window.judge(quiet(), world)
      try world.machines.forEach { try window.open($0) }
    }
    for machine in world.machines { machine.settings = machine.settings.restored }
    var sides = try quiet()
    world.window?.close(world)
    if let parts = world.parts {
      try judge(parts)
      return model.beginAnew(sides)
    }
    if let keeping = world.keeping {
      _ = try statuses()
      try keeping.judge(sides, world)
      return model.beginAnew(sides)
    }
    setApart(&sides)
    if let labelling = world.labelling {
      try labelling.judge(sides, world)
      return model.beginAnew(sides)
    }
    for name in model.tokens.keys.sorted(by: { number(of: $0) < number(of: $1) }) {
      guard let token = model.tokens[name] else { continue }
      var verdict = TokenVerdict(model, token, sides.entries(of: name))
      try verdict.judge()
    }
    let spoken = try statuses()
    try compareBoxes(sides, spoken)
    try compare(sides, spoken)
    model.beginAnew(sides)
    world.server.agreed(world.machines)
  }

  /// Where a machine has no limit now, it has all that the server has.
  private func judge(_ parts: Parts) throws {
    guard !model.isAmbiguous, model.sideOnly.isEmpty, model.odd.isEmpty, model.renames.isEmpty
    else { return }
    try parts.judge(world)
  }

  /// Runs until nothing changes; what both sides hold then.
  private func quiet() throws -> Sides {
    var before: [String] = []
    // Where mailboxes are labels, what one run does to one of them the next one sees in the others.
    let isLong = world.machines.count > 1 || world.labelling != nil
    // A copy waits for the second run since its original last moved, and has the flags of its file with the one behind it.
    for number in 1...(isLong ? 9 : 6) {
      for machine in world.machines {
        var order = RunOrder()
        order.isAllowed = number > 1
        order.isScanning = machine.isDamaged
        machine.isDamaged = false
        try run(machine, order)
      }
      let sides = Sides(world)
      let after = sides.mark
      let isOpen = world.machines.contains(where: \.last.awaitsOriginals)
      if before == after, number > 2, !isOpen { return sides }
      before = after
    }
    throw Failure(.changed, nil, "a further run still changes something")
  }

  /// Runs, and on the next days again, until nothing is left for another one.
  private func run(_ machine: Machine, _ order: RunOrder) throws {
    for _ in 0..<Self.days {
      let end = try machine.run(world, order)
      world.tell("\(machine.name) quiet\n\(end)")
      guard [0, 1, 75].contains(end.status) else {
        throw Failure(.crash, nil, "\(machine.name): \(end)")
      }
      guard end.left > 0 else { return }
      machine.day += 1
    }
    throw Failure(.stuck, nil, "\(machine.name): messages are left for another day again and again")
  }

  /// So many days are enough for all messages of a scene.
  private static let days = 200

  /// Takes out the files that a run detached, with words, after one that was killed (rule 9), and those that it reports as
  /// accepted by the server where another client removed them before they were looked for.
  private func setApart(_ sides: inout Sides) {
    if model.isAmbiguous || model.wasCut { taintTwins() }
    for machine in world.machines {
      noteUnfound(machine, sides)
      sides.entries[machine.name]?.removeAll { entry in
        guard machine.unfound.contains(entry.identifier) else { return false }
        if let token = entry.token { model.apart.insert(token) }
        return true
      }
      let apart = machine.wasKilled ? machine.apart : []
      machine.wasKilled = false
      sides.entries[machine.name]?.removeAll { entry in
        guard apart.contains(entry.identifier) else { return false }
        if let name = entry.token, let token = model.tokens[name] {
          model.apart.insert(name)
          let wasTainted = token.isTainted
          token.isTainted = true
          // Except for this file, which is not looked at any more; what the server had, and nobody removed, it has.
          if wasTainted || token.wasRemoved || token.isHereAlone || model.isAmbiguous {
            token.mayBeGone = true
          }
        }
        return true
      }
    }
  }

  /// Where records are matched again no bodies are read, so that a file may count as a message which has all its headers.
  private func taintTwins() {
    let origins = model.tokens.values.compactMap { JudgeMessage.origin(ofTwin: $0.kind) }
    for token in model.tokens.values
    where origins.contains(token.name) || JudgeMessage.isTwin(token.kind) {
      token.isTainted = true
      token.mayBeGone = true
    }
  }

  private func noteUnfound(_ machine: Machine, _ sides: Sides) {
    for entry in sides.entries[machine.name] ?? [] {
      let token = entry.token.flatMap { model.tokens[$0] }
      let words = "/\(entry.identifier): the server accepted it, and it is not found there"
      guard token?.wasRemoved ?? false,
        machine.last.problems.contains(where: { $0.contains(words) })
      else { continue }
      token?.mayBeGone = true
      machine.unfound.insert(entry.identifier)
    }
    // So it is where another client removed the copy that was half of a move.
    for entry in sides.entries[Model.server] ?? [] {
      let message = "\(entry.box)/\(entry.name.dropFirst("UID ".count))"
      guard let name = entry.token, let token = model.tokens[name], token.wasRemoved,
        machine.last.problems.contains(where: {
          $0.contains("/\(message): the server accepted its move to ")
        })
      else { continue }
      model.apart.insert(name)
      token.mayBeGone = true
      machine.unfound.insert(message)
    }
  }

  /// Problems that nothing explains; which mailboxes and folders each machine reports.
  private func statuses() throws -> [String: Set<String>] {
    var spoken: [String: Set<String>] = [:]
    var moved: [String: String] = [:]
    for (old, new) in model.renames {
      for box in model.sideOnly.keys where box.hasPrefix(old + "/") {
        moved[new + box.dropFirst(old.count)] = box
      }
    }
    for machine in world.machines {
      spoken[machine.name] = []
      let end = machine.last
      if end.status == 0 { continue }
      for line in end.problems where !machine.unfound.contains(where: { line.contains("/\($0): ") })
      {
        let known = Set(model.sideOnly.keys).union(model.odd).union(carriedAlong(machine))
        let named = known.filter { Self.names(line, $0) }
        guard !named.isEmpty else {
          throw Failure(.stuck, nil, "\(machine.name): status \(end.status): \(line)")
        }
        spoken[machine.name]?.formUnion(named)
        spoken[machine.name]?.formUnion(moved.filter { named.contains($0.value) }.keys)
      }
      if end.problems.isEmpty, end.status != 1 || !hasNamedFilesAside(machine) {
        throw Failure(.stuck, nil, "\(machine.name): status \(end.status) without a word")
      }
    }
    return spoken
  }

  /// Whether a message was moved here to a folder that has no mailbox, where an earlier run named that, or where the message came
  /// from: what that leaves undone is said once.
  private func hasNamedFilesAside(_ machine: Machine) -> Bool {
    let moves = model.tokens.values.flatMap(\.instances).flatMap(\.events)
      .filter { $0.side == machine.name && $0.to.map { model.sideOnly[$0] != nil } ?? false }
    return moves.contains { move in
      machine.problems.contains { line in
        Self.names(line, move.box) || move.to.map { Self.names(line, $0) } ?? false
      }
    }
  }

  /// The folders of a machine whose mailboxes went along when what is above them was renamed, where nothing tells that they are
  /// the same.
  private func carriedAlong(_ machine: Machine) -> [String] {
    guard !world.keepsIdentity else { return [] }
    return machine.folders.names.filter { name in
      model.renames.contains { name.hasPrefix($0.old + "/") }
    }
  }

  /// Whether a message is about a mailbox or folder; a tab is shown in some other way.
  private static func names(_ line: String, _ box: String) -> Bool {
    let name = box.prefix { $0 != "\t" }
    let isWord = { (character: Character?) in
      character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ?? false
    }
    var rest = line[...]
    while let place = rest.firstRange(of: name) {
      let before =
        place.lowerBound == line.startIndex ? nil : line[line.index(before: place.lowerBound)]
      let after = place.upperBound == line.endIndex ? nil : line[place.upperBound]
      if !isWord(before), !isWord(after) { return true }
      rest = line[line.index(after: place.lowerBound)...]
    }
    return false
  }

  private func compareBoxes(_ sides: Sides, _ spoken: [String: Set<String>]) throws {
    let there = sides.boxes[Model.server] ?? []
    for machine in world.machines {
      let (here, said) = (sides.boxes[machine.name] ?? [], spoken[machine.name] ?? [])
      // A folder goes only when all others were looked at, where its files may have been moved.
      let isWaiting = { (box: String) in
        model.removesHere && machine.last.status != 0 && here.contains(box)
          && model.sideOnly[box] != nil
      }
      for box in machine.folders.doubled where !said.contains(box) {
        throw Failure(said.isEmpty ? .silent : .disagree, nil, "\(box) has two folders")
      }
      for box in there.symmetricDifference(here).sorted()
      where !said.contains(box) && !isWaiting(box) {
        let place = there.contains(box) ? "the server" : machine.name
        throw Failure(said.isEmpty ? .silent : .disagree, nil, "\(box) is only on \(place)")
      }
    }
  }

  private func compare(_ sides: Sides, _ spoken: [String: Set<String>]) throws {
    let tainted = Set(model.tokens.values.filter(\.isTainted).map(\.name)).union(model.apart)
    let aside = Set(model.sideOnly.keys).union(spoken.values.flatMap { $0 })
    let judged = { (side: String) -> [Entry] in
      (sides.entries[side] ?? []).filter { entry in
        !tainted.contains(entry.token ?? "") && !aside.contains(entry.box)
      }
    }
    for machine in world.machines {
      // Of a run that was content nothing may be left.
      let waiting = machine.last.status == 0 ? [] : machine.last.waiting
      let isSeen = { (entry: Entry) in !waiting.contains("\(entry.box) \(entry.identifier)") }
      // What waits is not as it will be: nothing more is told of it before that is done.
      for entry in judged(Model.server) + judged(machine.name) where !isSeen(entry) {
        entry.token.flatMap { model.tokens[$0] }?.isTainted = true
      }
      let there = Tally(judged(Model.server).filter(isSeen))
      var here = Tally(judged(machine.name).filter(isSeen))
      here.dropSentCopies(there)
      guard here.counts != there.counts else { continue }
      let onlyThere = there.subtracting(here).sorted()
      let onlyHere = here.subtracting(there).sorted()
      let key = (onlyThere + onlyHere).sorted()[0]
      let text = "only on the server: \(onlyThere); only on \(machine.name): \(onlyHere)"
      guard let token = model.tokens[key.token] else {
        throw Failure(.disagree, nil, "a message that the judge did not make: \(text)")
      }
      let verdict = TokenVerdict(model, token, sides.entries(of: key.token))
      let isSilent = spoken[machine.name]?.isEmpty ?? true
      throw Failure(isSilent ? .silent : .disagree, key.token, text + verdict.story)
    }
  }
}

/// How often each message is on a side.
private struct Tally {
  struct Key: Hashable, Comparable, CustomStringConvertible {
    let box: String
    let token: String
    let revision: Int
    let letters: String

    var description: String { "\(box)/\(token) r\(revision) [\(letters)]" }
    static func < (left: Key, right: Key) -> Bool { left.description < right.description }
  }

  var counts: [Key: Int] = [:]

  init(_ entries: [Entry]) {
    for entry in entries {
      let letters = String(entry.letters.sorted())
      let key = Key(
        box: entry.box,
        token: entry.token ?? "?",
        revision: entry.revision,
        letters: letters
      )
      counts[key, default: 0] += 1
    }
  }

  func subtracting(_ other: Tally) -> [Key] {
    counts.filter { $0.value > other.counts[$0.key] ?? 0 }.map(\.key)
  }

  /// Rule 10: what a machine has in Sent beyond what the server has there of the same text.
  mutating func dropSentCopies(_ there: Tally) {
    for (key, count) in counts where key.box == "Sent" {
      let known = there.count(like: key)
      let total = self.count(like: key)
      guard known > 0, total > known else { continue }
      let left = count - min(count - (there.counts[key] ?? 0), total - known)
      counts[key] = left == 0 ? nil : left
    }
  }

  private func count(like key: Key) -> Int {
    counts.filter {
      $0.key.box == key.box && $0.key.token == key.token && $0.key.revision == key.revision
    }.reduce(0) { $0 + $1.value }
  }
}
