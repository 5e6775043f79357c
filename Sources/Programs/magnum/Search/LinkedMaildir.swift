internal import Octets
internal import Platform

/// A Maildir of symbolic links, so that any mail client can show what was found.
///
/// Only a directory that is not there, is empty, or holds links of an earlier search is taken; those go. One inside the
/// directory of an account is not: the next sync would upload it as a mailbox.
struct LinkedMaildir {
  /// Why a directory is not taken.
  enum Refusal: Error {
    case holdsOthers
    /// It lies in the Maildir of an account, or of an index, whose directory this is.
    case insideMaildir(Path)
    case system(SystemError)
  }

  /// Says that the directory was made for links: without it an empty one may be a mailbox.
  private static let marker = ".magnum-links"
  private static let parts = ["new", "cur", "tmp"]

  private let directory: Path

  /// Takes the directory, and removes the links of an earlier search.
  init(_ directory: Path) throws(Refusal) {
    self.directory = directory
    let (root, links): (Path?, [Path]?)
    do throws(SystemError) {
      (root, links) = (try Self.maildir(around: directory), try Self.links(in: directory))
    } catch {
      throw .system(error)
    }
    if let root { throw .insideMaildir(root) }
    guard let links else { throw .holdsOthers }
    do throws(SystemError) {
      for part in Self.parts { try FileSystem.makeDirectories(directory.appending(part)) }
      _ = try Descriptor.open(directory.appending(Self.marker), .append)
      for link in links { try FileSystem.remove(link) }
    } catch {
      throw .system(error)
    }
  }

  /// The nearest directory above that an account or an index of Magnum has for itself.
  private static func maildir(around directory: Path) throws(SystemError) -> Path? {
    var place = directory
    while try FileSystem.status(place) == nil, place.parent != place { place = place.parent }
    place = try FileSystem.realPath(place)
    while place.parent != place {
      for name in [".magnum", "_magnum"]
      where try FileSystem.status(place.appending(name)) != nil { return place }
      place = place.parent
    }
    return nil
  }

  /// The links of an earlier search; nil where there is anything else.
  private static func links(in directory: Path) throws(SystemError) -> [Path]? {
    guard try FileSystem.status(directory) != nil else { return [] }
    let names = try names(in: directory)
    if names.isEmpty { return [] }
    guard names.allSatisfy({ name, _ in (parts + [marker]).contains { Array($0.utf8) == name } })
    else { return nil }
    var links: [Path] = []
    for part in parts where names.contains(where: { $0.name == Array(part.utf8) }) {
      for (name, kind) in try self.names(in: directory.appending(part)) {
        guard part == "cur", kind == .symbolicLink else { return nil }
        links.append(directory.appending(part).appending(name))
      }
    }
    let isMarked = names.contains { $0.name == Array(marker.utf8) }
    return isMarked || !links.isEmpty ? links : nil
  }

  private static func names(
    in directory: Path
  ) throws(SystemError) -> [(name: [UInt8], kind: EntryKind)] {
    var names: [(name: [UInt8], kind: EntryKind)] = []
    try FileSystem.entries(of: directory) { name, kind in names.append((Array(name), kind)) }
    return names
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
