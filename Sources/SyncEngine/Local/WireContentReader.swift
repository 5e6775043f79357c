internal import Maildir
internal import SyncPlan

/// Computes the identity of a message while its octets come over the wire.
final class WireContentReader {
  private var reader: ContentReader? = ContentReader()
  private var lineEnds = LineEnds()

  /// Takes the next octets.
  func take(_ octets: ArraySlice<UInt8>) {
    let text = lineEnds.convert(octets)
    text.withUnsafeBytes { reader?.take($0) }
  }

  /// The identity of what was taken; empty when asked twice.
  func finish() -> ContentIdentity {
    let text = lineEnds.finish()
    text.withUnsafeBytes { reader?.take($0) }
    return reader.take()?.finish()
      ?? ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  }
}
