package import MailModel
internal import Octets

/// Decides what the mailboxes of an account are called here: a pure function of the configuration, of what is recorded and of
/// what the server lists.
package struct NamingRules: Sendable {
  /// What stands on disk of the names of earlier runs.
  package struct Recorded: Sendable {
    /// The names as the last run decided; nil where no run has recorded them.
    package var names: MailboxNames?
    /// The folders of the mailboxes on record, relative to the root.
    package var directories: [MailboxName: [UInt8]]
    /// The folders with ownership markers, where no mailbox but INBOX is on record.
    package var marked: [[UInt8]]
    /// The other folders, in the same case.
    package var unmarked: [[UInt8]]

    /// What is recorded; nothing by default.
    package init(
      names: MailboxNames? = nil,
      directories: [MailboxName: [UInt8]] = [:],
      marked: [[UInt8]] = [],
      unmarked: [[UInt8]] = []
    ) {
      self.names = names
      self.directories = directories
      self.marked = marked
      self.unmarked = unmarked
    }
  }

  /// Whether the prefix of the personal namespace is part of names; nil where the configuration does not say.
  private let style: NamespaceStyle?
  /// The folders that the configuration gives to mailboxes.
  private let folders: [[UInt8]: [UInt8]]
  private let naming: FolderNaming
  private let recorded: Recorded

  package init(
    style: NamespaceStyle?,
    folders: [[UInt8]: [UInt8]],
    naming: FolderNaming,
    recorded: Recorded = Recorded()
  ) {
    self.style = style
    self.folders = folders
    self.naming = naming
    self.recorded = recorded
  }

  /// Names that are the same on both sides, whatever the server says.
  package static let plain = NamingRules(
    style: .keep,
    folders: [:],
    naming: FolderNaming(layout: .verbatim, rootLength: 0)
  )

  /// The names, and those of the last run.
  ///
  /// - Parameters:
  ///   - mailboxes: what the server lists, by its own names.
  ///   - prefix: the prefix of the personal namespace as it stands on the wire; empty where there is none.
  ///   - others: the prefixes of other namespaces.
  /// - Returns: the names from now on, and the former ones.
  package func names(
    of mailboxes: [ServerMailbox],
    prefix: [UInt8],
    others: [[UInt8]]
  ) -> (now: MailboxNames, former: MailboxNames) {
    let delimiter = mailboxes.lazy.compactMap(\.delimiter).first
    let levels = Self.levels(prefix, delimiter)
    let listed = mailboxes.map(\.serverPath.joined)
    let otherStarts = others.compactMap { Self.start(Self.levels($0, delimiter)) }
    func make(_ style: NamespaceStyle, _ folders: [[UInt8]: [UInt8]]) -> MailboxNames {
      MailboxNames(
        prefix: levels,
        style: style,
        folders: folders,
        listed: listed,
        others: otherStarts
      )
    }
    let known = recorded.names.flatMap { $0.prefix == levels ? $0.style : nil }
    let found = known ?? (levels.isEmpty ? .keep : evidence(mailboxes, make(.hide, [:])))
    return (make(style ?? found, folders), make(found, recorded.names?.folders ?? [:]))
  }

  /// A prefix that does not end with the delimiter is no level above the mailboxes.
  private static func levels(_ prefix: [UInt8], _ delimiter: UInt8?) -> [[UInt8]] {
    guard let delimiter, prefix.count > 1, prefix.last == delimiter else { return [] }
    return MailboxPath(MailboxName(wire: prefix.dropLast()), delimiter: delimiter).components
  }

  private static func start(_ levels: [[UInt8]]) -> [UInt8]? {
    levels.isEmpty ? nil : levels.reduce(into: []) { $0 += $1 + [ASCII.slash] }
  }

  // MARK: Accounts of before

  /// The style that the folders of an account show: an account that was synced keeps its names, a new one hides the prefix.
  private func evidence(_ mailboxes: [ServerMailbox], _ hidden: MailboxNames) -> NamespaceStyle {
    let below = mailboxes.filter { hidden.path(of: $0.serverPath) != $0.serverPath }
    let paths = Dictionary(first: below.map { ($0.name, $0.serverPath) })
    let pairs = recorded.directories.compactMap { name, directory in
      paths[name].map { (path: $0, directory: directory) }
    }
    if !pairs.isEmpty {
      let isHidden = pairs.contains { path, directory in
        isSpelling(directory, of: hidden.path(of: path)) && !isSpelling(directory, of: path)
      }
      return isHidden ? .hide : .keep
    }
    let shown = [recorded.marked, recorded.unmarked].lazy.compactMap { folders in
      style(of: Set(folders), below.map { ($0.serverPath, hidden.path(of: $0.serverPath)) })
    }
    return shown.first ?? .hide
  }

  /// The style that folders show which no mailbox on record has; nil where they show none.
  private func style(
    of folders: Set<[UInt8]>,
    _ mailboxes: [(kept: MailboxPath, hidden: MailboxPath)]
  ) -> NamespaceStyle? {
    guard !folders.isEmpty else { return nil }
    let kept = mailboxes.count { has(folders, $0.kept, but: $0.hidden) }
    let hidden = mailboxes.count { has(folders, $0.hidden, but: $0.kept) }
    guard kept + hidden > 0 else { return nil }
    return kept >= hidden ? .keep : .hide
  }

  private func isSpelling(_ directory: [UInt8], of path: MailboxPath) -> Bool {
    DirectoryChoice.spellings(of: path, naming).contains(directory)
  }

  /// Whether a folder bears one name of a mailbox in any spelling, and not the other one.
  private func has(
    _ folders: Set<[UInt8]>,
    _ path: MailboxPath,
    but other: MailboxPath
  ) -> Bool {
    let others = Set(DirectoryChoice.spellings(of: other, naming))
    return DirectoryChoice.spellings(of: path, naming).contains {
      folders.contains($0) && !others.contains($0)
    }
  }
}
