internal import MailModel
internal import MailStore
internal import SyncPlan

/// Folders on their way, and those that stay.
struct FolderJourney {
  /// A folder on its way to its mailbox's name.
  struct Folder {
    let step: FolderStep
    let entry: KnownMailbox
    let name: MailboxName
    let source: [UInt8]?
    let target: [UInt8]

    /// Whether it goes back to where it was before an interrupted run.
    var isReturning: Bool {
      guard let source else { return false }
      return name == entry.name && target == entry.directory && FolderHalt.isOne(source)
    }

    /// Whether it only gets another name here, as the configuration says; its mailbox keeps its own.
    var isByName: Bool {
      guard let source, name == entry.name, source != target else { return false }
      return source == entry.directory || FolderHalt.isOne(source)
    }
  }

  var waiting: [Folder] = []
  /// Those that an interrupted run put out of the way.
  var returning: [Folder] = []
  /// Those of which no step says anything.
  var staying: Set<UInt64>
  var places: FolderPositions
  /// Where folders are to be in the end.
  var goals: [UInt64: [UInt8]] = [:]

  init(_ steps: [FolderStep], _ context: FolderContext, _ known: [KnownMailbox]) {
    places = FolderPositions(context, known)
    staying = Set(known.map(\.id))
    for step in steps {
      guard let id = step.mailbox else { continue }
      staying.remove(id)
      add(step)
    }
    goals = places.places.filter { id, _ in !waiting.contains { $0.entry.id == id } }
    for folder in returning { goals[folder.entry.id] = nil }
  }

  private mutating func add(_ step: FolderStep) {
    switch step {
    case .renameHere(let entry, let name, let source, let target):
      let folder = Folder(step: step, entry: entry, name: name, source: source, target: target)
      if folder.isReturning { returning.append(folder) } else { waiting.append(folder) }
      places.found(entry.id, in: source)
    case .renameThere(let entry, let directory, _), .keepThere(let entry, let directory),
      .keepHere(let entry, let directory), .detach(let entry, let directory),
      .removeHere(let entry, let directory):
      places.found(entry.id, in: directory)
    case .clearMarker, .forget, .removeThere, .makeThere, .detachUnrecorded, .leave, .refuse:
      break
    }
  }

  /// Takes out the next folder that finds its place free; nil where each waits for another.
  mutating func takeNext() -> Folder? {
    let next = waiting.firstIndex { folder in
      !waiting.contains { places.isAnother($0.entry, than: folder.entry, in: folder.target) }
    }
    return next.map { waiting.remove(at: $0) }
  }
}

extension FolderStep {
  /// The mailbox on record that the step is about.
  fileprivate var mailbox: UInt64? {
    switch self {
    case .renameHere(let entry, _, _, _), .renameThere(let entry, _, _), .keepThere(let entry, _),
      .keepHere(let entry, _), .detach(let entry, _), .removeHere(let entry, _),
      .forget(let entry), .removeThere(let entry):
      entry.id
    case .clearMarker, .makeThere, .detachUnrecorded, .leave, .refuse: nil
    }
  }
}
