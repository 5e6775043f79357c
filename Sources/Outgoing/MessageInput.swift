internal import Glibc
package import Octets
package import Platform

/// A message that a caller gives, as it is read.
package enum MessageInput {
  /// Why there is no message.
  package enum Failure: Error {
    /// It cannot be read, or not be put aside where it is large.
    case unreadable(SystemError)
    /// It is longer than the limit.
    case tooLong
  }

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
  package static func read(
    _ input: borrowing Descriptor,
    limit: Int
  ) throws(Failure) -> any OctetSource {
    var buffer = OctetBuffer()
    do throws(SystemError) {
      while true {
        let piece = try piece(of: input)
        guard !piece.isEmpty else { break }
        try buffer.append(piece[...])
        guard buffer.count <= limit else {
          throw SystemError(operation: "read", path: nil, code: EFBIG)
        }
      }
      return try buffer.finish()
    } catch {
      throw error.code == EFBIG ? .tooLong : .unreadable(error)
    }
  }

  /// What comes next; none at the end.
  ///
  /// It is waited for also where a program has left its end of the pipe, or the terminal, such that reads do not wait.
  private static func piece(of input: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    while true {
      do throws(SystemError) {
        return try input.read(atMost: 1 << 16)
      } catch {
        guard error.code == EAGAIN else { throw error }
        var request = pollfd(fd: input.raw, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      }
    }
  }

  private static func typed(
    _ input: borrowing Descriptor,
    limit: Int
  ) throws(Failure) -> any OctetSource {
    var message: [UInt8] = []
    while true {
      let piece: [UInt8]
      do throws(SystemError) {
        piece = try self.piece(of: input)
      } catch {
        throw .unreadable(error)
      }
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
