internal import Platform
internal import Glibc

/// How long to wait for a descriptor, and for what: one poll(2) over it and the interruption.
struct IOTimeout {
  let deadline: Deadline
  let interruption: Interruption?
  let phase: Phase

  /// Waits until the descriptor has one of the events, or an error to tell, or until there is a wake-up.
  ///
  /// - Returns: false where it was the wake-up.
  /// - Throws: ``TransportError/interrupted``, ``TransportError/timedOut(_:)``,
  ///   ``TransportError/system(_:)``.
  @discardableResult
  func wait(
    for events: Int16,
    on descriptor: Int32,
    unless waker: Waker? = nil
  ) throws(TransportError) -> Bool {
    while true {
      try checkInterruption()
      var polled = [
        pollfd(fd: descriptor, events: events, revents: 0),
        pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: waker?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), deadline.pollMilliseconds)
      if count < 0, errno != EINTR {
        throw .system(SystemError(operation: "poll", path: nil, code: errno))
      }
      try checkInterruption()
      if count > 0, polled[0].revents != 0 { return true }
      if count > 0, polled[2].revents != 0 { return false }
      guard !deadline.isPast else { throw .timedOut(phase) }
    }
  }

  /// - Throws: ``TransportError/interrupted``.
  func checkInterruption() throws(TransportError) {
    guard interruption?.isRequested != true else { throw .interrupted }
  }
}
