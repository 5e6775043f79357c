/// A new file that holds what a message on record holds.
package struct FileCopy: Hashable, Sendable {
  /// The messages whose content it has, in the order in which they are to be copied.
  package var originals: [RemoteReference]
  /// When a run first saw it, in seconds since 1970; nil where none did.
  package var since: Int64?
  /// Whether a person asked for the copy: it is not the first half of a move.
  package var isAsked: Bool
  /// The base name of a file in the same folder that is one of the originals; nil where none is.
  package var twin: [UInt8]?

  package init(
    originals: [RemoteReference],
    since: Int64?,
    isAsked: Bool,
    twin: [UInt8]? = nil
  ) {
    self.originals = originals
    self.since = since
    self.isAsked = isAsked
    self.twin = twin
  }
}

/// How long a new file that is a copy of a message waits for its original to go, since some programs move messages in two steps.
///
/// A copy whose original goes meanwhile is a move; one that waited long enough is copied on the server.
package enum CopyPatience: Hashable, Sendable {
  /// Nothing changed in the account for a minute: no copy waits.
  case quiet
  /// Something changed a moment ago; the time is in seconds since 1970.
  case busy(now: Int64)
  /// It is not known when something changed last: a later run decides, at least so many seconds after the first.
  case unknown(now: Int64, wait: UInt64)

  /// Seconds after which a copy waits no longer where the account is not quiet.
  private static let longest: UInt64 = 3600

  /// Whether a copy is to go to the server now.
  func isOver(for copy: FileCopy) -> Bool {
    if copy.isAsked { return true }
    switch self {
    case .quiet: return true
    case .busy(let now): return isOver(copy.since, now, Self.longest)
    case .unknown(let now, let wait): return isOver(copy.since, now, wait)
    }
  }

  /// A clock that was set back ends the wait, too.
  private func isOver(_ since: Int64?, _ now: Int64, _ limit: UInt64) -> Bool {
    since.map { $0.distance(to: now).magnitude >= limit } ?? false
  }
}
