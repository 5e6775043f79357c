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
