import MailModel
import SyncPlan
import TestSupport
import Testing

@Suite("Mailboxes and folders as a whole")
struct FolderPlanTests {
  @Test("plans", arguments: try Fixtures.load("Fixtures/folders.txt"))
  func plan(_ fixture: Fixture) throws {
    let scene = Scene(fixture)
    let search = RenameSearch(scene.mailboxes, known: scene.known)
    let asked = search.questions.map { "\($0.id) \($0.name)" }.sorted()
    #expect(asked == fixture.lines("ask"))
    let renamed = search.matches(scene.evidence) { pair in
      scene.folders.contains { $0.owner == pair.id && $0.directory == pair.name.decoded }
    }
    let plan = FolderPlan(
      scene.mailboxes,
      known: scene.known,
      folders: scene.folders,
      renamed: renamed,
      rules: scene.rules
    )
    let inOrder = plan.steps.map(Self.words)
    let isOrdered = fixture.name.contains("chain") || fixture.name.contains("rotation")
    #expect(
      (isOrdered ? inOrder : inOrder.sorted())
        == (isOrdered ? fixture.lines("steps") : fixture.lines("steps").sorted())
    )
    #expect(plan.left.map(Self.text).sorted() == fixture.lines("left").sorted())
  }

  private static func words(_ step: FolderStep) -> String {
    switch step {
    case .clearMarker(let directory): "clear \(text(directory))"
    case .renameHere(let entry, let name, let source, let directory):
      "rename here \(entry.name) -> \(name) from \(source.map(text) ?? "nowhere") to \(text(directory))"
    case .renameThere(let entry, let directory, let path):
      "rename there \(entry.name) -> \(text(directory)) as \(text(path))"
    case .forget(let entry): "forget \(entry.name)"
    case .removeHere(_, let directory): "remove here \(text(directory))"
    case .removeThere(let entry): "remove there \(entry.name)"
    case .makeThere(let directory, let path): "make there \(text(directory)) as \(text(path))"
    case .detach(let entry, let directory): "detach \(entry.name) at \(text(directory))"
    case .detachUnrecorded(let owner, let directory): "detach \(owner) at \(text(directory))"
    case .keepHere(let entry, let directory): "keep here \(entry.name) at \(text(directory))"
    case .keepThere(let entry, let directory): "keep there \(entry.name) at \(text(directory))"
    case .leave(let directory): "leave \(text(directory))"
    case .refuse(let directory, let obstacle): "refuse \(text(directory)): \(obstacle)"
    }
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static func text(_ path: [[UInt8]]) -> String { path.map(text).joined(separator: "/") }

  /// What a block of the fixture says of both sides.
  private struct Scene {
    var mailboxes: [ServerMailbox] = []
    var known: [KnownMailbox] = []
    var folders: [FoundFolder] = []
    var evidence: [RenameSearch.Pair: RenameSearch.Evidence] = [:]
    var rules: FolderPlan.Rules

    init(_ fixture: Fixture) {
      var creates = FolderSide.both
      var removes = FolderSide.none
      var only: String?
      var left: Set<[UInt8]> = []
      for line in fixture.lines("rules") {
        let parts = line.split(separator: "=").map { "\($0)" }
        if parts[0] == "create" { creates = FolderSide(rawValue: parts[1]) ?? .both }
        if parts[0] == "remove" { removes = FolderSide(rawValue: parts[1]) ?? .none }
        if parts[0] == "only" { only = parts[1] }
        if parts[0] == "left" { left.insert(Array(parts[1].utf8)) }
      }
      rules = FolderPlan.Rules(
        sides: { [creates, removes] _ in
          FolderPlan.Sides(
            creates: creates,
            removes: removes,
            keepsFolders: fixture.lines("rules").contains("keep")
          )
        },
        naming: FolderNaming(layout: .verbatim, rootLength: 5),
        names: (Self.names(fixture.lines("names")), Self.names(fixture.lines("names before"))),
        left: left,
        hasForgotten: fixture.lines("rules").contains("forgotten"),
        isWriting: !fixture.lines("rules").contains("pull"),
        isWanted: { [only] name in only.map { Array($0.utf8) == name } ?? true }
      )
      for line in fixture.lines("server") { takeListed(line.split(separator: " ")) }
      for line in fixture.lines("known") { takeKnown(line.split(separator: " ")) }
      for line in fixture.lines("folders") { takeFolder(line.split(separator: " ")) }
      for line in fixture.lines("messages") { takeEvidence(line.split(separator: " ")) }
      folders.sort { $0.directory.lexicographicallyPrecedes($1.directory) }
    }

    /// `prefix` and `keep` or `hide`, then mailboxes and their folders.
    private static func names(_ lines: [String]) -> MailboxNames {
      let words = lines.map { $0.split(separator: " ").map { Array($0.utf8) } }
      guard let first = words.first else { return .plain }
      return MailboxNames(
        prefix: first[0].elementsEqual("-".utf8) ? [] : [first[0]],
        style: first[1].elementsEqual("hide".utf8) ? .hide : .keep,
        folders: Dictionary(words.dropFirst().map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
      )
    }

    /// Nil for 0, which stands for what is not known.
    private static func number(_ word: Substring) -> UInt32? {
      UInt32(word).flatMap { $0 == 0 ? nil : $0 }
    }

    private mutating func takeListed(_ words: [Substring]) {
      let name = MailboxName(wire: Array(words[0].utf8))
      let serverID = words.count > 4 ? Array(words[4].utf8) : []
      let status =
        words.count > 3
        ? ServerMailbox.Status(
          identity: MailboxIdentity(validity: Self.number(words[1]), serverID: serverID),
          uidNext: UInt32(words[2]),
          messages: UInt32(words[3])
        ) : nil
      mailboxes.append(
        ServerMailbox(
          name: name,
          delimiter: UInt8(ascii: "/"),
          status: status
        ).named(by: rules.names.now)
      )
    }

    private mutating func takeKnown(_ words: [Substring]) {
      let serverID = words.count > 6 ? Array(words[6].utf8) : []
      known.append(
        KnownMailbox(
          id: UInt64(words[0]) ?? 0,
          name: MailboxName(wire: Array(words[1].utf8)),
          directory: Array(words[words.count > 5 ? 5 : 1].utf8),
          identity: MailboxIdentity(validity: Self.number(words[2]), serverID: serverID),
          uidNext: UInt32(words[3]) ?? 0,
          messages: Int(words[4]) ?? 0
        )
      )
    }

    private mutating func takeFolder(_ words: [Substring]) {
      var folder = FoundFolder(directory: Array(words[0].utf8))
      if words.count > 1 {
        folder.owner = UInt64(words[1])
        folder.isCopy = words[1] == "copy"
        folder.wasSynced = words[1] == "synced"
        folder.isDetached = words[1] == "detached"
        folder.holdsOwn = words.last == "own"
      }
      folders.append(folder)
    }

    private mutating func takeEvidence(_ words: [Substring]) {
      let pair = RenameSearch.Pair(
        id: UInt64(words[0]) ?? 0,
        name: MailboxName(wire: Array(words[1].utf8))
      )
      evidence[pair] =
        switch words[2] {
        case "same": .same(isMost: true)
        case "some": .same(isMost: false)
        case "other": .other
        default: RenameSearch.Evidence.none
        }
    }
  }

  // MARK: Copies

  @Test("of two folders with one mark one is the original")
  func original() {
    let entry = KnownMailbox(
      id: 7,
      name: MailboxName(wire: [65]),
      directory: Array("Work".utf8),
      identity: MailboxIdentity(validity: 1, serverID: []),
      uidNext: 0,
      messages: 1,
      cur: FileIdentity(device: 1, inode: 2)
    )
    var unseen = entry
    unseen.cur = nil
    // Directories with the inode of cur and the age of the mark.
    let traits: [String: (UInt64, Int64)] = [
      "Work": (9, 30), "A": (3, 20), "B": (2, 10), "C": (8, 5),
    ]
    for (known, folders, wanted) in [
      ([entry], "Work B", "Work"), ([entry], "A B C", "B"), ([entry], "A C", "C"),
      ([unseen], "A B", "B"), ([], "A B", "B"), ([], "A Work", "A"),
    ] as [([KnownMailbox], String, String)] {
      let found = folders.split(separator: " ").map {
        FoundFolder(directory: Array($0.utf8), owner: 7)
      }
      let resolved = FolderOwners(known).resolved(found) { directory in
        let (inode, age) = traits[Self.text(directory)] ?? (0, 0)
        return FoundFolder.Traits(cur: FileIdentity(device: 1, inode: inode), marked: age)
      }
      let owners = resolved.filter { $0.owner == 7 }.map { Self.text($0.directory) }
      #expect(owners == [wanted], "\(folders)")
      #expect(resolved.filter(\.isCopy).count == found.count - 1)
    }
  }
}
