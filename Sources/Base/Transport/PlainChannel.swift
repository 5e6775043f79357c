internal import Glibc
internal import Platform

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
