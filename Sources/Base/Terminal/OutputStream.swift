internal import Glibc

/// What is written to one descriptor, gathered and checked.
struct OutputStream: Sendable {
  /// Why nothing more can be written.
  enum Failure: Hashable, Sendable {
    /// The reader has closed its end (EPIPE), which is no error.
    case closed
    /// The error number of write(2).
    case failed(Int32)
  }

  let descriptor: Int32

  /// The first failure; everything after it is dropped.
  private(set) var failure: Failure?

  private var pending: [UInt8] = []

  /// Octets gathered before they are written, at least.
  private static let capacity = 65_536

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Takes octets; writes when there are enough of them.
  mutating func append(_ octets: some Collection<UInt8>) {
    guard failure == nil else { return }
    pending += octets
    if pending.count >= Self.capacity { flush() }
  }

  /// Writes all that was taken.
  mutating func flush() {
    var rest = pending[...]
    while !rest.isEmpty, failure == nil {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else {
        handleError(errno)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func handleError(_ code: Int32) {
    switch code {
    case EINTR: return
    case EAGAIN: waitUntilWritable()
    case EPIPE: failure = .closed
    default: failure = .failed(code)
    }
  }

  /// A terminal or pipe that another program made non-blocking.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}
