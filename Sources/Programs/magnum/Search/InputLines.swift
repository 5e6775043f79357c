internal import Octets
internal import Platform

/// Lines of standard input, of limited length: a client must not fill the memory of this machine.
struct InputLines: ~Copyable {
  private let input = Descriptor(adopting: 0)
  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(limit: Int) {
    self.limit = limit
  }

  /// The next one without its end; nil behind the last.
  ///
  /// A line beyond the limit is cut one octet behind it, and is the last.
  mutating func next() -> [UInt8]? {
    var looked = start
    while true {
      if let end = buffer[looked...].firstIndex(of: ASCII.lineFeed) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      looked = buffer.count
      if buffer.count - start > limit { isAtEnd = true }
      guard !isAtEnd else {
        defer { (buffer, start) = ([], 0) }
        return buffer.count > start ? Array(buffer[start...].prefix(limit + 1)) : nil
      }
      (buffer, looked, start) = (Array(buffer[start...]), looked - start, 0)
      let piece = (try? input.readWaiting(atMost: 1 << 16)) ?? []
      if piece.isEmpty { isAtEnd = true }
      buffer += piece
    }
  }
}
