/// What a mailbox is for (RFC 6154 §2), as far as a user may say it in place of the server.
package enum Role: String, Hashable, Sendable, CaseIterable {
  case archive
  case drafts
  case flagged
  case junk
  case sent
  case trash
}
