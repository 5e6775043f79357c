internal import Glibc

extension Interruption {
  /// Waits for so many seconds, or until the program shall end.
  ///
  /// - Returns: whether the time passed undisturbed.
  package func sleep(seconds: Double) -> Bool {
    let deadline = Deadline.after(seconds: seconds)
    while !isRequested, !deadline.isPast {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, deadline.pollMilliseconds)
    }
    return !isRequested
  }
}
