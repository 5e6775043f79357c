internal import MIME
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// A file that holds parts of a message only, by its record or, where there is none, by what it says of itself.
struct PartialFile {
  /// What it says of itself, and its record has.
  let name: [UInt8]
  /// RFC822.SIZE of the whole message, in octets; nil where it is not known.
  let size: UInt64?

  /// The partial file that a file is; nil where it is none of this account's.
  init?(_ content: MessageContents, _ record: BaseRecord?, _ seals: PartialSeals?) {
    if let record, case .partial(let name) = record.completeness {
      // One that was exchanged for the message by a run that could not record it.
      guard content.wireSize != record.size else { return nil }
      (self.name, size) = (name, record.size)
    } else if record == nil, let mark = seals?.mark(in: content) {
      (name, size) = (mark.name, mark.size)
    } else {
      return nil
    }
  }
}
