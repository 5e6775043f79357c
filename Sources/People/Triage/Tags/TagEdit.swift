internal import Configuration
package import MailModel
internal import Maildir
internal import Octets
internal import Platform

/// The tags that messages get and lose, some of which are flags of their files.
package struct TagEdit: Hashable, Sendable {
  /// Those that messages get and that are no flags.
  package internal(set) var added: [[UInt8]] = []
  /// Those that messages lose and that are no flags.
  package internal(set) var removed: [[UInt8]] = []
  /// The flags that files get and lose for tags that stand for them.
  package var marks: (on: SystemFlags, off: SystemFlags) { (on, off) }

  private var on: SystemFlags = []
  private var off: SystemFlags = []

  /// What becomes of messages by the tag `inbox`; nil where the edit does not name it.
  var move: Move?

  /// Where messages go that get or lose the tag `inbox`.
  enum Move: Hashable, Sendable {
    /// From the inbox into the archive: `-inbox`.
    case archive
    /// From the archive into the inbox: `+inbox`.
    case inbox
  }

  /// Whether messages lose all tags that it does not set.
  package private(set) var isReplacing = false

  /// Whether it names the tag `inbox`, which says where a message lies.
  package var isMoving: Bool { move != nil }

  /// As it was typed.
  package private(set) var words: [String] = []

  /// The tags that stand for flags; the first for the lack of one.
  private static let flags: [(name: StaticString, flag: SystemFlags)] = [
    ("flagged", .flagged), ("replied", .answered), ("passed", .forwarded),
  ]

  /// The tags that say where or what a message is, and what changes that; nil for nothing.
  private static let places: [(name: StaticString, command: StaticString?)] = [
    ("trash", "magnum delete"), ("trashed", "magnum delete"),
    ("spam", "magnum junk, magnum notjunk"), ("sent", nil),
    ("draft", nil), ("attachment", nil), ("signed", nil), ("encrypted", nil),
  ]

  /// The edit that `+a` and `-b` mean.
  ///
  /// - Parameters:
  ///   - words: tags with their signs; of those that name one tag, the last counts.
  ///   - isReplacing: whether messages lose all other tags, and the flags that tags stand for.
  /// - Throws: a word that is no tag, or one that a command of its own changes.
  package init(_ words: [String], replacing isReplacing: Bool = false) throws(Explanation) {
    self.words = (isReplacing ? ["--remove-all"] : []) + words
    self.isReplacing = isReplacing
    if isReplacing {
      on = .seen
      off = Self.flags.reduce(into: SystemFlags()) { $0.formUnion($1.flag) }
    }
    for word in words {
      let tag = [UInt8](word.utf8.dropFirst())
      let isAdded = word.hasPrefix("+")
      if let problem = Explanation(notUTF8: "tag", String(word.dropFirst())) { throw problem }
      if let problem = Self.problem(with: tag) { throw problem }
      if tag.equalsCaseless("unread") {
        change(.seen, isSet: !isAdded)
      } else if let flag = Self.flags.first(where: { tag.equalsCaseless($0.name) })?.flag {
        change(flag, isSet: isAdded)
      } else if tag.equalsCaseless("inbox") {
        move = isAdded ? .inbox : .archive
      } else {
        added.removeAll { $0.equalsCaseless(tag) }
        removed.removeAll { $0.equalsCaseless(tag) }
        if isAdded { added.append(tag) } else { removed.append(tag) }
      }
    }
  }

  /// No tags at all.
  static let none = TagEdit()

  private init() {}

  private mutating func change(_ flag: SystemFlags, isSet: Bool) {
    on.subtract(flag)
    off.subtract(flag)
    if isSet { on.insert(flag) } else { off.insert(flag) }
  }

  /// The tags that a message loses which has some.
  func lost(of tags: [[UInt8]]) -> [[UInt8]] {
    guard isReplacing else { return removed }
    return tags.filter { tag in !added.contains { $0.equalsCaseless(tag) } }
  }

  /// Why there is no such tag to set; nil where there is.
  private static func problem(with tag: [UInt8]) -> Explanation? {
    let shown = Printable.text(tag, limit: 60)
    if let place = places.first(where: { tag.equalsCaseless($0.name) }) {
      return Explanation(
        .usage,
        "the tag \"\(shown)\" says where or what a message is, and cannot be set",
        hint: place.command.map { "see: \($0)" }
      )
    }
    return TagName.isOne(tag) ? nil : Explanation(.usage, "\"\(shown)\" is no tag")
  }

  /// Whether a message can have such a tag, which stands for no flag and no place.
  package static func isOwn(_ tag: [UInt8]) -> Bool {
    guard TagName.isOne(tag) else { return false }
    let edit = try? TagEdit(["+" + String(decoding: tag, as: UTF8.self)])
    return edit.map { !$0.added.isEmpty } ?? false
  }

  /// Whether the word adds or removes a tag: `+a`, `-a`.
  package static func isOne(_ word: String) -> Bool {
    word.utf8.count > 1 && (word.hasPrefix("+") || word.hasPrefix("-"))
  }
}

/// The tags of the folders of an account's Maildirs, each folder read when it is first asked for.
///
/// For one thread at a time.
final class TagReader {
  private var folders: [Path: FolderTags] = [:]

  /// The change that an edit is for the message with a file, once the file is in its place; nil where it is none.
  func change(
    _ added: [[UInt8]],
    _ removed: [[UInt8]],
    _ file: TargetFile,
    at place: FilePlace
  ) -> ActStep.Change? {
    let tags = tags(of: file)
    let new = added.filter { tag in !tags.contains { $0.equalsCaseless(tag) } }
    let old = tags.filter { tag in removed.contains { $0.equalsCaseless(tag) } }
    guard !new.isEmpty || !old.isEmpty else { return nil }
    return .tags(of: place, adding: new, removing: old)
  }

  /// The tags that the message with a file has, flags not among them.
  func tags(of file: TargetFile) -> [[UInt8]] {
    let maildir = file.account.maildir.appending(file.folder)
    if folders[maildir] == nil { folders[maildir] = FolderTags(of: maildir) }
    return folders[maildir]?[base: file.file.name.base] ?? []
  }
}
