internal import Glibc
package import Octets
package import Platform

/// A message that a caller gives, as it is read.
package enum MessageInput {
  /// Why there is no message.
  package enum Failure: Error {
    case unreadable(SystemError)
    /// It is large, and cannot be put aside.
    case notStored(SystemError)
    /// It is longer than the limit.
    case tooLong
  }

  private static let pieceSize = 1 << 16

  /// Reads standard input to its end; from a terminal, if dots mean something, also to a line with a single dot.
  ///
  /// From anything else a lone dot is text: what follows it must not be lost.
  /// - Parameters:
  ///   - ignoringDots: whether dots mean nothing.
  ///   - limit: the most octets.
  /// - Returns: the message; a large one is not in memory.
  /// - Throws: `Failure`.
  package static func standard(
    ignoringDots: Bool,
    limit: Int
  ) throws(Failure) -> any OctetSource {
    // Closed at the end: no other part of the program reads it.
    let input = Descriptor(adopting: 0)
    guard !ignoringDots, isatty(0) == 1 else { return try read(input, limit: limit) }
    return try typed(input, limit: limit)
  }

  /// Reads a file, or what comes through a pipe, to its end; otherwise as `standard`.
  ///
  /// What `isSecret` says of its beginning keeps a large one in memory.
  package static func read(
    _ input: borrowing Descriptor,
    limit: Int,
    isSecret: @escaping ([UInt8]) -> Bool = { _ in false }
  ) throws(Failure) -> any OctetSource {
    var buffer = OctetBuffer(isSecret: isSecret)
    while buffer.count <= limit {
      let piece = try piece(of: input)
      do throws(SystemError) {
        guard !piece.isEmpty else { return try buffer.finish() }
        try buffer.append(piece[...])
      } catch {
        throw .notStored(error)
      }
    }
    throw .tooLong
  }

  private static func piece(of input: borrowing Descriptor) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      return try input.readWaiting(atMost: pieceSize)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func typed(
    _ input: borrowing Descriptor,
    limit: Int
  ) throws(Failure) -> any OctetSource {
    var message: [UInt8] = []
    while true {
      let piece = try piece(of: input)
      message += piece
      guard message.count <= limit else { throw .tooLong }
      if piece.isEmpty { return message }
      if let end = end(of: message) { return Array(message[..<end]) }
    }
  }

  private static func end(of message: [UInt8]) -> Int? {
    let mark: [UInt8] = [ASCII.dot, ASCII.lineFeed]
    if message == mark { return 0 }
    return message.suffix(3).elementsEqual([ASCII.lineFeed] + mark) ? message.count - 2 : nil
  }
}
