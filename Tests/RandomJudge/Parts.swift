import MIME
import MemoryStore

/// What the judge knows of accounts with a size limit, which is switched on and off between runs: no partial file ever reaches
/// the server, and nothing that was done to one takes the attachments of its message.
final class Parts {
  /// The kind of messages that are large.
  static let kind = "parts"
  /// The kind of those without a Message-ID.
  static let namelessKind = "nomidparts"
  /// Both of them.
  static let kinds = [kind, namelessKind]

  /// Messages that only a step which may do so has to take from the server, unless a machine has all of one.
  private var held: Set<String> = []
  /// Steps that may do so, whatever they take.
  private static let taking: Set<String> = ["mark", "expunge"]
  /// Steps on a machine that take a file, which counts if it is whole.
  private static let removing: Set<String> = ["remove", "edit"]

  /// Messages of which a machine had partial files when it lost what tells that they are such.
  private var unsealed: Set<String> = []
  /// Messages that were written anew on a machine, where nothing may replace what was written.
  private var edited: Set<String> = []

  /// Partial files that were there after runs: without any, nothing was judged.
  private(set) var seen = 0

  // MARK: Steps

  /// Has a step done, and looks at what it changes.
  func watch(_ words: [String], _ world: World, _ step: () throws -> Bool) throws -> Bool {
    let there = Self.tokens(world)
    let isWhole = world.machine(words[0]).map { Self.isWhole(words, $0) } ?? false
    // An accident, after which a run is judged before the step ends.
    if words.count > 3, words[1] == "guard" { prepare(words[2], words[3], world.machine(words[0])) }
    if Array(words.dropFirst().prefix(2)) == ["lose", "all"], let machine = world.machine(words[0])
    {
      unsealed.formUnion(Self.partialFiles(machine).compactMap { JudgeMessage.identify($0)?.token })
    }
    guard try step() else { return false }
    held.subtract(there.subtracting(Self.tokens(world)))
    guard words.count > 2 else { return true }
    if words[1] == "edit" { edited.insert(words[2]) }
    if words[0] == Model.server, words[1] == "append", Self.kinds.contains(words.last ?? "") {
      held.insert(words[2])
    } else if Self.taking.contains(words[1]) || Self.removing.contains(words[1]) && isWhole {
      held.remove(words[2])
    }
    return true
  }

  /// An accident on the server takes what it takes; one on a machine may take what is whole there.
  private func prepare(_ box: String, _ side: String, _ machine: Machine?) {
    guard side != "there", let machine else {
      held = []
      return
    }
    let contents = machine.folders.files([box]).compactMap { $0.read() }
    let whole = contents.filter { PartialDetector.marks(in: $0).isEmpty }
    held.subtract(whole.compactMap { JudgeMessage.identify($0)?.token })
  }

  private static func isWhole(_ words: [String], _ machine: Machine) -> Bool {
    guard removing.contains(words[1]), words.count > 3,
      let file = machine.folders.files(words[2], words[3]).first, let octets = file.read()
    else { return false }
    return PartialDetector.marks(in: octets).isEmpty
  }

  // MARK: Judgement

  /// Judges after each run, also one that was killed.
  func check(_ world: World, _ machine: Machine, _ end: RunEnd) throws {
    for box in world.mailboxes {
      for (uid, message) in world.messages(box)
      where !PartialDetector.marks(in: message.octets).isEmpty {
        let token = JudgeMessage.identify(message.octets)?.token
        guard token.map({ !unsealed.contains($0) }) ?? true else { continue }
        throw Failure(.lost, token, "\(box) \(uid) on the server is a partial file\n\(end)")
      }
    }
    seen += Self.partialFiles(machine).count
    let there = Self.tokens(world)
    for token in held.subtracting(there).sorted() where !Self.isHere(token, world) {
      throw Failure(.lost, token, "its attachments are nowhere\n\(end)")
    }
  }

  /// Judges when runs change nothing any more: what the server has is whole in its place where there is no limit.
  func judge(_ world: World) throws {
    for machine in world.machines where !machine.isLimited {
      for box in world.mailboxes where machine.folders.isFolder(box) {
        for (_, message) in world.messages(box) {
          guard let token = JudgeMessage.identify(message.octets)?.token,
            !edited.contains(token), !unsealed.contains(token)
          else { continue }
          let wanted = Self.own(message.octets)
          let files = machine.folders.files(token, box)
          // What is removed here, except for a copy without attachments, stays on the server: that copy cannot take its place there,
          // which is said.
          if files.isEmpty, Self.hasPartialFile(token, machine) { continue }
          // What is removed from Trash here stays on the server where it has the only whole copy.
          guard box != "Trash", !files.contains(where: { $0.read().map(Self.own) == wanted }) else {
            continue
          }
          // Nor is it known on a server that changes copies what became of one in Trash, which is said.
          if files.isEmpty, world.model.changesMessages, machine.last.status != 0 { continue }
          let what = files.map { $0.read().map { PartialDetector.marks(in: $0) } }
          throw Failure(.disagree, token, "\(box) on \(machine.name) has no whole file: \(what)")
        }
      }
    }
  }

  private static func hasPartialFile(_ token: String, _ machine: Machine) -> Bool {
    machine.folders.names.contains { box in
      machine.folders.files(token, box).contains { file in
        file.read().map { !PartialDetector.marks(in: $0).isEmpty } ?? false
      }
    }
  }

  // MARK: What is there

  /// A message as a file has it, without what a server added.
  private static func own(_ octets: [UInt8]) -> [UInt8] {
    JudgeMessage.stored(Entry.withoutServerFields(octets))
  }

  /// The messages of which the server has all.
  private static func tokens(_ world: World) -> Set<String> {
    Set(
      world.mailboxes.flatMap { box in
        world.messages(box).map(\.message.octets)
          .filter { PartialDetector.marks(in: $0).isEmpty }
          .compactMap { JudgeMessage.identify($0)?.token }
      }
    )
  }

  /// The contents of the partial files on a machine.
  private static func partialFiles(_ machine: Machine) -> [[UInt8]] {
    machine.folders.files(machine.folders.names).compactMap { $0.read() }
      .filter { !PartialDetector.marks(in: $0).isEmpty }
  }

  /// Whether a machine has all of the message.
  private static func isHere(_ token: String, _ world: World) -> Bool {
    let wanted = kinds.map { JudgeMessage.file(token, 1, $0) }
    return world.machines.contains { machine in
      machine.folders.files(machine.folders.names).contains { file in
        file.read().map(wanted.contains) ?? false
      }
    }
  }
}
