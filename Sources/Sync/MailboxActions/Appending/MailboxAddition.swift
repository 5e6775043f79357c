package import MailModel
internal import MIME
internal import MailStore
package import MessageContent
package import Octets
package import Platform
internal import SyncState

/// A message that lies in no folder, and is to be put into a mailbox of the server.
package struct MailboxAddition: Sendable {
  /// Where it goes.
  package enum Target: Hashable, Sendable {
    /// The mailbox for what was sent, which is made where there is none.
    case sent
    /// A mailbox by its decoded name, slashes between its levels.
    case mailbox([UInt8])
  }

  private let octets: any OctetSource
  let target: Target
  /// The flags that it gets.
  package let marks: MessageFlags
  /// The date that it gets.
  package let arrival: Int64?
  let isUnique: Bool
  let facts: ContentReading.Facts

  /// The Message-ID with its brackets, fit to be searched for; nil where there is none.
  let messageID: [UInt8]?

  /// A message for a mailbox.
  ///
  /// - Parameters:
  ///   - octets: the message, its line ends LF or CRLF.
  ///   - target: where it goes.
  ///   - flags: the flags it gets, as IMAP writes them.
  ///   - date: the date it gets, in seconds since 1970; nil leaves it to the server.
  ///   - isUnique: whether a message of the same Message-ID that is there is this one.
  /// - Throws: `SourceError` where the message cannot be read.
  package init(
    _ octets: any OctetSource,
    to target: Target,
    flags: [[UInt8]],
    date: Int64?,
    isUnique: Bool
  ) throws(SourceError) {
    self.octets = octets
    self.target = target
    marks = MessageFlags(imapNames: flags)
    arrival = date
    self.isUnique = isUnique
    var reading = ContentReading()
    var pieces = octets.pieces
    while let piece = try pieces.next() { reading.readOctets(piece) }
    facts = reading.finish()
    let start = try octets.octets(in: 0..<min(octets.count, 2 * Self.headerLimit))
    let header = start.filter { $0 != ASCII.carriageReturn }.prefix(Self.headerLimit)
    messageID = HeaderSearch.value("Message-ID:", in: header)
  }

  /// A header is searched for its Message-ID up to this many octets.
  private static let headerLimit = 256 << 10

  /// What IMAP cannot carry, or the server does not take; nil where nothing speaks against it.
  func objection(limit: UInt64?, _ partial: PartialFiles) throws(SyncFailure) -> FileProblem? {
    if facts.containsNUL { return .containsNUL }
    if facts.wireSize == 0 { return .empty }
    let isPartial = try attempt(partial.isPartial(facts.marks))
    if isPartial { return .partial }
    if let limit, facts.wireSize > limit { return .tooBig(limit: limit) }
    return nil
  }
}

extension MailboxAddition: MessageSource {
  /// Octets on the wire.
  package var wireSize: UInt64 { facts.wireSize }

  /// Reads it from its beginning.
  package func open() throws(SystemError) -> WireReader { WireReader(octets) }
}
