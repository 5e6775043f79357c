internal import Octets
package import SyncPlan
internal import Transport

/// Computes a message's `ContentIdentity` while its octets pass by, line ends as LF.
package struct ContentReader: ~Copyable {
  /// A header is searched for its Message-ID up to this many octets.
  private static let headerLimit = 256 << 10

  private var header: [UInt8]? = []
  private var body = SHA256()

  /// A reader that took nothing yet.
  package init() {}

  /// Takes the next octets of the message.
  package mutating func take(_ octets: UnsafeRawBufferPointer) {
    guard var gathered = header else { return body.update(octets) }
    header = nil
    let searchStart = max(0, gathered.count - 1)
    gathered += octets
    if let end = Self.bodyStart(gathered, from: searchStart) {
      finishHeader(gathered[..<end])
      gathered[end...].withUnsafeBytes { body.update($0) }
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

  /// The identity of what was taken, and what its header tells.
  package consuming func finishContents() -> (identity: ContentIdentity, header: HeaderFacts) {
    if let header { finishHeader(header[...]) }
    let facts = facts ?? HeaderFacts([])
    let digest = body.finish()
    let identity = ContentIdentity(
      messageID: facts.messageID,
      bodyHigh: UInt64(octets: digest[..<8]),
      bodyLow: UInt64(octets: digest[8..<16]),
      header: facts.fields
    )
    return (identity, facts)
  }

  private var facts: HeaderFacts?

  private mutating func finishHeader(_ octets: ArraySlice<UInt8>) {
    header = nil
    facts = HeaderFacts(octets)
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
