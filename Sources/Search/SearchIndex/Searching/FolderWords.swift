internal import CXapian
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform

/// The names that a folder may be called by.
package enum FolderWords {
  /// A path without slashes at its ends.
  package static func trimmed(_ path: some Collection<UInt8>) -> [UInt8] {
    var rest = Array(path)[...]
    while rest.first == ASCII.slash { rest.removeFirst() }
    while rest.last == ASCII.slash { rest.removeLast() }
    return Array(rest)
  }

  /// A path without the directory of messages at its end.
  static func withoutSubdirectory(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    guard let last = parts.last,
      Subdirectory.allCases.contains(where: { $0.name.elementsEqual(last) })
    else { return path }
    return Array(parts.dropLast().joined(separator: [ASCII.slash]))
  }

  /// The names of a folder: its path, what its path stands for in either layout, all that behind its account, and what texts
  /// have of names that are not UTF-8.
  package static func names(_ relative: [UInt8], _ account: String?) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = [relative]
    for layout in [FolderLayout.verbatim, .maildirPlusPlus] {
      let tree = FolderTree(root: Path("/"), layout: layout)
      guard let components = tree.naming.components(of: relative) else { continue }
      names.insert(Array(components.joined(separator: [ASCII.slash])))
    }
    if let account {
      let prefix = Array(account.utf8) + [ASCII.slash]
      for name in names { names.insert(prefix + name) }
    }
    return names.union(names.map { RepairedText.of($0) })
  }

  /// Whether a folder is the one that a query names: by its path, by the name people know, with or without its account before it.
  package static func isMeant(_ folder: [UInt8], _ account: String?, by value: [UInt8]) -> Bool {
    names(folder, account).contains(trimmed(value))
  }

  /// Whether a folder is meant by a path, which may end in `**` for all below.
  package static func isBelow(_ folder: [UInt8], _ account: String?, _ value: [UInt8]) -> Bool {
    guard value.suffix(2) == [ASCII.asterisk, ASCII.asterisk] else {
      return isMeant(folder, account, by: value)
    }
    let start = trimmed(value.dropLast(2))
    return names(folder, account).contains { name in
      start.isEmpty || name == start || name.starts(with: start + [ASCII.slash])
    }
  }

  /// Whether a folder is the inbox: the root of Maildir++, or the folder of that name.
  package static func isInbox(_ folder: [UInt8]) -> Bool {
    folder.isEmpty || folder.equalsCaseless([UInt8](ascii: "INBOX"))
  }

  /// Whether a path names one of the two directories of messages in a folder.
  package static func namesSubdirectory(_ path: [UInt8]) -> Bool {
    let path = trimmed(path)
    return withoutSubdirectory(path) != path
  }

  /// The name that people know a folder by.
  package static func display(_ relative: [UInt8]) -> [UInt8] {
    let isDotted = relative.isEmpty || relative.first == ASCII.dot
    let tree = FolderTree(root: Path("/"), layout: isDotted ? .maildirPlusPlus : .verbatim)
    guard let components = tree.naming.components(of: relative) else { return relative }
    return Array(components.joined(separator: [ASCII.slash]))
  }
}

/// A text in which U+FFFD stands for octets that are not UTF-8: command lines, lines of a batch and JSON have no others.
struct RepairedText {
  private let octets: [UInt8]
  /// What stands before the first of them.
  let start: [UInt8]

  /// Nil where the text has no such character.
  init?(_ octets: [UInt8]) {
    let mark = Array("\u{FFFD}".utf8)
    guard let place = octets.indices.first(where: { octets[$0...].starts(with: mark) }) else {
      return nil
    }
    self.octets = octets
    start = Array(octets[..<place])
  }

  /// Whether it is what a text becomes.
  func stands(for text: some Collection<UInt8>) -> Bool { Self.of(text) == octets }

  /// What a text becomes.
  static func of(_ text: some Collection<UInt8>) -> [UInt8] {
    Array(String(decoding: text, as: UTF8.self).utf8)
  }
}

extension XapianQuery {
  /// The messages of an id, which may be given as what texts have of it.
  static func id(_ id: [UInt8], _ database: XapianDatabase) throws(IndexError) -> XapianQuery {
    var parts = [try term(Schema.id(id), database)]
    if let repaired = RepairedText(id) {
      for found in try database.terms([Schema.Prefix.id] + Schema.uncut(repaired.start))
      where repaired.stands(for: found.dropFirst()) {
        parts.append(try term(found, database))
      }
    }
    return try combine(MAGNUM_INDEX_OR, parts)
  }
}
