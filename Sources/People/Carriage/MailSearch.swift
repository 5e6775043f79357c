internal import Maildir
package import MailModel
internal import Mbox
internal import Octets
package import Platform
internal import RestorePlan
internal import Restoration

/// Finds what is to be brought in: files, directories of them, Maildirs; no link is followed below what is named.
package struct MailSearch {
  /// Files and folders in the order in which they are read.
  package internal(set) var sources: [MailSource] = []
  /// What looks like mail and cannot be read.
  package internal(set) var obstacles: [ImportObstacle] = []
  /// Files below directories that hold no mail.
  package private(set) var others: [Path] = []
  /// Octets of all files but those of Maildirs.
  package internal(set) var octets: Int64 = 0

  private let ownPlaces: [Path]
  private let target: Path

  private static let depthLimit = 100

  /// Looks at what is named.
  ///
  /// - Parameters:
  ///   - names: paths, or `-` for standard input.
  ///   - target: the root of the Maildirs that messages go to.
  ///   - ownPlaces: directories in which Magnum keeps what is no mail.
  ///   - interruption: what ends the wait for standard input.
  /// - Throws: that one of them is not there, or holds no mail.
  package init(
    _ names: [String],
    target: Path,
    ownPlaces: [Path],
    interruption: Interruption = .shared
  ) throws(Explanation) {
    (self.target, self.ownPlaces) = (target, ownPlaces)
    for name in names {
      if name == "-" {
        let input = try MailInput(interruption)
        sources.append(MailSource(path: Path("-"), content: .input(input), levels: []))
      } else {
        try addNamed(Path(argument: name))
      }
    }
  }

  private mutating func addNamed(_ path: Path) throws(Explanation) {
    let status: FileStatus?
    do throws(SystemError) {
      status = try FileSystem.status(path)
    } catch {
      throw Explanation(.noInput, place: path.display, error.reason)
    }
    switch status?.kind {
    case nil: throw Explanation(.noInput, place: path.display, "there is no such file")
    case .directory:
      let before = (sources.count, obstacles.count)
      try addDirectory(path, [], depth: 0)
      if (sources.count, obstacles.count) == before {
        throw Explanation(.data, place: path.display, "no mail in this directory", hint: Self.kinds)
      }
    case .regular:
      let real = (try? FileSystem.realPath(path)) ?? path
      guard try addFile(real, shownAs: path, [], named: nil) else {
        throw Explanation(.data, place: path.display, "not an mbox or a message", hint: Self.kinds)
      }
    case .symbolicLink, .other:
      throw Explanation(
        .noInput,
        place: path.display,
        "not a regular file",
        hint: "- reads standard input, as in: unzip -p takeout.zip '*.mbox' | magnum import -"
      )
    }
  }

  private static let kinds =
    "mail is read from mbox files, .eml files, Maildirs and directories of these; "
    + "see magnum-import(1) for other kinds"

  // MARK: Directories

  private mutating func addDirectory(
    _ path: Path,
    _ levels: [[UInt8]],
    depth: Int
  ) throws(Explanation) {
    var entries: [(name: [UInt8], kind: EntryKind)] = []
    do throws(SystemError) {
      try FileSystem.entries(of: path) { name, kind in entries.append((Array(name), kind)) }
    } catch {
      obstacles.append(ImportObstacle(path: path, reason: .unreadable(error)))
      return
    }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    let directories = entries.filter { $0.kind == .directory }.map(\.name)
    if Self.maildirParts.allSatisfy({ part in directories.contains { $0.elementsEqual(part) } }) {
      return try addMaildir(path, levels)
    }
    let sequences = Self.sequences(of: path)
    let hasApple =
      directories.contains { $0.elementsEqual("Messages".utf8) }
      || entries.contains { Self.isApple($0.name) }
    for (name, kind) in entries where !Self.isForeign(name) {
      // Apple's Mail keeps what belongs into its messages there.
      if hasApple, kind == .directory, name.elementsEqual("Attachments".utf8) { continue }
      let entry = path.appending(name)
      switch kind {
      case .directory:
        guard depth < Self.depthLimit else {
          obstacles.append(ImportObstacle(path: entry, reason: .noFile))
          continue
        }
        try addDirectory(entry, levels + [Self.folderName(name)], depth: depth + 1)
      case .regular:
        let notes = sequences.flatMap { list in Self.number(name).map { list.notes(of: $0) } }
        if try !addFile(entry, shownAs: entry, levels, named: name, notes) { others.append(entry) }
      case .symbolicLink: obstacles.append(ImportObstacle(path: entry, reason: .link))
      case .other: obstacles.append(ImportObstacle(path: entry, reason: .noFile))
      }
    }
  }

  /// What MH keeps of the messages of a directory; nil where it keeps nothing.
  private static func sequences(of directory: Path) -> MHSequences? {
    let path = directory.appending([UInt8](ascii: ".mh_sequences"))
    let octets = try? GuardedFile.contents(path, limit: 16 << 20)
    return (octets ?? nil).map { MHSequences($0) }
  }

  /// The number that is the name of a file.
  private static func number(_ name: [UInt8]) -> Int? {
    name.allSatisfy(ASCII.isDigit) ? Int(String(decoding: name, as: UTF8.self)) : nil
  }

  private static let maildirParts = [[UInt8](ascii: "cur"), [UInt8](ascii: "new")]

  /// What programs keep beside mail.
  private static func isForeign(_ name: [UInt8]) -> Bool {
    let own = [".git", ".notmuch", ".magnum", "_magnum", ".mh_sequences"]
    return own.contains { name.elementsEqual($0.utf8) } || name.suffix(4).equalsCaseless(".msf")
  }

  /// The name of the folder that a directory stands for: Thunderbird's `NAME.sbd` holds the folders below NAME, Apple's
  /// `NAME.mbox` the messages of NAME.
  private static func folderName(_ name: [UInt8]) -> [UInt8] {
    let isMarked = name.suffix(4).equalsCaseless(".sbd") || name.suffix(5).equalsCaseless(".mbox")
    let bare = isMarked ? [UInt8](name[..<(name.lastIndex(of: ASCII.dot) ?? name.count)]) : name
    let visible = bare.drop { $0 == ASCII.dot }
    return visible.isEmpty ? name : [UInt8](visible)
  }

  private mutating func addMaildir(_ path: Path, _ levels: [[UInt8]]) throws(Explanation) {
    // Everything goes below the folder that is named.
    let prefix = [[UInt8](ascii: "INBOX")]
    do throws(MaildirSource.Mistake) {
      let source = try MaildirSource(path, into: prefix, mirror: target, ownPlaces: ownPlaces)
      for folder in source.folders {
        let own = levels + folder.levels.dropFirst(prefix.count)
        sources.append(
          MailSource(path: folder.path, content: .maildir(folder), levels: own)
        )
      }
      obstacles += source.skipped.map { ImportObstacle(path: $0.path, reason: .skipped($0.reason)) }
    } catch {
      throw Self.explanation(error)
    }
  }

  private static func explanation(_ mistake: MaildirSource.Mistake) -> Explanation {
    switch mistake {
    case .absent(let path): Explanation(.noInput, place: path.display, "there is no such directory")
    case .noDirectory(let path): Explanation(.noInput, place: path.display, "it is no directory")
    case .noMaildir(let path): Explanation(.data, place: path.display, "no mail in this directory")
    case .ownMirror(let path, let root):
      Explanation(
        .data,
        place: path.display,
        "it is part of where messages would go, or contains it: \(root.display)"
      )
    case .state(let path):
      Explanation(.data, place: path.display, "Magnum keeps its state or its queue there, no mail")
    case .system(let error): Explanation(.noInput, error.description)
    }
  }
}
