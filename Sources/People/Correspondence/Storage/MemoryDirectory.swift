internal import Glibc
internal import MailModel
internal import Octets
package import Platform

/// Where the text of an encrypted draft lies while an editor has it: in memory, never on a disk, and readable by the user alone.
package enum MemoryDirectory {
  /// Why there is no such place.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The places that there can be, the better first: that of the user's session, and the shared memory of the system.
  package static var roots: [Path] {
    let shared = Path("/dev/shm/magnum-\(geteuid())/compose")
    let own = Environment.runtimeDirectory.map { $0.appending("magnum/compose") }
    return (own.map { [$0] } ?? []) + [shared]
  }

  /// Makes a directory of that name in the first place that is fit for it.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - noted: where one of that name was made before.
  /// - Returns: the directory; one that is there already is taken, wherever it lies.
  /// - Throws: `Failure` where no place is fit.
  package static func make(_ name: [UInt8], noted: Path?) throws(Failure) -> Path {
    if let found = find(name, noted: noted) { return found }
    var reasons: [String] = []
    for root in roots {
      do throws(Failure) {
        return try make(name, in: root)
      } catch {
        reasons.append(error.description)
      }
    }
    throw Failure(description: reasons.joined(separator: "; "))
  }

  /// The same below one root; where that is not fit, nothing is left there.
  private static func make(_ name: [UInt8], in root: Path) throws(Failure) -> Path {
    var made: [Path] = []
    do throws(Failure) {
      for step in [root.parent, root] { made += try makePrivate(step) ? [step] : [] }
      guard (try? FileSystem.isInMemory(root)) == true else {
        throw Failure(description: "\(root.display) is not in memory")
      }
      _ = try makePrivate(root.appending(name))
      return root.appending(name)
    } catch {
      for directory in made.reversed() { try? FileSystem.removeDirectory(directory) }
      throw error
    }
  }

  /// The directory of that name where there is one that is fit: one with a text, if there are several.
  package static func find(_ name: [UInt8], noted: Path?) -> Path? {
    let found = all(name, noted: noted)
    let hasText = found.first { place in
      ((try? FileSystem.status(place.appending("text.eml"))) ?? nil) != nil
    }
    return hasText ?? found.first
  }

  /// All directories of that name that are fit, the likelier first.
  ///
  /// A program may have had another environment, as in another session: its place is noted, and the usual ones are looked at.
  static func all(_ name: [UInt8], noted: Path?) -> [Path] {
    let session = Path("/run/user/\(geteuid())/magnum/compose")
    var places = (roots + [session]).map { $0.appending(name) }
    if let noted, noted.isAbsolute, noted.lastComponent == name { places.insert(noted, at: 0) }
    var found: [Path] = []
    for place in places where !found.contains(place) {
      let isFit = (try? check(place.parent)) != nil && (try? check(place)) != nil
      if isFit, (try? FileSystem.isInMemory(place)) == true { found.append(place) }
    }
    return found
  }

  /// Makes a directory that only the user can enter, or takes one that is there; whether it was made.
  private static func makePrivate(_ path: Path) throws(Failure) -> Bool {
    var isMade = true
    do throws(SystemError) {
      try FileSystem.makeDirectory(path, mode: 0o700)
    } catch {
      guard error.isAlreadyThere else { throw Failure(description: error.description) }
      isMade = false
    }
    try check(path)
    return isMade
  }

  /// Refuses what another user may have put there, or can look into.
  private static func check(_ path: Path) throws(Failure) {
    let status = (try? FileSystem.status(path, followingLinks: false)) ?? nil
    guard let status, status.kind == .directory else {
      throw Failure(description: "\(path.display) is not a directory")
    }
    guard status.owner == geteuid(), status.mode & 0o077 == 0 else {
      throw Failure(description: "\(path.display) is open to other users")
    }
  }
}
