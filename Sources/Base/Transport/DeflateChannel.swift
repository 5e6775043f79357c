internal import CPlatform

/// Octets that go over another channel compressed, in both directions (RFC 4978).
final class DeflateChannel: Channel {
  /// Octets that are compressed at once, and received at once.
  private static let portion = 1 << 15

  private let channel: any Channel
  private let expander: OpaquePointer
  private let compressor: OpaquePointer
  /// What came last, and how much of it is not expanded yet.
  private var buffer: [UInt8]
  private var received: Range<Int>
  /// What is compressed and was not sent yet.
  private var outgoing: ArraySlice<UInt8> = []
  /// How the other direction ended, once what came before is delivered.
  private var end: ChannelResult?

  /// A channel over another one, where `received` came compressed already; nil where zlib or memory is missing.
  init?(_ channel: any Channel, received: ArraySlice<UInt8>) {
    guard let expander = magnum_deflate_begin(1) else { return nil }
    guard let compressor = magnum_deflate_begin(0) else {
      magnum_deflate_end(expander)
      return nil
    }
    (self.channel, self.expander, self.compressor) = (channel, expander, compressor)
    let room = max(0, Self.portion - received.count)
    buffer = Array(received) + [UInt8](repeating: 0, count: room)
    self.received = 0..<received.count
  }

  deinit {
    magnum_deflate_end(expander)
    magnum_deflate_end(compressor)
  }

  func receive(into room: UnsafeMutableRawBufferPointer) -> ChannelResult {
    // What counts as sent has to go out before its answer can come.
    let sending = flush()
    var count = 0
    while count < room.count {
      let given = expand(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
      count += given
      if given > 0 { continue }
      if let end { return count > 0 ? .moved(count) : end }
      switch buffer.withUnsafeMutableBytes(channel.receive(into:)) {
      case .moved(let fresh): received = 0..<fresh
      case .waits(let events):
        if count > 0 { return .moved(count) }
        // The last words of a peer that takes nothing more are there by now.
        if let sending, sending.events == 0 { return sending }
        return .waits(for: events | (sending?.events ?? 0))
      case .closed: end = .closed
      case .failed(let error): end = .failed(error)
      }
    }
    return .moved(count)
  }

  func send(_ octets: UnsafeRawBufferPointer) -> ChannelResult {
    if let waiting = flush() { return waiting }
    let portion = UnsafeRawBufferPointer(rebasing: octets.prefix(Self.portion))
    compress(portion)
    _ = flush()
    return .moved(portion.count)
  }

  func finish() { channel.finish() }

  /// Expands what came; gives how many octets that makes, 0 where more has to come first.
  private func expand(into room: UnsafeMutableRawBufferPointer) -> Int {
    guard end == nil, let target = room.baseAddress else { return 0 }
    var (count, space) = (received.count, room.count)
    let state = buffer.withUnsafeBytes { bytes in
      magnum_deflate_step(
        expander,
        bytes.baseAddress?.advanced(by: received.lowerBound),
        &count,
        target,
        &space
      )
    }
    received = (received.lowerBound + count)..<received.upperBound
    if state != 0 { end = state > 0 ? .closed : .failed(.damagedCompression) }
    return space
  }

  private func compress(_ octets: UnsafeRawBufferPointer) {
    var made: [UInt8] = []
    var rest = octets
    var isFull = true
    while isFull || !rest.isEmpty {
      var count = rest.count
      let chunk = [UInt8](unsafeUninitializedCapacity: Self.portion) { room, size in
        size = room.count
        guard let target = room.baseAddress else { return }
        let state = magnum_deflate_step(compressor, rest.baseAddress, &count, target, &size)
        if state != 0 { size = 0 }
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      isFull = chunk.count == Self.portion
      made += chunk
      if count == 0 && chunk.isEmpty { break }
    }
    outgoing = made[...]
  }

  /// Sends what is compressed; gives what that waits for, nil where nothing is left.
  private func flush() -> ChannelResult? {
    while !outgoing.isEmpty {
      let progress = outgoing.withUnsafeBytes(channel.send)
      guard progress.count > 0 else { return progress }
      outgoing = outgoing.dropFirst(progress.count)
    }
    return nil
  }
}
