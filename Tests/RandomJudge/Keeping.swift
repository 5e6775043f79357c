import MemoryStore

/// What the judge knows of an account with `on-remote-delete = "keep"`: what a machine once had stays there until it is
/// removed there, and what the server lost is not sent up again.
final class Keeping {
  /// A message in one of its versions.
  struct Piece: Hashable {
    let token: String
    let revision: Int
  }

  /// What each machine has, by its name.
  private var held: [String: Set<Piece>] = [:]
  /// The messages that were on all sides when they were last judged, and with which nothing was done on a machine since.
  private var settled: Set<String> = []
  /// Those of them that the server lost.
  private var lost: Set<String> = []
  /// How often each message was on each machine when it was last judged.
  private var counts: [String: [String: Int]] = [:]

  /// Steps that make of a file a new one.
  private static let renewing: Set<String> = ["mutt", "copy", "edit", "new"]
  /// Steps after which it cannot be told what was synced.
  private static let unsettling: Set<String> = ["cpfolder", "putback", "rmfolder", "odd"]

  // MARK: Steps

  /// Has a step done, and looks at what it changes.
  func watch(_ words: [String], _ world: World, _ step: () throws -> Bool) throws -> Bool {
    let there = Self.tokens(world)
    let here = world.machines.map { ($0, Self.pieces($0)) }
    let isDone = try step()
    lost.formUnion(there.subtracting(Self.tokens(world)).intersection(settled))
    guard let machine = world.machine(words[0]) else { return isDone }
    for (other, before) in here where other === machine {
      let after = Self.pieces(machine)
      held[machine.name, default: []].subtract(before.subtracting(after))
      held[machine.name, default: []].formUnion(after)
    }
    note(words)
    return isDone
  }

  private func note(_ words: [String]) {
    if Self.unsettling.contains(words[1]) {
      settled = []
      lost = []
    } else if words.count > 2, words[1] != "flag" {
      settled.remove(words[2])
      if Self.renewing.contains(words[1]) { lost.remove(words[2]) }
    }
  }

  // MARK: Judgement

  /// Judges after each run, also one that was killed.
  func check(_ world: World, _ machine: Machine, _ end: RunEnd) throws {
    let now = Self.pieces(machine)
    for piece in held[machine.name] ?? [] where !now.contains(piece) {
      let text = "\(machine.name) has r\(piece.revision) no more\n\(end)"
      throw Failure(.lost, piece.token, text)
    }
    held[machine.name, default: []].formUnion(now)
    if let token = lost.intersection(Self.tokens(world)).min() {
      throw Failure(.double, token, "\(machine.name) sent it up again\n\(end)")
    }
  }

  /// Judges when the runs change nothing any more.
  func judge(_ sides: Sides, _ world: World) throws {
    let model = world.model
    let there = sides.entries[Model.server] ?? []
    for machine in model.sides where machine != Model.server {
      let here = sides.entries[machine] ?? []
      let last = world.machine(machine)?.last
      let waiting = last?.status == 0 ? [] : last?.waiting ?? []
      // What waits for a folder that is away is said in each run.
      let settled = there.filter { !waiting.contains("\($0.box) \($0.identifier)") }
      try compare(settled, here, machine, model)
      try judgeDoubles(here, machine, world)
      counts[machine] = Self.counts(here)
    }
    let common = model.sides.map { Set((sides.entries[$0] ?? []).compactMap(\.token)) }
    settled = common.dropFirst().reduce(common[0]) { $0.intersection($1) }
    // A version that was written elsewhere is there beside the one that it replaced.
    settled.subtract(model.tokens.values.filter { $0.revision > 1 }.map(\.name))
    lost.subtract(settled)
  }

  /// What the server has is in its place here.
  private func compare(
    _ there: [Entry],
    _ here: [Entry],
    _ machine: String,
    _ model: Model
  ) throws {
    let places = Set(here.map { "\($0.box)/\($0.token ?? "?")" })
    let isAside = { (entry: Entry) in
      model.sideOnly[entry.box] != nil || model.odd.contains(entry.box)
    }
    // A file that was moved to a folder which is left alone stays there.
    let moved = Set(here.filter(isAside).compactMap(\.token))
    for entry in there {
      guard !isAside(entry), !moved.contains(entry.token ?? ""),
        !places.contains("\(entry.box)/\(entry.token ?? "?")")
      else { continue }
      throw Failure(.disagree, entry.token, "\(entry) is not on \(machine)")
    }
  }

  /// What the server moved is not here twice, but where it removed the mailbox too: its folder stays with all its files.
  private func judgeDoubles(_ here: [Entry], _ machine: String, _ world: World) throws {
    let (model, boxes) = (world.model, Set(world.mailboxes))
    guard let before = counts[machine], !model.wasCut, !model.isAmbiguous, !model.diskWasFull,
      model.renames.isEmpty
    else { return }
    for (token, count) in Self.counts(here) {
      guard let known = model.tokens[token], let old = before[token], count > old,
        known.instances.count == 1, let instance = known.instances.first,
        let base = instance.base, boxes.contains(base),
        instance.events.allSatisfy({ Self.isPlain($0) }),
        !instance.events.contains(where: { $0.to.map { model.sideOnly[$0] != nil } ?? false })
      else { continue }
      throw Failure(.double, token, "\(count) files on \(machine), was \(old): \(instance.events)")
    }
  }

  private static func isPlain(_ event: Event) -> Bool {
    event.side == Model.server && !event.isInRun
      && [.move, .flag, .keyword, .expunge].contains(event.kind)
  }

  private static func counts(_ entries: [Entry]) -> [String: Int] {
    entries.reduce(into: [:]) { counts, entry in
      if let token = entry.token { counts[token, default: 0] += 1 }
    }
  }

  // MARK: What is there

  private static func pieces(_ machine: Machine) -> Set<Piece> {
    let files = machine.folders.files(machine.folders.names)
    return Set(
      files.compactMap { file in
        file.read().flatMap(JudgeMessage.identify).map {
          Piece(token: $0.token, revision: $0.revision)
        }
      }
    )
  }

  private static func tokens(_ world: World) -> Set<String> {
    Set(
      world.mailboxes.flatMap { box in
        world.messages(box).compactMap { JudgeMessage.identify($0.message.octets)?.token }
      }
    )
  }
}
