internal import Maildir
package import SyncPlan

/// Computes the identity of a message while its octets come over the wire.
package final class WireContentReader {
  private var reader: ContentReader? = ContentReader()
  private var lineEnds = LineEnds()

  /// A reader that took nothing yet.
  package init() {}

  /// Takes the next octets.
  package func take(_ octets: ArraySlice<UInt8>) {
    let text = lineEnds.convert(octets)
    text.withUnsafeBytes { reader?.take($0) }
  }

  /// The identity of what was taken; empty when asked twice.
  package func finish() -> ContentIdentity {
    let text = lineEnds.finish()
    text.withUnsafeBytes { reader?.take($0) }
    return reader.take()?.finish()
      ?? ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  }
}
