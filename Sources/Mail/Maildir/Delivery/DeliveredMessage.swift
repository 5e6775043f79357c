package import Platform

/// A message that lies complete in tmp; not durable, and not yet visible to other programs.
package struct DeliveredMessage: Hashable, Sendable {
  /// The directory that holds tmp, new and cur.
  package let maildir: Path

  /// The name of the file in tmp.
  package let temporaryName: [UInt8]

  /// The length of the message as it came, in octets.
  package let wireSize: Int

  /// The length of the file, in octets.
  package let size: Int

  /// Whether there is an octet 0 in it.
  package let containsNUL: Bool

  /// The path of the file in tmp.
  package var temporaryPath: Path {
    Subdirectory.tmp.path(in: maildir).appending(temporaryName)
  }
}
