internal import Maildir
internal import SyncPlan

/// Reads the content of a message while its octets come over the wire.
package final class WireContentReader {
  private var reader: ContentReader? = ContentReader(readsEssentials: true)
  private var lineEnds = LineEnds()

  /// A reader that took nothing yet.
  package init() {}

  /// Reads the next octets.
  package func readOctets(_ octets: ArraySlice<UInt8>) {
    let text = lineEnds.convert(octets)
    text.withUnsafeBytes { reader?.readOctets($0) }
  }

  /// What was taken; empty when asked twice.
  package func finish() -> ReadContent {
    let text = lineEnds.finish()
    text.withUnsafeBytes { reader?.readOctets($0) }
    guard let contents = reader.take()?.finishContents() else {
      let nothing = ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
      return ReadContent(identity: nothing, former: nil)
    }
    return ReadContent(
      identity: contents.identity,
      former: contents.former,
      essential: contents.essential
    )
  }
}
