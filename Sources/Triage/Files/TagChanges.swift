internal import Configuration
internal import Maildir
internal import Platform

/// Changes of the tags of an account's messages, gathered and written by one replacement of each folder's file.
struct TagChanges {
  private enum Change {
    case tags(adding: [[UInt8]], removing: [[UInt8]])
    case carried(from: [UInt8])
  }

  private let account: Account
  private let tree: FolderTree
  private var changes: [(folder: [UInt8], base: [UInt8], Change)] = []

  init(_ account: Account) {
    self.account = account
    tree = FolderTree(root: account.maildir, layout: account.layout)
  }

  /// Has a message get and lose tags; always true: whether a file is there makes no difference.
  mutating func change(
    _ base: [UInt8],
    in folder: [UInt8],
    adding: [[UInt8]],
    removing: [[UInt8]]
  ) -> Bool {
    changes.append((folder, base, .tags(adding: adding, removing: removing)))
    return true
  }

  /// Has the tags of a message go with its file from a folder to another one.
  mutating func carry(_ base: [UInt8], from source: [UInt8], to target: [UInt8]) {
    changes.append((target, base, .carried(from: source)))
  }

  /// Writes what was gathered; durable on return.
  ///
  /// - Returns: whose tags may be others now.
  mutating func settle() throws(SystemError) -> [MaildirChange] {
    guard !changes.isEmpty else { return [] }
    defer { changes = [] }
    let isMoveOnly = changes.allSatisfy { if case .carried = $0.2 { true } else { false } }
    if isMoveOnly, !Set(changes.compactMap { source($0.2) }).contains(where: hasTags) { return [] }
    let changes = changes
    return try TagLock.with(account.stateDirectory) { () throws(SystemError) in
      try write(changes)
    }
  }

  private func source(_ change: Change) -> [UInt8]? {
    if case .carried(let source) = change { source } else { nil }
  }

  private func hasTags(_ folder: [UInt8]) -> Bool {
    let maildir = tree.path(of: folder)
    return [TagFile.path(in: maildir), KeywordFile.path(in: maildir)].contains {
      (try? FileSystem.status($0)).flatMap { $0 } != nil
    }
  }

  private func write(
    _ changes: [(folder: [UInt8], base: [UInt8], Change)]
  ) throws(SystemError) -> [MaildirChange] {
    var folders: [[UInt8]: FolderTags] = [:]
    for folder in Set(changes.map(\.folder) + changes.compactMap { source($0.2) }) {
      let maildir = tree.path(of: folder)
      // What cannot be read must not be replaced by nothing.
      folders[folder] = FolderTags(
        agreed: try KeywordFile.of(maildir),
        changed: try TagFile.of(maildir)
      )
    }
    let before = folders
    var marked: [MaildirChange] = []
    for (folder, base, change) in changes {
      switch change {
      case .tags(let added, let removed):
        let agreed = folders[folder]?.agreed[base: base] ?? []
        folders[folder]?.changed[base: base].change(
          adding: added,
          removing: removed,
          beside: agreed,
          isOwn: account.server == nil
        )
        marked.append(.marked(folder: folder, base: base))
      case .carried(let source):
        guard let old = folders[source] else { continue }
        guard !old.agreed[base: base].isEmpty || !old.changed[base: base].isEmpty else { continue }
        folders[folder]?.changed[base: base] = old.changed[base: base]
        folders[folder]?.agreed.set(old.agreed[base: base], of: base)
        folders[source]?.changed[base: base] = TagFile.Tags()
        folders[source]?.agreed.set([], of: base)
        marked.append(.marked(folder: folder, base: base))
      }
    }
    // Where tags go before where they come from: a crash may leave them in both.
    let targets = Set(changes.map(\.folder))
    for folder in folders.keys.sorted(by: { targets.contains($0) && !targets.contains($1) }) {
      guard let now = folders[folder], now != before[folder] else { continue }
      let maildir = tree.path(of: folder)
      if now.changed != before[folder]?.changed { try now.changed.write(in: maildir) }
      if now.agreed != before[folder]?.agreed { _ = try now.agreed.write(in: maildir) }
    }
    return marked
  }
}

extension Account {
  /// The directory of the account's own files.
  var stateDirectory: Path { StateDirectory.path(root: maildir, layout: layout) }
}
