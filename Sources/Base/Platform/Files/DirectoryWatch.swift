internal import Glibc

/// Tells of files that come, go or change their names in directories, by inotify(7).
///
/// Used by one thread at a time.
package final class DirectoryWatch {
  /// A directory that is watched.
  package struct ID: Hashable, Sendable {
    fileprivate let number: Int32
  }

  /// What happened.
  package enum Event: Hashable, Sendable {
    /// A file or directory of that name came, or a file was written anew.
    case appeared(ID, name: [UInt8], isDirectory: Bool)
    /// A file or directory of that name went.
    case vanished(ID, name: [UInt8], isDirectory: Bool)
    /// The directory itself was removed or renamed, and is no longer watched.
    case ended(ID)
    /// More happened than the system kept: it may be anything anywhere.
    case overflow
  }

  /// A descriptor that is readable when there is something to tell; to be polled, not read.
  package let descriptor: Int32

  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// A watch of no directory.
  ///
  /// - Throws: the error of inotify_init1(2): EMFILE where the user has too many.
  package init() throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw SystemError(operation: "inotify_init", path: nil, code: errno)
    }
  }

  deinit { _ = close(descriptor) }

  /// Watches a directory, not what is below it; one that is watched already keeps its ID.
  ///
  /// - Throws: the error of inotify_add_watch(2): ENOSPC where the user has too many.
  package func add(_ directory: Path) throws(SystemError) -> ID {
    let events =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_DELETE_SELF
      | IN_MOVE_SELF | Int32(IN_ONLYDIR)
    let number = directory.withCString { inotify_add_watch(descriptor, $0, UInt32(events)) }
    guard number >= 0 else {
      throw SystemError(operation: "inotify_add_watch", path: directory, code: errno)
    }
    return ID(number: number)
  }

  /// Ends the watch of a directory.
  package func remove(_ id: ID) {
    _ = inotify_rm_watch(descriptor, id.number)
  }

  /// What happened since the last call, in its order; does not wait.
  package func read() -> [Event] {
    var events: [Event] = []
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      events += Self.events(buffer[..<count])
    }
  }

  private static func events(_ octets: ArraySlice<UInt8>) -> [Event] {
    var events: [Event] = []
    var rest = octets
    let head = MemoryLayout<inotify_event>.size
    while rest.count >= head {
      let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(head).prefix(Int(event.len)).prefix { $0 != 0 }
      if let event = Self.event(event, Array(name)) { events.append(event) }
      rest = rest.dropFirst(head + Int(event.len))
    }
    return events
  }

  private static func event(_ event: inotify_event, _ name: [UInt8]) -> Event? {
    let mask = Int32(truncatingIfNeeded: event.mask)
    let id = ID(number: event.wd)
    let isDirectory = mask & Int32(IN_ISDIR) != 0
    if mask & IN_Q_OVERFLOW != 0 { return .overflow }
    if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 { return .ended(id) }
    if mask & (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE) != 0 {
      return .appeared(id, name: name, isDirectory: isDirectory)
    }
    guard mask & (IN_MOVED_FROM | IN_DELETE) != 0 else { return nil }
    return .vanished(id, name: name, isDirectory: isDirectory)
  }
}
