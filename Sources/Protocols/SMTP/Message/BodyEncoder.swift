internal import Octets

/// The way of a message onto the wire (RFC 5321 §4.5.2).
///
/// On the wire every CR is followed by LF and every LF preceded by CR, and every line that begins
/// with a dot begins with one more, so only `finish()` can end the message. In a chunk (RFC 3030 §2), whose length is said
/// before, dots stay as they are and nothing is added at the end.
struct BodyEncoder: Sendable {
  private let isChunk: Bool
  private var walker = LineWalker()

  /// The octets encoded so far, stuffed dots not counted.
  private(set) var size: UInt64 = 0

  /// The way of a message into the text behind DATA, or into a chunk.
  init(isChunk: Bool) { self.isChunk = isChunk }

  /// The next octets of the message as they go on the wire.
  mutating func encode(_ octets: ArraySlice<UInt8>) throws(MessageError) -> [UInt8] {
    var wire: [UInt8] = []
    // One octet more a line where lines end with LF; 32 octets make a short line.
    wire.reserveCapacity(octets.count + octets.count / 32)
    var stuffed = 0
    let isStuffed = !isChunk
    try walker.walk(octets) { Self.write($0, isStuffed: isStuffed, to: &wire, &stuffed) }
    size += UInt64(wire.count - stuffed)
    return wire
  }

  /// The end of the message, that of its last line included if it has none.
  ///
  /// - Throws: `MessageError` when the last line ends with a CR alone.
  mutating func finish() throws(MessageError) -> [UInt8] {
    var wire: [UInt8] = []
    var stuffed = 0
    try walker.finish { Self.write($0, isStuffed: false, to: &wire, &stuffed) }
    size += UInt64(wire.count)
    return isChunk ? wire : wire + Self.end
  }

  /// The end of data behind a line end.
  static let end = [ASCII.dot, ASCII.carriageReturn, ASCII.lineFeed]

  private static func write(
    _ piece: LineWalker.Piece,
    isStuffed: Bool,
    to wire: inout [UInt8],
    _ stuffed: inout Int
  ) {
    switch piece {
    case .text(let text, let isStart):
      if isStart, isStuffed, text.first == ASCII.dot {
        wire.append(ASCII.dot)
        stuffed += 1
      }
      wire += text
    case .lineEnd:
      wire.append(ASCII.carriageReturn)
      wire.append(ASCII.lineFeed)
    }
  }
}
