internal import IMAP
internal import MailModel
internal import Maildir
internal import Octets

/// Finds the Maildir of a mailbox that has none on record: the one another tool made under its spelling of the
/// name, else a new one.
///
///     mailbox Entwürfe/alt      ours: Entwürfe/alt
///     mbsync                    Entw&APw-rfe/alt, Entw&APw-rfe/.alt (Legacy), INBOX/.Entw&APw-rfe.alt (Maildir++)
///     mbsync Flatten, offlineimap   Entw&APw-rfe.alt
struct DirectoryChoice {
  /// Where the mailboxes of the account lie.
  let tree: FolderTree
  /// The Maildirs that no mailbox on record has, relative to the root, with the ids that their marks name; 0 where there
  /// is none.
  let existing: [[UInt8]: UInt64]

  /// The directory, relative to the root; nil where none can be made of the name.
  ///
  /// None of `taken` is chosen. A directory with a mark, of a mailbox whose record is lost, goes before others. What is not
  /// there yet comes under our own spelling.
  func directory(for path: MailboxPath, taken: Set<[UInt8]>) -> [UInt8]? {
    let own = tree.naming.directory(for: path.components)
    let there = ([own].compactMap { $0 } + spellings(path)).filter { spelling in
      existing[spelling] != nil
        && (spelling == own || !taken.contains(spelling) && Self.isSafe(spelling))
    }
    return there.first { existing[$0] != 0 } ?? there.first ?? own
  }

  /// The directories that bear the mailboxes' own names in our spelling.
  func ownDirectories(_ entries: [ListEntry]) -> Set<[UInt8]> {
    Set(
      entries.compactMap { entry in
        tree.naming.directory(for: MailboxPath(entry.name, delimiter: entry.delimiter).components)
      }
    )
  }

  /// Whether a relative path stays below the root and out of the way of Maildirs and of our own files.
  static func isSafe(_ relative: [UInt8]) -> Bool {
    let reserved = ["", ".", "..", "cur", "new", "tmp", ".magnum", "_magnum"].map { Array($0.utf8) }
    return !relative.contains(0) && relative.count < 3_000
      && relative.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        .allSatisfy { $0.count <= 255 && !reserved.contains(Array($0)) }
  }

  /// Other tools' spellings, the likeliest first.
  private func spellings(_ path: MailboxPath) -> [[UInt8]] {
    if path.components == [Self.inbox] { return Self.inboxes }
    return [path.wireComponents, path.components].filter(Self.areLevels).flatMap { levels in
      tree.layout == .verbatim ? Self.nested(levels) : [Self.dotted(levels)]
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
