internal import Maildir
internal import Octets
internal import Platform

/// The file in a mailbox's directory that says whose it is, so that two mailboxes never share one.
struct OwnershipMarker {
  private let file: Path

  init(_ directory: Path) {
    file = directory.appending(".magnum-id")
  }

  /// The id of the mailbox whose directory this is; nil when there is no marker, 0 when it cannot be read as one.
  func owner() throws(SystemError) -> UInt64? {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 10) else { return nil }
    return Hex.value(octets.prefix { $0 != ASCII.lineFeed }) ?? 0
  }

  /// The id of the mailbox whose directory this is; nil where no marker can be read.
  func readableOwner() throws(SystemError) -> UInt64? {
    try owner().flatMap { $0 == 0 ? nil : $0 }
  }

  /// When the marker was last changed, in nanoseconds since 1970; nil where there is none.
  func changed() throws(SystemError) -> Int64? {
    try FileSystem.status(file)?.fingerprint.changed
  }

  /// Takes the marker away, if there is one.
  func remove() throws(SystemError) {
    do {
      try FileSystem.remove(file)
    } catch {
      guard error.isNotFound else { throw error }
    }
  }

  /// Marks the directory; durable when it returns.
  func set(_ id: UInt64) throws(SystemError) {
    guard try owner() != id else { return }
    try AtomicFile.replace(file, with: Hex.digits(id) + [ASCII.lineFeed])
  }
}
