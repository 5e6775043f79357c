/// What tells whether a message is still the one that was put into the spool.
package struct MessageSeal: Hashable, Sendable {
  /// The length in octets.
  package let size: UInt64

  /// SHA-256, 32 octets.
  package let digest: [UInt8]

  /// The seal of a message.
  package init(size: UInt64, digest: [UInt8]) {
    self.size = size
    self.digest = digest
  }
}
