internal import Correspondence
internal import Hashing
internal import Maildir
internal import MailModel
internal import Mbox
internal import MessageContent
internal import Octets
internal import Platform
internal import RestorePlan
internal import Triage

/// A message on its way into tmp of its folder, read while its octets pass by.
final class ImportedMessage {
  let folder: ImportFolder
  /// The base name of its file.
  let base: [UInt8]
  let flags: SystemFlags
  let tags: [[UInt8]]
  /// Its source, and where it begins there.
  let source: Path
  let offset: Int
  /// Whether it was put together from several files.
  let isJoined: Bool
  /// Its Message-ID without brackets; nil where it has none.
  let messageID: [UInt8]?

  private let hasHeader: Bool
  private let isTooLong: Bool
  private let isDraft: Bool
  private var reading: ContentReading? = ContentReading()
  private var hash: SHA256? = SHA256()
  private var lineEnds = LineEnds()
  private var delivery: MaildirDelivery?
  private var delivered: DeliveredMessage?

  /// What a message turned out to be.
  struct Contents {
    let facts: ContentReading.Facts
    /// What another message is equal by.
    let key: CopyKey
    /// What this one would be equal by: as a draft, and as a finished message.
    let keys: [CopyKey]
  }

  /// A message of which nothing was written yet; where `isDryRun` says so nothing is.
  init(
    _ head: MboxHead,
    _ fields: ContainerFields,
    of stream: SourceStream,
    to folder: ImportFolder,
    flags: SystemFlags,
    tags: [[UInt8]],
    date: Int64,
    isDryRun: Bool
  ) {
    (self.folder, self.flags, self.tags) = (folder, flags, tags)
    (source, isJoined) = (stream.path, stream.isJoined)
    offset = head.offset
    messageID = fields.messageID
    hasHeader = fields.hasFields
    isTooLong = head.isTooLong
    isDraft = flags.contains(.draft) || folder.holdsDrafts
    base = ImportName.base()
    guard !isDryRun, !isTooLong else { return }
    delivery = MaildirDelivery(to: folder.path, temporaryName: base, modified: date)
  }

  /// Takes the next octets.
  ///
  /// - Throws: why they cannot be written.
  func write(_ octets: ArraySlice<UInt8>) throws(SystemError) {
    guard !isTooLong, !octets.isEmpty else { return }
    reading?.readOctets(octets)
    updateHash(lineEnds.convert(octets))
    try delivery?.write(octets)
  }

  private func updateHash(_ octets: [UInt8]) {
    LineEnds.restored(octets[...]).withUnsafeBytes { hash?.update($0) }
  }

  /// What it is, once all of it was written; only once.
  func contents() -> Contents? {
    guard let facts = reading.take()?.finish() else { return nil }
    updateHash(lineEnds.finish())
    let finished = CopyKey(facts.identity)
    let draft = (hash.take()?.finish()).flatMap { WireDigest($0) }.map { CopyKey(draft: $0) }
    return Contents(
      facts: facts,
      key: isDraft ? draft ?? finished : finished,
      keys: [finished] + (draft.map { [$0] } ?? [])
    )
  }

  /// Why it is not brought in; nil where it is.
  ///
  /// - Throws: why it cannot be told whether it is whole.
  func obstacle(_ contents: Contents, _ isPartial: Bool) -> ImportFlaw? {
    if isTooLong { return .longHeader(limit: MboxReader.headerLimit) }
    if contents.facts.wireSize == 0 { return .empty }
    if !hasHeader { return .noHeader }
    if contents.facts.containsNUL { return .containsNUL }
    return isPartial ? .partial : nil
  }

  /// Completes its file in tmp, unless that was done before; nil where nothing is written.
  ///
  /// - Throws: why it cannot be written; no file is left then.
  func deliver() throws(SystemError) -> DeliveredMessage? {
    if let delivery = delivery.take() { delivered = try delivery.finish() }
    return delivered
  }

  /// Removes what was written.
  func discard() {
    delivery = nil
    if let delivered = delivered.take() { try? FileSystem.remove(delivered.temporaryPath) }
  }

  /// Where its file goes: to new if no program has shown it yet.
  var placing: (Subdirectory, FileName) {
    flags.isEmpty
      ? (.new, FileName(base)) : (.cur, FileName(base: base, flags: flags))
  }
}

/// The names of files that are brought in.
enum ImportName {
  static let suffix = Arrival.importedSuffix

  /// A base name that no other file has.
  static func base() -> [UInt8] { FolderDelivery.base(suffix) }
}
