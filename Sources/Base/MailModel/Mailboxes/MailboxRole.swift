/// What a mailbox is for (RFC 6154 §2).
package enum MailboxRole: String, Hashable, CaseIterable, Sendable {
  case inbox, archive, drafts, flagged, junk, sent, trash
  /// Messages that are out of sight until a person wants to see them again.
  case snoozed
  /// `\All`: a view of every message, not a place.
  case all
  /// `\Important`: a view chosen by the server (RFC 8457).
  case important

  /// Those for which a user may name the mailbox in place of the server.
  package static let configurable: [Self] = [
    .archive, .drafts, .flagged, .junk, .sent, .snoozed, .trash,
  ]

  /// Whether unseen messages in it are new to the user.
  ///
  /// Messages that the user wrote or removed are not, nor are those that are in another mailbox too.
  package var isForArrivals: Bool {
    switch self {
    case .inbox, .archive: true
    case .drafts, .flagged, .junk, .sent, .snoozed, .trash, .all, .important: false
    }
  }

  /// Whether deletions in it are ordinary, so that the deletion guard lets them through.
  package var expectsDeletions: Bool {
    self == .trash || self == .junk
  }
}
