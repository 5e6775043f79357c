internal import Octets
package import Platform

/// The file in a mailbox's directory that says whose it is, so that two mailboxes never share one.
package struct OwnershipMarker {
  private let file: Path

  /// The marker of a Maildir.
  package init(_ directory: Path) {
    file = directory.appending(".magnum-id")
  }

  /// The id of the mailbox whose directory this is; nil when there is no marker, 0 when it cannot be read as one.
  package func owner() throws(SystemError) -> UInt64? {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 10) else { return nil }
    return Hex.value(octets.prefix { $0 != ASCII.lineFeed }) ?? 0
  }

  /// The id of the mailbox whose directory this is; nil where no marker can be read.
  package func readableOwner() throws(SystemError) -> UInt64? {
    try owner().flatMap { $0 == 0 ? nil : $0 }
  }

  private static let detached = [UInt8](ascii: "detached")

  /// Whether the marker says that the mailbox of the directory was removed, and that its files are kept.
  package func isDetached() throws(SystemError) -> Bool {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 10) else { return false }
    return octets.prefix { $0 != ASCII.lineFeed }.elementsEqual(Self.detached)
  }

  /// Says so; durable when it returns.
  package func setDetached() throws(SystemError) {
    try AtomicFile.replace(file, with: Self.detached + [ASCII.lineFeed])
  }

  /// When the marker was last changed, in nanoseconds since 1970; nil where there is none.
  package func changed() throws(SystemError) -> Int64? {
    try FileSystem.status(file)?.fingerprint.changed
  }

  /// Takes the marker away, if there is one.
  package func remove() throws(SystemError) {
    do {
      try FileSystem.remove(file)
    } catch {
      guard error.isNotFound else { throw error }
    }
  }

  /// The marker of that owner, beside its place; nil where the directory has it.
  package func draft(of id: UInt64) throws(SystemError) -> AtomicFile.Draft? {
    guard try owner() != id else { return nil }
    return try AtomicFile.draft(file, withPieces: [Hex.digits(id) + [ASCII.lineFeed]])
  }

  /// Marks the directory; durable when it returns.
  package func set(_ id: UInt64) throws(SystemError) {
    guard try owner() != id else { return }
    try AtomicFile.replace(file, with: Hex.digits(id) + [ASCII.lineFeed])
  }
}
