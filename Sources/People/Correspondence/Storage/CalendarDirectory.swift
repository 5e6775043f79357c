internal import Hashing
package import Invitations
package import MailModel
internal import Octets
package import Platform

/// A directory of a calendar with a file for each event (vdir), as vdirsyncer and khal have it.
package struct CalendarDirectory: Sendable {
  private let directory: Path

  /// Events of files with longer names, or of longer files, are not found.
  private static let sizeLimit = CalendarReader.sizeLimit

  package init(_ directory: Path) {
    self.directory = directory
  }

  /// Writes what the file of an event gets; durable on return.
  ///
  /// - Parameters:
  ///   - filing: what it gets.
  ///   - uid: the UID of the event.
  /// - Returns: the file.
  /// - Throws: why it stays as it is.
  @discardableResult
  package func write(_ filing: CalendarFiling, uid: [UInt8]) throws(Explanation) -> Path {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let path = try path(of: uid)
    let old = try content(of: path)
    let new: [UInt8]
    do throws(CalendarFiling.Problem) {
      new = try filing.content(of: old)
    } catch {
      throw Explanation(.partial, place: path.display, error.words)
    }
    guard try content(of: path) == old else {
      throw Explanation(
        .tryAgain,
        place: path.display,
        "another program has changed the event meanwhile"
      )
    }
    try explaining(.cannotCreate) { () throws(SystemError) in
      // What a write that was cut short has left.
      try AtomicFile.removeLeftovers(in: directory, of: path)
      if new != old { try AtomicFile.replace(path, with: new) }
    }
    return path
  }

  /// The right to write, among commands of this program; nil where the file system cannot lock.
  private func lock() throws(Explanation) -> FileLock? {
    let outcome = try explaining(.noInput) { () throws(SystemError) in
      FileLock.acquire(try Descriptor.open(directory, .directory))
    }
    switch outcome {
    case .acquired(let lock): return lock
    case .unsupported: return nil
    case .heldByOther:
      throw Explanation(
        .tryAgain,
        place: directory.display,
        "another command writes into the calendar"
      )
    }
  }

  private func content(of path: Path) throws(Explanation) -> [UInt8]? {
    try explaining(.noInput) { () throws(SystemError) in
      try FileSystem.readFile(path, limit: Self.sizeLimit)
    }
  }

  /// The file that has an event; where none has it, the one that it gets.
  private func path(of uid: [UInt8]) throws(Explanation) -> Path {
    let usual = Hex.encode(Hashes.sha256(uid)) + [UInt8](ascii: ".ics")
    var names: [[UInt8]] = []
    _ = try explaining(.noInput) { () throws(SystemError) in
      try FileSystem.entries(of: directory) { name, kind in
        guard kind != .directory, name.count > 4, name.suffix(4).elementsEqual(".ics".utf8),
          name.first != ASCII.dot
        else { return }
        names.append(Array(name))
      }
    }
    if names.contains(usual) { return directory.appending(usual) }
    names.sort { $0.lexicographicallyPrecedes($1) }
    for name in names {
      let path = directory.appending(name)
      // What cannot be read is another program's.
      guard let octets = (try? FileSystem.readFile(path, limit: Self.sizeLimit)) ?? nil,
        let calendars = try? CalendarReader.read(octets)
      else { continue }
      let events = calendars.flatMap(\.components).lazy.compactMap { CalendarEvent($0) }
      if events.first?.uid == uid { return path }
    }
    return directory.appending(usual)
  }
}
