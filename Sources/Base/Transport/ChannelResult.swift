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
