internal import Configuration
internal import Glibc
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import SyncState

/// Changes of the tags of an account's messages, gathered and written by one replacement of each folder's file.
struct TagChanges {
  /// What was not done, and why.
  typealias Failure = (step: ActStep, error: SystemError)

  private enum Change {
    case tags(adding: [[UInt8]], removing: [[UInt8]])
    case carried(from: [UInt8])
  }

  private struct Entry {
    let step: ActStep
    let folder: [UInt8]
    let change: Change

    var base: [UInt8] { step.base }

    var source: [UInt8]? { if case .carried(let source) = change { source } else { nil } }
  }

  private let account: Account
  private let tree: FolderTree
  private var entries: [Entry] = []

  init(_ account: Account) {
    self.account = account
    tree = FolderTree(root: account.maildir, layout: account.layout)
  }

  /// Has the message of a step get and lose tags; always true: whether a file is there makes no difference.
  mutating func change(
    _ step: ActStep,
    in folder: [UInt8],
    adding: [[UInt8]],
    removing: [[UInt8]]
  ) -> Bool {
    let change = Change.tags(adding: adding, removing: removing)
    entries.append(Entry(step: step, folder: folder, change: change))
    return true
  }

  /// Has the tags of the message of a step go with its file from a folder to another one.
  mutating func carry(_ step: ActStep, from source: [UInt8], to target: [UInt8]) {
    entries.append(Entry(step: step, folder: target, change: .carried(from: source)))
  }

  /// Has messages have their tags in the folders too to which steps move their files, before these go; durable on return.
  ///
  /// - Returns: the steps that would leave tags behind, since they cannot be written.
  func copyAhead(_ steps: [ActStep]) -> [Failure] {
    let moves = steps.compactMap { (step) -> Entry? in
      guard case .place(let from, let to) = step.change, from.folder != to.folder
      else { return nil }
      return Entry(step: step, folder: to.folder, change: .carried(from: from.folder))
    }
    guard Set(moves.compactMap(\.source)).contains(where: hasTags) else { return [] }
    do throws(SystemError) {
      return try TagLock.with(account.stateDirectory) { () throws(SystemError) in
        let folders = try read(moves)
        let (taken, free) = try parted(moves, folders)
        _ = try write(free, folders, isCopy: true)
        return taken
      }
    } catch {
      return failures(of: moves, error, isCopy: true)
    }
  }

  /// The moves to where another file of the base name has tags of its own, which would be lost, and the others.
  private func parted(
    _ moves: [Entry],
    _ folders: [[UInt8]: FolderTags]
  ) throws(SystemError) -> (taken: [Failure], free: [Entry]) {
    var (taken, free): ([Failure], [Entry]) = ([], [])
    for move in moves {
      let maildir = tree.path(of: move.folder)
      let (old, new) = (move.source.flatMap { folders[$0] }, folders[move.folder])
      if let old, let new, new.has(move.base), new[base: move.base] != old[base: move.base],
        try MaildirScan.scan(maildir).files.contains(base: move.base)
      {
        let error = SystemError(operation: "rename", path: maildir, code: EEXIST)
        taken.append((move.step, error))
      } else {
        free.append(move)
      }
    }
    return (taken, free)
  }

  /// Writes what was gathered; durable on return.
  ///
  /// - Returns: whose tags may be others now, and the steps whose tags could not be written.
  mutating func writeChanges() -> (marked: [MaildirChange], failed: [Failure]) {
    defer { entries = [] }
    let entries = entries
    guard !entries.isEmpty else { return ([], []) }
    let isMoveOnly = entries.allSatisfy { $0.source != nil }
    if isMoveOnly, !Set(entries.compactMap(\.source)).contains(where: hasTags) { return ([], []) }
    do throws(SystemError) {
      let marked = try TagLock.with(account.stateDirectory) { () throws(SystemError) in
        try write(entries, try read(entries), isCopy: false)
      }
      return (marked, [])
    } catch {
      let marked = entries.map { MaildirChange.marked(folder: $0.folder, base: $0.base) }
      return (marked, failures(of: entries, error, isCopy: false))
    }
  }

  private func hasTags(_ folder: [UInt8]) -> Bool {
    let maildir = tree.path(of: folder)
    return [TagFile.path(in: maildir), KeywordFile.path(in: maildir)].contains {
      (try? FileSystem.status($0)).flatMap { $0 } != nil
    }
  }

  /// What cannot be read must not be replaced by nothing.
  private func read(_ folder: [UInt8]) throws(SystemError) -> FolderTags {
    let maildir = tree.path(of: folder)
    return FolderTags(agreed: try KeywordFile.of(maildir), changed: try TagFile.of(maildir))
  }

  private func read(_ entries: [Entry]) throws(SystemError) -> [[UInt8]: FolderTags] {
    var folders: [[UInt8]: FolderTags] = [:]
    for folder in Set(entries.map(\.folder) + entries.compactMap(\.source)) {
      folders[folder] = try read(folder)
    }
    return folders
  }

  /// Writes what entries mean to folders that have these tags; of a copy, carried tags stay where they come from, too.
  private func write(
    _ entries: [Entry],
    _ before: [[UInt8]: FolderTags],
    isCopy: Bool
  ) throws(SystemError) -> [MaildirChange] {
    var folders = before
    var marked: [MaildirChange] = []
    let isTold = Set(before.keys).filter {
      account.server != nil && account.settings(ofFolder: $0).direction != .pull
    }
    for entry in entries {
      let (folder, base) = (entry.folder, entry.base)
      switch entry.change {
      case .tags(let added, let removed):
        let agreed = folders[folder]?.agreed[base: base] ?? []
        folders[folder]?.changed[base: base].change(
          adding: added,
          removing: removed,
          beside: agreed,
          isOwn: account.server == nil,
          mayBeTold: isTold.contains(folder)
        )
      case .carried(let source):
        // One that lost its last tag in the same act takes them from the copy that went ahead, too.
        guard let old = folders[source], old.has(base) || before[source]?.has(base) ?? false
        else { continue }
        folders[folder]?.copyTags(base, from: old)
        if !isCopy { folders[source]?.drop(base) }
      }
      marked.append(.marked(folder: folder, base: base))
    }
    // Where tags go before where they come from: a crash may leave them in both.
    let targets = Set(entries.map(\.folder))
    for folder in folders.keys.sorted(by: { targets.contains($0) && !targets.contains($1) }) {
      guard let now = folders[folder], now != before[folder] else { continue }
      let maildir = tree.path(of: folder)
      if now.changed != before[folder]?.changed { try now.changed.write(in: maildir) }
      if now.agreed != before[folder]?.agreed { _ = try now.agreed.write(in: maildir) }
    }
    return marked
  }

  /// Whose tags are not what they should be after an error, by what the folders say.
  ///
  /// What was carried may have got other tags besides, unless it is only copied.
  private func failures(of entries: [Entry], _ error: SystemError, isCopy: Bool) -> [Failure] {
    guard let folders = try? read(entries) else { return entries.map { ($0.step, error) } }
    return entries.compactMap { entry in
      let target = folders[entry.folder]
      switch entry.change {
      case .tags(let added, let removed):
        let tags = target?[base: entry.base] ?? []
        let isDone =
          added.allSatisfy { tag in tags.contains { $0.equalsCaseless(tag) } }
          && !removed.contains { tag in tags.contains { $0.equalsCaseless(tag) } }
        return isDone ? nil : (entry.step, error)
      case .carried(let source):
        guard let target, let old = folders[source], old.has(entry.base) else { return nil }
        let isThere =
          isCopy
          ? target[base: entry.base] == old[base: entry.base] : target.has(entry.base)
        return isThere ? nil : (entry.step, error)
      }
    }
  }
}

extension FolderTags {
  fileprivate func has(_ base: [UInt8]) -> Bool {
    !agreed[base: base].isEmpty || !changed[base: base].isEmpty
  }

  fileprivate mutating func copyTags(_ base: [UInt8], from other: FolderTags) {
    changed[base: base] = other.changed[base: base]
    agreed.set(other.agreed[base: base], of: base)
  }

  fileprivate mutating func drop(_ base: [UInt8]) {
    changed[base: base] = TagFile.Tags()
    agreed.set([], of: base)
  }
}

extension Account {
  /// The directory of the account's own files.
  var stateDirectory: Path { StateDirectory.path(root: maildir, layout: layout) }
}
