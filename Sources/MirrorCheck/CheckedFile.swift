package import MailModel
package import SyncPlan

/// A message file as a check of a mirror found it.
package struct CheckedFile: Hashable, Sendable {
  /// What a file was found to hold.
  package enum Content: Hashable, Sendable {
    /// A message, with the octets that it has on the wire.
    case message(ContentIdentity, wireSize: UInt64)
    /// It cannot be read, for this reason.
    case unreadable(String)
  }

  /// The base name, without `:2,` and flags.
  package var name: [UInt8]
  /// The flags of the name.
  package var flags: SystemFlags
  /// Whether the name says that the file is detached.
  package var isDetached: Bool
  /// What it holds.
  package var content: Content

  /// A file of these facts.
  package init(name: [UInt8], flags: SystemFlags, isDetached: Bool, content: Content) {
    self.name = name
    self.flags = flags
    self.isDetached = isDetached
    self.content = content
  }
}
