package import MailModel
internal import Octets

/// Finds the Maildir of a mailbox that has none on record: the one another tool made under its spelling of the
/// name, else a new one.
///
///     mailbox Entwürfe/alt      ours: Entwürfe/alt
///     mbsync                    Entw&APw-rfe/alt, Entw&APw-rfe/.alt (Legacy), INBOX/.Entw&APw-rfe.alt (Maildir++)
///     mbsync Flatten, offlineimap   Entw&APw-rfe.alt
package struct DirectoryChoice {
  /// How the account's directories are named.
  private let naming: FolderNaming
  /// The Maildirs that no mailbox on record has, relative to the root, with the ids that their markers name; 0 where
  /// there is none.
  private let existing: [[UInt8]: UInt64]

  /// A choice among the Maildirs that no mailbox on record has, with the ids that their markers name; 0 where there is
  /// none.
  package init(naming: FolderNaming, existing: [[UInt8]: UInt64]) {
    self.naming = naming
    self.existing = existing
  }

  /// The directory of a mailbox, relative to the root; nil where none can be made of its name.
  ///
  /// None of `taken` is chosen. A directory with a marker, of a mailbox whose record is lost, goes before others. What is not
  /// there yet comes under our own spelling of its name here; one that bears its name on the server counts as well.
  package func directory(for mailbox: ServerMailbox, taken: Set<[UInt8]>) -> [UInt8]? {
    let own = naming.directory(for: mailbox.path.components)
    var spellings = Self.spellings(of: mailbox.path, naming)
    let serverPath = mailbox.serverPath
    if serverPath != mailbox.path { spellings += Self.spellings(of: serverPath, naming) }
    let there = spellings.filter { spelling in
      existing[spelling] != nil
        && (spelling == own || !taken.contains(spelling) && Self.isSafe(spelling))
    }
    return there.first { existing[$0] != 0 } ?? there.first ?? own
  }

  /// The directories that may stand for a mailbox of that path: our own, then those of other tools.
  static func spellings(of path: MailboxPath, _ naming: FolderNaming) -> [[UInt8]] {
    [naming.directory(for: path.components)].compactMap { $0 } + others(path, naming.layout)
  }

  /// The directories that bear the mailboxes' own names in our spelling.
  package static func ownDirectories(
    _ mailboxes: [ServerMailbox],
    _ naming: FolderNaming
  ) -> Set<[UInt8]> {
    Set(mailboxes.compactMap { naming.directory(for: $0.path.components) })
  }

  /// Whether a relative path stays below the root and out of the way of Maildirs and of our own files.
  static func isSafe(_ relative: [UInt8]) -> Bool {
    let reserved = ["", ".", "..", "cur", "new", "tmp", ".magnum", "_magnum"].map { Array($0.utf8) }
    return !relative.contains(0) && relative.count < 3_000
      && relative.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        .allSatisfy { $0.count <= 255 && !reserved.contains(Array($0)) }
  }

  /// Other tools' spellings, the likeliest first.
  private static func others(_ path: MailboxPath, _ layout: FolderLayout) -> [[UInt8]] {
    if path.components == [inbox] { return inboxes }
    return [path.wireComponents, path.components].filter(areLevels).flatMap { levels in
      layout == .verbatim ? nested(levels) : [dotted(levels)]
    }
  }

  private static let inbox = Array("INBOX".utf8)
  private static let inboxes = ["Inbox", "inbox"].map { Array($0.utf8) }

  /// A level with a slash, or with nothing in it, is no directory's name.
  private static func areLevels(_ levels: [[UInt8]]) -> Bool {
    levels.allSatisfy { !$0.isEmpty && !$0.contains(ASCII.slash) }
  }

  private static func nested(_ levels: [[UInt8]]) -> [[UInt8]] {
    let below = ([inbox] + inboxes).map { $0 + [ASCII.slash] + dotted(levels) }
    return [
      joined(levels, "/"), joined(levels, "."), joined(levels, "/."),
    ] + below
  }

  /// `.Lists.swift`; below the inbox it is `..sub`.
  private static func dotted(_ levels: [[UInt8]]) -> [UInt8] {
    let isBelowInbox = levels.count > 1 && levels[0] == inbox
    return [ASCII.dot] + joined(isBelowInbox ? [[]] + levels.dropFirst() : levels, ".")
  }

  private static func joined(_ levels: [[UInt8]], _ separator: String) -> [UInt8] {
    Array(levels.joined(separator: Array(separator.utf8)))
  }
}
