package import MailModel
internal import Octets
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
  /// Keywords that it was given here since, and that it lost.
  package var (added, removed): ([[UInt8]], [[UInt8]]) = ([], [])

  package init(name: [UInt8], flags: SystemFlags, isDetached: Bool, content: Content) {
    self.name = name
    self.flags = flags
    self.isDetached = isDetached
    self.content = content
  }

  /// Its keywords, of which these are on record.
  func keywords(beside known: [[UInt8]]) -> [[UInt8]] {
    let kept = known.filter { word in !removed.contains { $0.equalsCaseless(word) } }
    let new = added.filter { word in !kept.contains { $0.equalsCaseless(word) } }
    return MessageFlags(keywords: kept + new).keywords
  }
}
