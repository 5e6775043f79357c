/// The side that a run must not change, as it was before: the server where the run only pulls, the files here where it only
/// pushes.
struct FixedSide {
  private let mailboxes: [String: Int]
  private let files: [String: Int]
  /// Folders may be renamed as mailboxes were.
  private let isByName: Bool
  private let way: RunOrder.Way

  /// Nil where a run may change either side, or other clients do so meanwhile.
  init?(_ world: World, _ machine: Machine, _ order: RunOrder) {
    guard order.way != .both, order.races.isEmpty else { return nil }
    way = order.way
    mailboxes = world.server.fingerprints
    isByName = !world.model.renames.isEmpty
    files = Self.files(machine, isByName)
  }

  /// Judges after the run.
  func check(_ world: World, _ machine: Machine, _ end: RunEnd) throws {
    switch way {
    case .both: return
    case .pull:
      let now = world.server.fingerprints
      guard now != mailboxes else { return }
      let changed = Set(now.keys).union(mailboxes.keys).filter { now[$0] != mailboxes[$0] }
      throw Failure(.disagree, nil, "a run that only pulls changed \(changed.sorted())\n\(end)")
    case .push:
      let now = Self.files(machine, isByName)
      guard now != files else { return }
      let changed = Set(now.keys).union(files.keys).filter { now[$0] != files[$0] }
      throw Failure(.disagree, nil, "a run that only pushes changed \(changed.sorted())\n\(end)")
    }
  }

  /// What each file holds.
  private static func files(_ machine: Machine, _ isByName: Bool) -> [String: Int] {
    machine.folders.files(machine.folders.names).reduce(into: [:]) { found, file in
      found[isByName ? file.name : file.path] = file.read().hashValue
    }
  }
}
