internal import Glibc
internal import Platform

/// A way to move octets over a non-blocking socket: plain or TLS.
protocol Channel: AnyObject {
  /// Receives what is there, at most as much as fits; the buffer is not empty.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult

  /// Sends what the socket takes; the octets are not empty.
  ///
  /// Octets that did not move must come first in the next attempt.
  func send(_ octets: UnsafeRawBufferPointer) -> ChannelResult

  /// Tells the peer that nothing more comes, as far as that needs no waiting.
  func finish()
}

/// What became of an attempt to move octets without waiting.
enum ChannelResult {
  /// So many octets moved, at least one.
  case moved(Int)

  /// Nothing moved; it may once the socket has one of these events of poll(2).
  case waits(for: Int16)

  /// The peer is gone.
  case closed

  /// Something else went wrong.
  case failed(TransportError)

  /// The octets that moved.
  var count: Int {
    if case .moved(let count) = self { count } else { 0 }
  }

  /// The events to wait for.
  var events: Int16 {
    if case .waits(let events) = self { events } else { 0 }
  }
}

/// Octets as they are over a socket.
final class PlainChannel: Channel {
  private let socket: Int32

  init(socket: Int32) {
    self.socket = socket
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
    let count = recv(socket, buffer.baseAddress, buffer.count, 0)
    guard count >= 0 else { return progress("recv", errno, POLLIN) }
    return count == 0 ? .closed : .moved(count)
  }

  func send(_ octets: UnsafeRawBufferPointer) -> ChannelResult {
    let count = Glibc.send(socket, octets.baseAddress, octets.count, Int32(MSG_NOSIGNAL))
    guard count >= 0 else { return progress("send", errno, POLLOUT) }
    return count == 0 ? .waits(for: Int16(POLLOUT)) : .moved(count)
  }

  func finish() {}

  private func progress(_ operation: String, _ code: Int32, _ event: Int32) -> ChannelResult {
    switch code {
    case EAGAIN, EINTR: .waits(for: Int16(event))
    case let code where TransportError.isEnd(code): .closed
    default: .failed(.system(SystemError(operation: operation, path: nil, code: code)))
    }
  }
}
