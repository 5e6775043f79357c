internal import MIME
internal import Mailboxes
internal import MailStore
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// What is recorded of the content of a file that was found to be a message of the server.
///
/// The record says "partial" as long as nothing proves that the file is whole; where there is none, the file's own word counts,
/// if it was this account that wrote it.
struct MatchedContent {
  private let mailbox: OpenMailbox
  private let store: StateStore

  /// The content of files of a mailbox.
  init(_ mailbox: OpenMailbox, _ store: StateStore) {
    self.mailbox = mailbox
    self.store = store
  }

  /// Identity and completeness of the file of that base name as the message of that UID and RFC822.SIZE.
  ///
  /// Nil where it is a partial file of the message that this account cannot have written.
  func find(
    of name: [UInt8],
    _ uid: UInt32,
    size: UInt64?
  ) throws(SyncFailure) -> (identity: ContentIdentity?, completeness: Completeness)? {
    let record = mailbox.state.messages[uid]
    if let record, !record.completeness.isPartial, record.identity != nil {
      return (record.identity, .whole)
    }
    guard let content = try mailbox.content(of: name) else {
      return (record?.identity, record?.completeness ?? .whole)
    }
    if let record, record.completeness.isPartial {
      let known = Trace(messageID: record.identity?.messageID, size: size)
      let isWhole = Sameness.compare(known, content.trace, .inPlace).level >= .likely
      return isWhole ? (content.identity, .whole) : (record.identity, record.completeness)
    }
    // As long as the message: what looks like a mark is a part of it. One that tells this very size, and is not as long, is a
    // partial file; without the right seal it may be one of which the secret is lost.
    let marks = content.marks.fields.filter { !$0.isInside && $0.mark.size == size }
    if content.wireSize == size || marks.isEmpty { return (content.identity, .whole) }
    let store = store
    let seals = try attempt(PartialSeals.find(store))
    guard let mark = seals?.mark(in: content), mark.size == size else { return nil }
    return (content.identity, .partial(name: mark.name))
  }
}
