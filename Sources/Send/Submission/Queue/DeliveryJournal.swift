package import Configuration
internal import Glibc
package import Platform
internal import SpoolPlan

/// The log that the configuration names for lines about deliveries, open for the time of a run.
///
/// A log that cannot be written stops nothing.
package final class DeliveryJournal: Sendable {
  /// An open file that can be left out.
  private final class OpenFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
      self.descriptor = descriptor
    }
  }

  private let log: DeliveryLog
  private let file: OpenFile?
  /// Why nothing was written; nil where all was.
  private let failure: Monitor<SystemError?>

  /// Opens the log, in the name of the user whose configuration it is.
  ///
  /// In a directory to which all users write, such as /tmp, only the user's own file is written to. A link is followed if the
  /// user or root made it.
  package init(_ log: DeliveryLog) {
    self.log = log
    failure = Monitor(nil)
    guard case .file(let path) = log else {
      file = nil
      return
    }
    do throws(SystemError) {
      file = OpenFile(try Self.open(path))
    } catch {
      file = nil
      failure.update { $0 = error }
    }
  }

  /// Writes the lines about an attempt.
  package func recordAttempt(_ attempt: AttemptReport) {
    let lines = DeliveryLine(attempt).lines
    switch log {
    case .none: break
    case .syslog: for line in lines { Self.tellSystem(line) }
    case .file: write(lines)
    }
  }

  /// Why lines were not written, once a day.
  ///
  /// - Parameter place: a directory of the user's own that remembers it.
  /// - Returns: nil where they were written, or that was reported.
  package func dueFailure(_ place: Path) -> SystemError? {
    guard let failure = failure.withLock({ $0 }) else { return nil }
    let stamp = place.appending(".delivery-log-failure")
    let now = Clock.now()
    if let status = (try? FileSystem.status(stamp, followingLinks: false)) ?? nil {
      let age = now - status.fingerprint.modified / 1_000_000_000
      guard !(0..<86_400).contains(age) else { return nil }
    }
    try? FileSystem.makeDirectories(place)
    if let file = try? Descriptor.open(stamp, .truncate.guarded) { try? file.setTimes(now) }
    return failure
  }

  private static func open(_ path: Path) throws(SystemError) -> Descriptor {
    // A descriptor of the process, or nothing at all: what lies there is root's.
    if path.parent == Path("/dev") { return try Descriptor.open(path, .append.orDevice) }
    let own = [0, UserIdentity.effective]
    let link = try FileSystem.status(path, followingLinks: false)
    let isOwnLink = link.map { $0.kind == .symbolicLink && own.contains($0.owner) } ?? false
    let file = try Descriptor.open(path, isOwnLink ? .append : .append.guarded)
    let directory = try FileSystem.status(FileSystem.realPath(path).parent)
    guard own.contains(try file.status().owner) || (directory?.mode ?? 0) & 0o002 == 0 else {
      throw SystemError(operation: "open", path: path, code: EACCES)
    }
    return file
  }

  private func write(_ lines: [String]) {
    guard let file else { return }
    do throws(SystemError) {
      for line in lines {
        let time = String(decoding: Timestamp.octets(Clock.now()), as: UTF8.self)
        try file.descriptor.write(all: Array("\(time) \(line)\n".utf8))
      }
    } catch {
      failure.update { $0 = error }
    }
  }

  private static func tellSystem(_ line: String) {
    line.withCString { text in
      withVaList([text]) { vsyslog(LOG_INFO | mailFacility, "%s", $0) }
    }
  }

  /// LOG_MAIL, which is a macro that Swift does not see.
  private static let mailFacility: Int32 = 2 << 3
}
