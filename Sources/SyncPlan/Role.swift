/// What a mailbox is for (RFC 6154 §2).
package enum Role: String, CaseIterable, Sendable {
  case inbox, archive, drafts, flagged, junk, sent, trash
  /// `\All`: a view of every message, not a place.
  case all
  /// `\Important`: a view chosen by the server (RFC 8457).
  case important

  /// Whether deletions in it are ordinary, so that no brake holds them.
  package var expectsDeletions: Bool {
    self == .trash || self == .junk
  }
}
