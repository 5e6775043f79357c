internal import Octets
internal import Platform

/// A Maildir of symbolic links, so that any mail client can show what was found.
///
/// Only a directory that holds nothing but links, or that is not there, is taken: what was linked before goes.
struct LinkedMaildir {
  private let directory: Path

  /// - Throws: ENOTEMPTY where the directory holds anything else; the errors of making it.
  init(_ directory: Path) throws(SystemError) {
    self.directory = directory
    for sub in ["new", "cur", "tmp"] { try FileSystem.makeDirectories(directory.appending(sub)) }
    var names: [[UInt8]] = []
    var hasOthers = false
    try FileSystem.entries(of: directory.appending("cur")) { name, kind in
      if kind == .symbolicLink { names.append(Array(name)) } else { hasOthers = true }
    }
    try FileSystem.entries(of: directory.appending("new")) { _, _ in hasOthers = true }
    if hasOthers { throw SystemError(operation: "link", path: directory, code: 39) }
    for name in names { try FileSystem.remove(directory.appending("cur").appending(name)) }
  }

  /// Links a file, by its own name or one near it that is free.
  func link(_ path: Path) throws(SystemError) {
    let target = try FileSystem.realPath(path)
    let name = path.lastComponent
    let colon = name.firstIndex(of: ASCII.colon) ?? name.endIndex
    var number = 0
    while true {
      let infix = number == 0 ? [] : [ASCII.dot] + Array("\(number)".utf8)
      let info = colon == name.endIndex ? [UInt8](ascii: ":2,") : Array(name[colon...])
      let link = directory.appending("cur").appending(Array(name[..<colon]) + infix + info)
      do throws(SystemError) {
        return try FileSystem.symbolicLink(link, to: target)
      } catch {
        guard error.isAlreadyThere else { throw error }
        number += 1
      }
    }
  }
}
