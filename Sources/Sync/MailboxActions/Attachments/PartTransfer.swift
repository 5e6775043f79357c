internal import MIME
internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The way of one part from the server into a file, piece by piece; goes on over another connection where one broke.
struct PartTransfer {
  /// How it ended.
  enum End: Hashable {
    /// The file has all of it.
    case complete
    /// The message, or its mailbox, is there no longer.
    case gone
    /// Another message has its UID.
    case otherMessage
    /// The message has another part there.
    case otherPart(PartFacts.Difference)
    /// The server does not give it so.
    case notGiven
  }

  /// Octets of a piece, and pieces that are asked for at once.
  private static let pieceSize = 256 << 10
  private static let flight = 4
  private static let messageID = Array("header.fields (message-id)".utf8)
  private static let headerLimit = 64 << 10

  private let message: RecordedFile
  private let part: PartPlaceholder
  private let file: IncomingAttachment
  private var decoder: PartDecoder
  /// Octets of the body that were taken.
  private(set) var received = 0
  /// The last of them.
  private var last: UInt8?
  /// Whether message and part are those that are wanted.
  private var isVerified = false

  /// A transfer of which nothing is done; nil where the part cannot be had piece by piece.
  init?(_ message: RecordedFile, _ part: PartPlaceholder, into file: IncomingAttachment) {
    guard let decoder = part.decoder, Int(exactly: part.size) != nil,
      message.record.identity != nil
    else { return nil }
    self.message = message
    self.part = part
    self.file = file
    self.decoder = decoder
  }

  private var size: Int { Int(part.size) }
  private var uid: UInt32 { message.record.uid }
  private var section: [UInt8] { Array(part.section.description.utf8) }
  private var mailbox: MailboxReference {
    MailboxReference(MailboxName(wire: message.header.mailbox), message.header.identity)
  }

  /// Fetches what is missing; `progress` takes how many octets came.
  ///
  /// - Throws: a failure of the connection, after which it may be called again with another one; what keeps the file from being
  ///   written.
  mutating func fetchPart(
    over store: any MailStore,
    progress: (Int) -> Void
  ) throws(SyncFailure) -> End {
    do throws(SyncFailure) {
      if !isVerified, let end = try begin(store) { return end }
      while received < size {
        progress(received)
        if let end = try goOn(store) { return end }
      }
    } catch {
      if case .mailbox(.identityChanged) = error { return .gone }
      throw error
    }
    try write(decoder.convert([], isEnd: true))
    return hasSurplus ? .notGiven : .complete
  }

  /// Whether the server counts half of the line end before the next boundary to the part, as Courier does with a message of one
  /// part inside.
  private var hasSurplus: Bool {
    last == ASCII.carriageReturn && part.facts.encoding != .base64
  }

  // MARK: Questions

  /// Asks for what shows that it is the part that is wanted, and for the first piece.
  private mutating func begin(_ store: any MailStore) throws(SyncFailure) -> End? {
    let header = section + Array(".mime".utf8)
    let order = SectionOrder(
      uid: uid,
      sections: [
        SectionOrder.Section(Self.messageID, limit: Self.headerLimit),
        SectionOrder.Section(header, limit: PartialPlan.partHeaderLimit),
        piece(at: received),
      ]
    )
    guard let answer = try store.sections([order], in: mailbox).first else {
      return try missing(store)
    }
    guard let messageID = answer.sections[Array("header".utf8)],
      let mime = answer.sections[header], mime.count < PartialPlan.partHeaderLimit
    else { return .notGiven }
    guard !answer.message.size.differs(from: message.record.size),
      HeaderFacts(wire: messageID).messageID == message.record.identity?.messageID
    else { return .otherMessage }
    if let difference = part.facts.difference(from: PartFacts(wire: mime)) {
      return .otherPart(difference)
    }
    isVerified = true
    return try writePiece(answer, at: received)
  }

  /// Asks for the next pieces.
  private mutating func goOn(_ store: any MailStore) throws(SyncFailure) -> End? {
    let starts = (0..<Self.flight).map { received + $0 * Self.pieceSize }.filter { $0 < size }
    let orders = starts.map { SectionOrder(uid: uid, sections: [piece(at: $0)]) }
    let answers = try store.sections(orders, in: mailbox)
    guard answers.count == orders.count else { return try missing(store) }
    for (start, answer) in zip(starts, answers) {
      guard !answer.message.size.differs(from: message.record.size) else { return .otherMessage }
      if let end = try writePiece(answer, at: start) { return end }
    }
    return nil
  }

  /// A piece; of the last one an octet more, which shows that the part is longer than it may be.
  private func piece(at start: Int) -> SectionOrder.Section {
    SectionOrder.Section(section, from: start, limit: length(at: start) + (isLast(start) ? 1 : 0))
  }

  private func length(at start: Int) -> Int { min(Self.pieceSize, size - start) }
  private func isLast(_ start: Int) -> Bool { size - start <= Self.pieceSize }

  /// What it means that the server gives nothing of the message.
  private func missing(_ store: any MailStore) throws(SyncFailure) -> End {
    try store.flags(of: [uid], in: mailbox)[uid] == nil ? .gone : .notGiven
  }

  // MARK: Octets

  /// Writes a piece; gives how all of it ends where this is not what was asked for.
  private mutating func writePiece(
    _ answer: FetchedSections,
    at start: Int
  ) throws(SyncFailure) -> End? {
    guard let octets = answer.sections[section] else { return .notGiven }
    guard octets.count == length(at: start) else { return .otherPart(.size) }
    try write(decoder.convert(octets[...], isEnd: false))
    received = start + octets.count
    last = octets.last ?? last
    return nil
  }

  private func write(_ octets: [UInt8]) throws(SyncFailure) {
    try attempt(file.writeOctets(octets))
  }
}
