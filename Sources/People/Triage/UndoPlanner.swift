internal import Configuration
internal import Maildir
internal import Platform

/// How an act is taken back.
package struct UndoPlan: Sendable {
  /// The copies that go here, and that their servers have by now.
  package struct Remnants: Hashable, Sendable {
    /// How many the next sync moves to Trash there.
    package internal(set) var inTrash = 0
    /// How many stay there, since removals are not passed on.
    package internal(set) var onServer = 0
  }

  package let act: RecordedAct
  /// What is to be done.
  package internal(set) var plan = PlannedAct()
  /// The steps whose files were changed since, which are left as they are.
  package internal(set) var changed: [ActStep] = []
  /// The steps that nothing takes back.
  package internal(set) var lasting: [ActStep] = []
  /// What servers have of it that does not go as if it had not been made.
  package internal(set) var remnants = Remnants()

  init(_ act: RecordedAct) {
    self.act = act
  }
}

/// Makes the steps that take an act back: only those of files that still show what it did.
///
/// A file under another name is another one, whatever its Message-ID: there may be several messages of one.
struct UndoPlanner {
  private let accounts: [Account]
  private var files = FolderFiles()
  /// The tags of folders, each read when it is first asked for.
  private var tags: [Path: FolderTags] = [:]
  /// The files that are put back, by account and base name.
  private var restored: Set<[[UInt8]]> = []
  /// The folders in which files lie that steps before will have put into others, by account, base name and such a folder.
  private var origins: [[[UInt8]]: [UInt8]] = [:]

  init(_ accounts: [Account]) {
    self.accounts = accounts
  }

  /// How an act is taken back; `undone` is the act that it took back itself.
  mutating func plan(
    _ act: RecordedAct,
    undone: RecordedAct? = nil
  ) throws(SystemError) -> UndoPlan {
    var undo = UndoPlan(act)
    var chains = StepChains([act, undone].compactMap { $0?.act })
    var numbers: [StepChains.File: Int] = [:]
    // The last step first, as one file may have taken several.
    for step in act.standing.reversed()
    where !step.isMarkOnly && !step.marksReport(by: act.act.origin) {
      if step.inverse == nil || chains.isStopped(at: step) {
        // An original does not go where the copy does not come back.
        chains.stop(at: step)
        undo.lasting.append(step)
      } else if var inverse = try inverse(of: step) {
        let file = chains.file(of: step)
        inverse.message = numbers[file] ?? numbers.count
        numbers[file] = inverse.message
        undo.plan.steps.append(inverse)
      } else {
        undo.changed.append(step)
      }
    }
    return undo
  }

  /// What takes a step back; nil where the file shows something else by now, or nothing does.
  mutating func inverse(of step: ActStep) throws(SystemError) -> PlannedAct.Step? {
    guard let inverse = step.inverse, let (base, file) = try standing(step) else { return nil }
    if case .place(let from, let to) = step.change {
      restored.insert(Self.name(of: step))
      origins[Self.name(of: step) + [from.folder]] = to.folder
    }
    let found = ActStep(account: inverse.account, id: step.id, base: base, inverse.change)
    return PlannedAct.Step(step: found, seen: file)
  }

  /// The account and the base name of the file of a step.
  private static func name(of step: ActStep) -> [[UInt8]] {
    [[UInt8](step.account.utf8), step.base]
  }

  /// The file as the step left it; nil where it shows something else.
  private mutating func standing(
    _ step: ActStep
  ) throws(SystemError) -> (base: [UInt8], file: ScannedFile)? {
    guard let account = accounts.first(where: { $0.name == step.account }) else { return nil }
    let tree = FolderTree(root: account.maildir, layout: account.layout)
    switch step.change {
    case .place(let from, let to):
      guard let file = try file(of: step.base, to, tree) else { return nil }
      let change = (on: to.flags.subtracting(from.flags), off: from.flags.subtracting(to.flags))
      let flags = file.name.flags
      guard flags.isSuperset(of: change.on), flags.isDisjoint(with: change.off) else { return nil }
      return (file.name.base, file)
    case .copy(let from, let to, let base):
      // The copy may be all that is left of the message.
      guard try file(of: step.base, from, tree) != nil else { return nil }
      return try file(of: base, to, tree).map { (base, $0) }
    case .export(let from, let other, let to, let base):
      guard let account = accounts.first(where: { $0.name == other }) else { return nil }
      let isThere = try file(of: step.base, from, tree) != nil
      guard isThere || restored.contains(Self.name(of: step)) else { return nil }
      let there = FolderTree(root: account.maildir, layout: account.layout)
      return try file(of: base, to, there).map { (base, $0) }
    case .tags(let place, let added, let removed):
      let folder = origins[Self.name(of: step) + [place.folder]] ?? place.folder
      let maildir = tree.path(of: folder)
      guard let file = try files.file(of: step.base, showing: place.flags, in: maildir)
      else { return nil }
      let known = tags[maildir] ?? FolderTags(of: maildir)
      self.tags[maildir] = known
      let tags = known[base: file.name.base]
      let own = added.filter { !RuleMark.isOne($0) }
      guard own.allSatisfy(tags.contains), !removed.contains(where: tags.contains) else {
        return nil
      }
      return (file.name.base, file)
    case .removal: return nil
    }
  }

  /// The file that a step left in a place: of several with its base name the one of just that name.
  private mutating func file(
    of base: [UInt8],
    _ place: FilePlace,
    _ tree: FolderTree
  ) throws(SystemError) -> ScannedFile? {
    try files.file(of: base, showing: place.flags, in: tree.path(of: place.folder))
  }
}
