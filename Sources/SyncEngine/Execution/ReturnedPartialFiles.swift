internal import MIME
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Messages that are on record as whole and whose files are partial: such a file was put back from a backup that was made before
/// its message was made whole.
///
/// The file decides, before anything is planned, or removing it would take the only whole copy from the server. Only a file
/// that this account sealed for just this message counts.
struct ReturnedPartialFiles {
  /// No smaller message was ever mirrored without its attachments, in octets.
  private static let sizeLimit: UInt64 = 100_000

  private let context: AccountContext
  private let seals: PartialSeals?

  /// Those of an account; none where it never wrote a partial file.
  init(_ context: AccountContext) throws(SyncFailure) {
    self.context = context
    seals = try attempt { () throws(SystemError) in try PartialSeals.find(context.store) }
  }

  /// Corrects the records of a mailbox; durable when it returns.
  func settle(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard let seals else { return }
    var records: [StateRecord] = []
    for record in mailbox.state.messages.wholeRecords(ofAtLeast: Self.sizeLimit) {
      guard let content = try content(record, mailbox), let mark = seals.mark(in: content),
        mark.size == record.size, content.identity.messageID == record.identity?.messageID
      else { continue }
      var partial = record
      partial.identity = content.identity
      partial.completeness = .partial(name: mark.name)
      records.append(.message(partial))
      let place = mailbox.mailbox.path.display
      context.report(
        .step("\(place): the file of message \(record.uid) is without its attachments again")
      )
    }
    if !records.isEmpty { try mailbox.record(records) }
  }

  /// What a file holds that may be partial; nil where it is none, or all of the message.
  private func content(
    _ record: BaseRecord,
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) -> MessageContents? {
    guard let path = mailbox.path(of: record.name) else { return nil }
    let status = try attempt { () throws(SystemError) in try FileSystem.status(path) }
    // A partial file has half of the message at most, and the field of our own.
    guard let status, UInt64(clamping: status.size) <= record.size / 2 + 1000 else { return nil }
    return try mailbox.content(of: record.name)
  }
}
