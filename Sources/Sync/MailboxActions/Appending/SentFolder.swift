internal import Configuration
internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The folder of the mailbox for what was sent, in which a mail client may have left a copy of its own.
///
/// The account's lock is held meanwhile.
struct SentFolder {
  /// What it has of a message.
  enum Finding: Hashable {
    case nothing
    /// The map says that the server has it, or had it until it was removed.
    case mirrored
    /// A file that the sync is going to upload.
    case toBeUploaded
  }

  private let account: Account
  private let places: AccountPlaces
  private let mailbox: ServerMailbox

  init(_ connection: AccountConnection, _ mailbox: ServerMailbox) {
    account = connection.account
    places = connection.places
    self.mailbox = mailbox
  }

  /// Looks for a message by the hash of its Message-ID.
  func find(_ messageID: UInt64) throws(SyncFailure) -> Finding {
    guard messageID != 0, let state = try state() else { return .nothing }
    if state.messages.values.contains(where: { $0.identity?.messageID == messageID }) {
      return .mirrored
    }
    guard account.sync.settings(of: mailbox.names).direction != .pull, isSelected else {
      return .nothing
    }
    if isUnderWay(messageID, state) { return .toBeUploaded }
    let isThere = try attempt(hasFile(messageID, state))
    return isThere ? .toBeUploaded : .nothing
  }

  private var isSelected: Bool {
    account.sync.selects(mailbox.names)
  }

  /// What is recorded of the mailbox; nil where it is not mirrored.
  private func state() throws(SyncFailure) -> MailboxState? {
    try attempt { () throws(SystemError) in
      guard let entry = try places.store.loadSummary()?.entries[mailbox.name.wire] else {
        return nil
      }
      return try places.store.state(of: entry.header.id)
    }
  }

  /// Whether an upload of it was begun by a run that did not end.
  private func isUnderWay(_ messageID: UInt64, _ state: MailboxState) -> Bool {
    state.intents.values.contains { intent in
      if case .append(let upload) = intent { upload.identity.messageID == messageID } else { false }
    }
  }

  private func hasFile(_ messageID: UInt64, _ state: MailboxState) throws(SystemError) -> Bool {
    let directory = places.tree.path(of: state.header.directory)
    let pending = state.pendingNames
    for file in try MaildirScan.scanIfPresent(directory)?.files ?? FileTable()
    where !state.isRecorded(file.name.base) && !pending.contains(file.name.base) {
      let contents = try MessageContents(of: file.path(in: directory))
      if contents?.identity.messageID == messageID { return true }
    }
    return false
  }
}
