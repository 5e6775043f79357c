internal import Glibc
internal import Octets
internal import Platform

/// The message that the caller gives.
enum StandardInput {
  enum Failure: Error {
    case unreadable(SystemError)
    case tooLong
  }

  /// Reads to the end; from a terminal, if dots mean something, also to a line with a single dot.
  ///
  /// From anything else a lone dot is text: what follows it must not be lost.
  static func read(ignoringDots: Bool, limit: Int) throws(Failure) -> [UInt8] {
    let endsAtDot = !ignoringDots && isatty(0) == 1
    // Closed at the end: no other part of the program reads it.
    let input = Descriptor(adopting: 0)
    var message: [UInt8] = []
    while true {
      let piece: [UInt8]
      do throws(SystemError) {
        piece = try input.read(atMost: 1 << 16)
      } catch {
        throw .unreadable(error)
      }
      guard !piece.isEmpty else { return message }
      message += piece
      guard message.count <= limit else { throw .tooLong }
      if endsAtDot, let end = end(of: message) { return Array(message[..<end]) }
    }
  }

  private static func end(of message: [UInt8]) -> Int? {
    let mark: [UInt8] = [ASCII.dot, ASCII.lineFeed]
    if message == mark { return 0 }
    return message.suffix(3).elementsEqual([ASCII.lineFeed] + mark) ? message.count - 2 : nil
  }
}
