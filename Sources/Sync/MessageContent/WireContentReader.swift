package import Octets
package import Platform
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

/// Reads a message in the form in which it goes over the wire: every line end as CRLF.
package struct WireReader: ~Copyable {
  private var pieces: OctetPieces
  private var lineEnds = LineEnds()
  private var ready: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// Opens a message file; it stays the same when it is renamed.
  package init(_ path: Path) throws(SystemError) {
    self.init(try FileOctets(Descriptor.open(path, .read)))
  }

  package init(_ message: any OctetSource) {
    pieces = message.pieces
  }

  /// The next octets, at most so many; empty only at the end.
  package mutating func next(atMost count: Int) throws(SystemError) -> ArraySlice<UInt8> {
    while ready.isEmpty, !isAtEnd {
      let text: [UInt8]
      if let run = try nextRun() {
        text = lineEnds.convert(run)
      } else {
        isAtEnd = true
        text = lineEnds.finish()
      }
      ready = LineEnds.restored(text[...])[...]
    }
    let next = ready.prefix(count)
    ready = ready.dropFirst(count)
    return next
  }

  /// The next octets of the message; nil at its end, also where it is shorter than it was.
  private mutating func nextRun() throws(SystemError) -> ArraySlice<UInt8>? {
    do throws(SourceError) {
      return try pieces.next()
    } catch {
      guard case .system(let code) = error.problem else { return nil }
      throw SystemError(operation: "read", path: error.path.map { Path($0) }, code: code)
    }
  }
}
