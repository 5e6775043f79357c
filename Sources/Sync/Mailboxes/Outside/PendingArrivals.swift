internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Messages on their way to mailboxes that are not planned now.
///
/// Interrupted runs began to upload or to move them. Or they recorded them there, and not yet where they came from.
struct PendingArrivals {
  /// Those whose files are not where they are to arrive, as they would be on record.
  private(set) var fileless: [BaseRecord] = []
  /// Where they were before, for those that were in a mailbox.
  private(set) var origins: Set<Intent.Origin> = []

  /// Adds those of a mailbox with its Maildir.
  mutating func add(_ state: MailboxState, _ maildir: Path) throws(SyncFailure) {
    let intents = state.intents.values
    origins.formUnion(intents.compactMap(Self.origin))
    let records = intents.compactMap(Self.record)
    guard !records.isEmpty else { return }
    let scan = try attempt(MaildirScan.scanIfPresent(maildir))
    fileless += records.filter { scan?.files[$0.name] == nil }
  }

  private static func origin(of intent: Intent) -> Intent.Origin? {
    switch intent {
    case .append(let upload): upload.origin
    case .move(let transfer): transfer.origin
    case .follow(let following): following.origin
    case .leave(let origin): origin
    case .copy, .discard, .unmark: nil
    }
  }

  private static func record(of intent: Intent) -> BaseRecord? {
    switch intent {
    case .append(let upload):
      record(upload.name, upload.flags, upload.size, upload.identity, .whole)
    case .move(let transfer):
      record(transfer.name, nil, transfer.size, transfer.identity, transfer.completeness)
    // A file that left its place may be anywhere, and is found by the record that it has there.
    case .copy, .discard, .follow, .leave, .unmark: nil
    }
  }

  private static func record(
    _ name: [UInt8],
    _ flags: MessageFlags?,
    _ size: UInt64?,
    _ identity: ContentIdentity?,
    _ completeness: Completeness
  ) -> BaseRecord {
    BaseRecord(
      uid: 0,
      name: name,
      flags: flags ?? MessageFlags(),
      size: size,
      identity: identity,
      completeness: completeness
    )
  }
}
