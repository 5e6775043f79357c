internal import Configuration
internal import MIME
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds the message of a partial file in what is recorded of an account.
///
/// Nothing is locked: what a sync changes meanwhile the server shows, which is asked for the message before it counts.
struct PartialMessageFinder {
  private let places: AccountPlaces
  private let file: Path
  /// The opaque name that the file bears, if it was this account that wrote it.
  private let sealed: [UInt8]?

  /// A finder for a partial file in the Maildirs of an account.
  ///
  /// - Throws: the error of reading the file.
  init(_ file: Path, of account: Account) throws(SystemError) {
    places = AccountPlaces(of: account)
    self.file = file
    let contents = try MessageContents(of: file)
    let seals = try PartialSeals.find(places.store)
    sealed = contents.flatMap { seals?.mark(in: $0)?.name }
  }

  /// The opaque name of the message, which the file bears or its record has; nil where neither is so.
  func name() throws(SystemError) -> [UInt8]? {
    if let sealed { return sealed }
    return try here().flatMap { Self.name($0.record) }
  }

  /// The message: by the record of its file, or where that lies elsewhere by now by the opaque name.
  func message() throws(SystemError) -> RecordedFile? {
    let here = try here()
    guard let sealed, here.flatMap({ Self.name($0.record) }) != sealed else { return here }
    for header in try places.store.headers() {
      guard let state = try places.store.state(of: header.id) else { continue }
      if let record = state.sortedMessages.first(where: { Self.name($0) == sealed }) {
        return RecordedFile(header: state.header, record: record)
      }
    }
    return nil
  }

  private static func name(_ record: BaseRecord) -> [UInt8]? {
    if case .partial(let name) = record.completeness { name } else { nil }
  }

  /// The message that is recorded for the file in its folder, if it is partial.
  private func here() throws(SystemError) -> RecordedFile? {
    let found = try RecordedFile(file, in: [places.tree])
    return found?.record.completeness.isPartial == true ? found : nil
  }
}
