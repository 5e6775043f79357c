internal import Glibc
package import MailModel
package import Mbox
internal import Octets
package import Platform

/// Standard input as a source; its first octets are read before anything is written.
package final class MailInput: Sendable {
  /// What it is.
  package let kind: SourceKind
  /// The octets that were read to tell that.
  let start: [UInt8]
  private let input: Descriptor

  /// Reads the beginning.
  ///
  /// - Throws: that it cannot be read, holds no mail, or that the program shall end.
  package init(_ interruption: Interruption) throws(Explanation) {
    input = Descriptor(adopting: 0)
    var start: [UInt8] = []
    do throws(SystemError) {
      while start.count < SourceKind.startLength {
        let piece = try Self.read(input, atMost: SourceKind.startLength, interruption)
        if piece.isEmpty { break }
        start += piece
      }
    } catch {
      guard error.code != EINTR else {
        throw Explanation(.tryAgain, place: "-", "interrupted; nothing was read")
      }
      throw Explanation(.noInput, place: "-", "standard input cannot be read: \(error.reason)")
    }
    self.start = start
    kind = SourceKind(start: start)
    switch kind {
    case .mbox, .message: break
    case .empty: throw Explanation(.data, place: "-", "standard input is empty")
    case .other:
      throw Explanation(.data, place: "-", "standard input is no mbox and no message")
    }
  }

  /// The next octets behind the first; none at the end.
  ///
  /// - Throws: why they cannot be read; EINTR once the program shall end.
  func next(_ interruption: Interruption) throws(SystemError) -> [UInt8] {
    try Self.read(input, atMost: 1 << 16, interruption)
  }

  private static func read(
    _ input: borrowing Descriptor,
    atMost limit: Int,
    _ interruption: Interruption
  ) throws(SystemError) -> [UInt8] {
    while true {
      try interruption.check("read", Path("-"))
      var polled = [
        pollfd(fd: input.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, nfds_t(polled.count), -1) > 0, polled[0].revents != 0 else { continue }
      do throws(SystemError) {
        return try input.read(atMost: limit)
      } catch {
        // Another reader of a pipe may have been faster.
        guard error.code == EAGAIN || error.code == EINTR else { throw error }
      }
    }
  }
}
