internal import Configuration
internal import MIME
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// A message whose file is partial, as it is on record.
struct PartialMessage {
  /// What its mailbox is about.
  let header: MailboxHeader
  /// Its record.
  let record: BaseRecord
}

/// Finds the message of a partial file in what is recorded of an account.
///
/// Nothing is locked: what a sync changes meanwhile the server shows, which is asked for the message before it counts.
struct PartialMessageFinder {
  private let places: AccountPlaces
  private let file: Path
  /// The opaque name that the file bears, if it was this account that wrote it.
  private let sealed: [UInt8]?

  /// A finder for a file in the Maildirs of an account.
  ///
  /// - Throws: the error of reading the file.
  init(_ file: Path, of account: Account) throws(SystemError) {
    places = AccountPlaces(of: account)
    self.file = file
    let contents = try MessageContents(of: file)
    let seals = try PartialSeals.find(places.store)
    sealed = contents.flatMap { seals?.mark(in: $0)?.name }
  }

  /// The opaque name of the message, which the file bears or its record has; nil where it is no partial file of the account.
  func name() throws(SystemError) -> [UInt8]? {
    if let sealed { return sealed }
    guard let found = try here() else { return nil }
    return Self.name(found.record)
  }

  /// The message: by the record of its file, or where that lies elsewhere by now by the opaque name.
  func message() throws(SystemError) -> PartialMessage? {
    let here = try here()
    guard let sealed, here.flatMap({ Self.name($0.record) }) != sealed else { return here }
    for header in try places.store.headers() {
      guard let state = try places.store.state(of: header.id) else { continue }
      if let record = state.sortedMessages.first(where: { Self.name($0) == sealed }) {
        return PartialMessage(header: state.header, record: record)
      }
    }
    return nil
  }

  private static func name(_ record: BaseRecord) -> [UInt8]? {
    if case .partial(let name) = record.completeness { name } else { nil }
  }

  /// The message that is recorded for the file in its folder, if it is partial.
  private func here() throws(SystemError) -> PartialMessage? {
    let folder = file.parent.parent
    guard let owner = try OwnershipMarker(folder).readableOwner(),
      let state = try places.store.state(of: owner),
      // A copy of the folder bears the same marker.
      Self.real(places.tree.path(of: state.header.directory)) == Self.real(folder),
      let uid = state.uid(of: FileName(file.lastComponent).base),
      let record = state.messages[uid], record.completeness.isPartial
    else { return nil }
    return PartialMessage(header: state.header, record: record)
  }

  private static func real(_ path: Path) -> Path { (try? FileSystem.realPath(path)) ?? path }
}
