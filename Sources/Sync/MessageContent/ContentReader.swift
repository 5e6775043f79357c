internal import Octets
package import SyncPlan
internal import Hashing

/// Computes a message's `ContentIdentity` while its octets pass by, line ends as LF.
///
/// What servers add or drop is no difference: the line end behind the last line, and CR without LF.
package struct ContentReader: ~Copyable {
  /// A header is searched for its Message-ID up to this many octets.
  private static let headerLimit = 256 << 10

  private var header: [UInt8]? = []
  /// The hash of the octets as they are.
  private var body = SHA256()
  /// The hash without CR; nil while none came.
  private var bare: SHA256?
  /// The last octet of the body; nil while it is empty.
  private var last: UInt8?
  private var facts: HeaderFacts?
  /// The facts without CR; nil where there is none.
  private var bareFacts: HeaderFacts?
  private var essentials: EssentialContent.Reader?

  /// A reader that took nothing yet, which tells what a server that rewrites messages leaves of one only where that is asked for.
  package init(readsEssentials: Bool = false) {
    if readsEssentials { essentials = EssentialContent.Reader() }
  }

  /// Reads the next octets of the message.
  package mutating func readOctets(_ octets: UnsafeRawBufferPointer) {
    guard var gathered = header else { return addToBody(octets) }
    header = nil
    let searchStart = max(0, gathered.count - 1)
    gathered += octets
    if let end = Self.bodyStart(gathered, from: searchStart) {
      finishHeader(gathered[..<end])
      gathered[end...].withUnsafeBytes { addToBody($0) }
    } else if gathered.count > Self.headerLimit {
      finishHeader(gathered[...])
    } else {
      header = gathered
    }
  }

  /// The identity of what was taken.
  package consuming func finish() -> ContentIdentity {
    finishContents().identity
  }

  /// What was taken, and what its header tells.
  package struct Contents {
    package let identity: ContentIdentity
    /// The identity as it was recorded before it left out what servers add or drop; nil where both are the same.
    package let former: ContentIdentity?
    package let header: HeaderFacts
    /// What a server that rewrites messages leaves of it; nil where that was not asked for.
    package let essential: EssentialContent?
  }

  /// The identity of what was taken, and what its header tells.
  package consuming func finishContents() -> Contents {
    if let header { finishHeader(header[...]) }
    let essential = essentials?.finish()
    let facts = facts ?? HeaderFacts([])
    let lacksLineEnd = last.map { $0 != ASCII.lineFeed } ?? false
    var same = bare.take()
    if same == nil, lacksLineEnd { same = body.copy() }
    if lacksLineEnd { same?.update([ASCII.lineFeed]) }
    let exact = Self.identity(facts, body.finish())
    guard bareFacts != nil || same != nil else {
      return Contents(identity: exact, former: nil, header: facts, essential: essential)
    }
    let digest = same.take()?.finish()
    let identity = ContentIdentity(
      messageID: (bareFacts ?? facts).messageID,
      bodyHigh: digest.map { UInt64(octets: $0[..<8]) } ?? exact.bodyHigh,
      bodyLow: digest.map { UInt64(octets: $0[8..<16]) } ?? exact.bodyLow,
      header: (bareFacts ?? facts).fields
    )
    return Contents(
      identity: identity,
      former: identity == exact ? nil : exact,
      header: facts,
      essential: essential
    )
  }

  private static func identity(_ facts: HeaderFacts, _ digest: [UInt8]) -> ContentIdentity {
    ContentIdentity(
      messageID: facts.messageID,
      bodyHigh: UInt64(octets: digest[..<8]),
      bodyLow: UInt64(octets: digest[8..<16]),
      header: facts.fields
    )
  }

  private mutating func addToBody(_ octets: UnsafeRawBufferPointer) {
    guard let end = octets.last else { return }
    essentials?.takeBody(octets.lazy.filter { $0 != ASCII.carriageReturn })
    let hasReturn = octets.contains(ASCII.carriageReturn)
    if hasReturn, bare == nil { bare = body.copy() }
    body.update(octets)
    guard bare != nil else { return last = end }
    let text = octets.filter { $0 != ASCII.carriageReturn }
    bare?.update(text)
    last = text.last ?? last
  }

  private mutating func finishHeader(_ octets: ArraySlice<UInt8>) {
    header = nil
    facts = HeaderFacts(octets)
    essentials?.takeHeader(octets.filter { $0 != ASCII.carriageReturn }[...])
    guard octets.contains(ASCII.carriageReturn) else { return }
    bareFacts = HeaderFacts(octets.filter { $0 != ASCII.carriageReturn }[...])
  }

  /// Where the body begins: behind the first empty line.
  private static func bodyStart(_ octets: [UInt8], from start: Int) -> Int? {
    if octets.first == ASCII.lineFeed { return 1 }
    var position = start
    while let end = octets[position...].firstIndex(of: ASCII.lineFeed) {
      guard end + 1 < octets.count else { return nil }
      if octets[end + 1] == ASCII.lineFeed { return end + 2 }
      position = end + 1
    }
    return nil
  }
}
