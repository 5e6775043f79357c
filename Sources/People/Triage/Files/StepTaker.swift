internal import Configuration
internal import Glibc
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

/// Takes the steps of acts: renames files, as any client of a Maildir does.
///
/// A step that was taken before is recognised, and a step whose file is elsewhere now is left. So an interrupted act is
/// finished by taking all its steps again. Used by one thread at a time.
struct StepTaker {
  /// What became of a step.
  enum Outcome: Hashable, Sendable {
    /// It was taken, or had been before.
    case taken
    /// The file is no longer there.
    case left
    /// It could not be taken. EEXIST is of the Maildir that has another file of this name.
    case failed(SystemError)
  }

  /// What was changed, by the names of the accounts.
  private(set) var changes: [String: [MaildirChange]] = [:]

  private let folders: [String: AccountFolders]
  private var tags: [String: TagChanges]
  private var touched: (targets: Set<Path>, sources: Set<Path>) = ([], [])
  private var files = FolderFiles()
  /// The steps that are not to be taken, and why.
  private var withheld: [ActStep: SystemError] = [:]

  init(_ accounts: [Account]) {
    folders = Dictionary(first: accounts.map { ($0.name, AccountFolders($0)) })
    tags = Dictionary(first: accounts.map { ($0.name, TagChanges($0)) })
  }

  /// Copies tags to where files are to go; a step whose tags cannot follow fails then, and its file stays.
  mutating func prepare(_ steps: [ActStep]) {
    for (name, tags) in tags {
      for (step, error) in tags.copyAhead(steps.filter { $0.account == name }) {
        withheld[step] = error
      }
    }
  }

  /// Takes a step; not durable before ``flushChanges()``.
  ///
  /// `seen` is the file as it was seen last, nil where it is to be looked for.
  mutating func takeStep(_ step: ActStep, seen: ScannedFile?) -> Outcome {
    guard let tree = folders[step.account]?.tree else { return .left }
    if let error = withheld[step] { return .failed(error) }
    do throws(SystemError) {
      let isTaken =
        switch step.change {
        case .place(let from, let to): try place(step, from, to, seen, tree)
        case .copy(let from, let to, _), .export(let from, _, let to, _):
          try copy(step, from, to, seen, tree)
        case .removal(let place): try remove(step, place, seen, tree)
        case .tags(let place, let added, let removed):
          tags[step.account]?.change(step, in: place.folder, adding: added, removing: removed)
            ?? false
        }
      return isTaken ? .taken : .left
    } catch {
      return .failed(error)
    }
  }

  /// Makes all that was done durable: where a file went before where it came from.
  ///
  /// - Returns: the steps whose tags could not be written, and why.
  /// - Throws: that it is not known whether the renames are durable.
  mutating func flushChanges() throws(SystemError) -> [TagChanges.Failure] {
    for directory in touched.targets.sorted()
      + touched.sources.subtracting(touched.targets).sorted()
    {
      try FileSystem.synchroniseDirectory(directory)
    }
    touched = ([], [])
    var failed: [TagChanges.Failure] = []
    for name in tags.keys.sorted() {
      guard let settled = tags[name]?.writeChanges() else { continue }
      failed += settled.failed
      if !settled.marked.isEmpty { changes[name, default: []] += settled.marked }
    }
    return failed
  }

  // MARK: Steps

  private mutating func place(
    _ step: ActStep,
    _ from: FilePlace,
    _ to: FilePlace,
    _ seen: ScannedFile?,
    _ tree: FolderTree
  ) throws(SystemError) -> Bool {
    let (source, target) = (tree.path(of: from.folder), tree.path(of: to.folder))
    let change = (on: to.flags.subtracting(from.flags), off: from.flags.subtracting(to.flags))
    var known = seen
    // Another program may rename it at the same time: then it is looked for again.
    for _ in 0..<3 {
      if known == nil { known = try files.file(of: step.base, showing: from.flags, in: source) }
      guard let file = known else { break }
      known = nil
      let name = file.name.with(flags: file.name.flags.union(change.on).subtracting(change.off))
      let renamed = ScannedFile(name: name, subdirectory: .cur)
      let (old, new) = (file.path(in: source), renamed.path(in: target))
      if old == new { return true }
      do throws(SystemError) {
        try FileSystem.renameWithoutReplacing(old, to: new)
      } catch {
        if error.isNotFound {
          files.forget(source)
          // The target's directory may be what is missing.
          guard try FileSystem.status(Subdirectory.cur.path(in: target)) != nil else { throw error }
          continue
        }
        guard error.isAlreadyThere else { throw error }
        guard try Self.isOne(old, new) else {
          throw SystemError(operation: "rename", path: target, code: EEXIST)
        }
        try FileSystem.remove(old)
      }
      touched.sources.insert(old.parent)
      touched.targets.insert(new.parent)
      files.remove(file, in: source)
      files.add(renamed, in: target)
      carryTags(step, from, to)
      changes[step.account, default: []].append(
        .renamed(folder: from.folder, file, toFolder: to.folder, renamed)
      )
      return true
    }
    guard source != target, try files.file(of: step.base, showing: to.flags, in: target) != nil
    else { return false }
    // Anyone who moved the file may have been killed before its tags followed.
    carryTags(step, from, to)
    return true
  }

  /// Has the tags of a message go where its file is now; those that have gone before are not touched.
  private mutating func carryTags(_ step: ActStep, _ from: FilePlace, _ to: FilePlace) {
    guard from.folder != to.folder else { return }
    tags[step.account]?.carry(step, from: from.folder, to: to.folder)
  }

  /// A second name for the same octets where neither is for a draft: no program changes another message in its file.
  private mutating func copy(
    _ step: ActStep,
    _ from: FilePlace,
    _ to: FilePlace,
    _ seen: ScannedFile?,
    _ tree: FolderTree
  ) throws(SystemError) -> Bool {
    guard let other = folders[step.targetAccount] else { return false }
    let (source, target) = (tree.path(of: from.folder), other.tree.path(of: to.folder))
    let base = step.result
    if seen == nil, try files.file(of: base, showing: to.flags, in: target) != nil { return true }
    guard let file = try current(seen, step.base, from, in: source) else { return false }
    let copy = ScannedFile(
      name: FileName(base: base, flags: to.flags),
      subdirectory: .cur
    )
    let path = copy.path(in: target)
    let isDraft =
      file.name.flags.union(to.flags).contains(.draft) || other.mayHoldDrafts(to.folder)
      || folders[step.account]?.mayHoldDrafts(from.folder) ?? true
    do throws(SystemError) {
      if isDraft { throw SystemError(operation: "link", path: path, code: ENOTSUP) }
      try FileSystem.link(file.path(in: source), to: path)
    } catch {
      if error.isAlreadyThere { return true }
      guard [EXDEV, EPERM, EMLINK, ENOTSUP].contains(error.code) else { throw error }
      guard try CopiedFile(file.path(in: source)).write(as: copy, to: target) else { return false }
    }
    touched.targets.insert(path.parent)
    files.add(copy, in: target)
    changes[step.targetAccount, default: []].append(.added(folder: to.folder, copy))
    return true
  }

  private mutating func remove(
    _ step: ActStep,
    _ place: FilePlace,
    _ seen: ScannedFile?,
    _ tree: FolderTree
  ) throws(SystemError) -> Bool {
    let maildir = tree.path(of: place.folder)
    guard let file = try current(seen, step.base, place, in: maildir) else {
      return try !files.hasAny(of: step.base, in: maildir)
    }
    do throws(SystemError) {
      try FileSystem.remove(file.path(in: maildir))
    } catch {
      guard error.isNotFound else { throw error }
      return true
    }
    touched.sources.insert(file.subdirectory.path(in: maildir))
    files.remove(file, in: maildir)
    changes[step.account, default: []].append(.removed(folder: place.folder, file))
    return true
  }

  /// Whether two names are those of one file: a power cut may leave a file that was moved with both.
  private static func isOne(_ one: Path, _ other: Path) throws(SystemError) -> Bool {
    guard let left = try FileSystem.status(one)?.fingerprint,
      let right = try FileSystem.status(other)?.fingerprint
    else { return false }
    return left.inode == right.inode && left.device == right.device
  }

  // MARK: Finding

  /// The file under the name it had, else under another one with the same base.
  private mutating func current(
    _ seen: ScannedFile?,
    _ base: [UInt8],
    _ place: FilePlace,
    in maildir: Path
  ) throws(SystemError) -> ScannedFile? {
    if let seen, try FileSystem.status(seen.path(in: maildir)) != nil { return seen }
    return try files.file(of: base, showing: place.flags, in: maildir)
  }
}
