internal import MailModel
internal import Maildir
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

  /// The name that people know a folder by.
  static func display(_ relative: [UInt8]) -> [UInt8] {
    let isDotted = relative.isEmpty || relative.first == ASCII.dot
    let tree = FolderTree(root: Path("/"), layout: isDotted ? .maildirPlusPlus : .verbatim)
    guard let components = tree.naming.components(of: relative) else { return relative }
    return Array(components.joined(separator: [ASCII.slash]))
  }
}
