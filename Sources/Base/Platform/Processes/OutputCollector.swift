internal import Glibc

/// Reads what a child writes until it ends, or has to be ended.
struct OutputCollector {
  let process: Int32
  let source: Int32
  let limit: Int
  /// How a child is ended that has to be.
  let end: End

  enum End {
    /// It is asked to, and killed after a second.
    case process
    /// So is its process group.
    case group
    /// It is killed at once with its session.
    case session
  }

  /// What the child has written so far; at most the limit.
  private(set) var output: [UInt8] = []

  init(process: Int32, source: Int32, limit: Int, end: End = .process) {
    self.process = process
    self.source = source
    self.limit = limit
    self.end = end
  }

  mutating func collect(
    deadline: Deadline,
    interruption: Interruption?
  ) -> ChildProcess.Status {
    while true {
      if interruption?.isRequested == true { return stop(.interrupted) }
      guard !deadline.isPast else { return stop(.timedOut) }
      if wait(deadline, interruption) {
        guard let count = readSome(), count > 0 else { return finish(deadline, interruption) }
        guard output.count <= limit else { return stop(.outputTooLong) }
      } else if let status = ChildProcess.look(at: process) {
        return drain(status)
      }
    }
  }

  /// Whether there is something to read.
  ///
  /// Not for long: a grandchild may hold the pipe open after the child's end (an agent that the child has started).
  private func wait(_ deadline: Deadline, _ interruption: Interruption?) -> Bool {
    let milliseconds = min(deadline.remaining * 1000, 100)
    var polled = [
      pollfd(fd: source, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, nfds_t(polled.count), Int32(milliseconds) + 1)
    return count > 0 && polled[0].revents != 0
  }

  /// Appends what is there; 0 at the end, nil after an error.
  private mutating func readSome() -> Int? {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let room = min(buffer.count, limit - output.count + 1)
    let path: Path? = nil
    let count = try? SystemCall.read("read", path) { read(source, &buffer, room) }
    output += buffer.prefix(count ?? 0)
    return count
  }

  /// The child has closed its output: it is about to end, or goes on without.
  private func finish(
    _ deadline: Deadline,
    _ interruption: Interruption?
  ) -> ChildProcess.Status {
    repeat {
      let look = min(deadline, .after(seconds: 0.1))
      if let status = ChildProcess.wait(for: process, deadline: look) { return status }
    } while interruption?.isRequested != true && !deadline.isPast
    return stop(interruption?.isRequested == true ? .interrupted : .timedOut)
  }

  /// The child has ended: what it wrote last is still in the pipe.
  private mutating func drain(_ status: ChildProcess.Status) -> ChildProcess.Status {
    while wait(.after(seconds: 0), nil), let count = readSome(), count > 0 {
      guard output.count <= limit else {
        if end == .group { ChildProcess.endGroup(process) }
        return .outputTooLong
      }
    }
    return status
  }

  private func stop(_ reason: ChildProcess.Status) -> ChildProcess.Status {
    switch end {
    case .process: ChildProcess.end(process, grace: 0)
    case .group: ChildProcess.endGroup(process)
    case .session:
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      ChildProcess.end(process, grace: 0)
    }
    return reason
  }
}
