internal import MIME
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Messages that are on record as whole and whose files are partial: such a file was put back from a backup that was made before
/// its message was made whole.
///
/// The file decides, before anything is planned: otherwise its removal would remove the only whole copy from the server. This
/// also holds where it came back to another mailbox of the group, in which the message was then. There it has the name of its
/// message, and no other file has that name. Only a file that this account sealed for just this message counts.
struct ReturnedPartialFiles {
  /// No smaller message was ever mirrored without its attachments, in octets.
  private static let sizeLimit: UInt64 = 100_000

  private let context: AccountContext
  private let seals: PartialSeals?
  /// The base names of new files.
  private let additions: [(mailbox: OpenMailbox, names: OctetSet)]

  /// Those of mailboxes that are seen together; none where the account never wrote a partial file.
  init(_ context: AccountContext, _ group: [OpenMailbox]) throws(SyncFailure) {
    self.context = context
    let seals = try attempt(PartialSeals.find(context.store))
    self.seals = seals
    additions =
      seals == nil
      ? [] : group.filter { !$0.hasFailed }.map { ($0, OctetSet($0.additions)) }
  }

  /// Corrects the records of a mailbox; durable when it returns.
  func correctRecords(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard SyncRule.partialFiles.isOn, let seals else { return }
    var records: [StateRecord] = []
    for record in mailbox.state.messages.wholeRecords(ofAtLeast: Self.sizeLimit) {
      guard let content = try content(record, mailbox), let mark = seals.mark(in: content),
        case let found = Trace(messageID: content.identity.messageID, size: mark.size),
        Sameness.compare(Trace(record), found, .inPlace).level >= .likely
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

  /// What the file of a message holds, or where that is gone the only new one of its name; nil where there is none, or it may be
  /// all of the message.
  private func content(
    _ record: BaseRecord,
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) -> MessageContents? {
    guard let path = mailbox.path(of: record.name) else { return elsewhere(record) }
    let status = try attempt(FileSystem.status(path))
    // A partial file has half of the message at most, and the field of our own.
    guard let status, let size = record.size, UInt64(clamping: status.size) <= size / 2 + 1000
    else { return nil }
    return try mailbox.content(of: record.name)
  }

  /// A file under another name may be a copy of what was partial then: it says nothing of the message, nor does one of its name
  /// where the whole file is new elsewhere.
  private func elsewhere(_ record: BaseRecord) -> MessageContents? {
    let holders = additions.filter { $0.names.contains(record.name) }.map(\.mailbox)
    guard holders.count == 1, let path = holders[0].path(of: record.name),
      (try? PartialMarks.field(ofFile: path)) != nil,
      let content = try? holders[0].content(of: record.name),
      Sameness.compare(Trace(fileOf: record), content.trace, .inPlace).agreeing.contains(.header),
      !isNewElsewhere(record)
    else { return nil }
    return content
  }

  private func isNewElsewhere(_ record: BaseRecord) -> Bool {
    guard let own = Trace(fileOf: record).key(.content) else { return false }
    return additions.contains { mailbox, names in
      names.contains { (try? mailbox.content(of: $0))?.trace.key(.content) == own }
    }
  }
}
