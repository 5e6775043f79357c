internal import Glibc

// The ends of children.
extension ChildProcess {
  /// Waits until a child ends by itself; gives how it did.
  static func waitForEnd(of process: Int32) -> Status {
    var raw: Int32 = 0
    while waitpid(process, &raw, 0) < 0 { guard errno == EINTR else { return .exited(0) } }
    return Status(raw: raw)
  }

  /// Waits for the end of a child, and hastens it after a while.
  ///
  /// - Parameters:
  ///   - process: the child; its number is free for others on return.
  ///   - grace: seconds before SIGTERM; SIGKILL follows a second later.
  /// - Returns: how it ended.
  @discardableResult
  package static func end(_ process: Int32, grace: Double) -> Status {
    if let status = wait(for: process, deadline: .after(seconds: grace)) { return status }
    kill(process, SIGTERM)
    if let status = wait(for: process, deadline: .after(seconds: 1)) { return status }
    kill(process, SIGKILL)
    return wait(for: process, deadline: .never) ?? .signalled(SIGKILL)
  }

  /// Ends a process group, the first process of which is a child: by SIGTERM, and by SIGKILL what is left after a second.
  ///
  /// The number of the group is free for others on return.
  static func endGroup(_ process: Int32) {
    let deadline = Deadline.after(seconds: 1)
    askGroup(process)
    let hasEnded = wait(for: process, deadline: deadline) != nil
    endRest(ofGroup: process, by: deadline)
    if !hasEnded { _ = wait(for: process, deadline: .never) }
  }

  /// Ends what a child has left behind in its process group, in the same way; waits for nothing where it left nothing.
  package static func endRest(ofGroup process: Int32) {
    guard askGroup(process) else { return }
    endRest(ofGroup: process, by: .after(seconds: 1))
  }

  /// Asks all processes of a group to end; false where there are none.
  @discardableResult
  private static func askGroup(_ process: Int32) -> Bool {
    guard kill(-process, SIGTERM) == 0 else { return false }
    // One that is stopped would not hear of it.
    kill(-process, SIGCONT)
    return true
  }

  private static func endRest(ofGroup process: Int32, by deadline: Deadline) {
    while kill(-process, 0) == 0 {
      guard !deadline.isPast else {
        kill(-process, SIGKILL)
        return
      }
      usleep(5000)
    }
  }

  /// Waits for a child; nil if the deadline came first.
  ///
  /// Polls, at first often: a child that has closed its output is about to end. Neither a handler for SIGCHLD nor a process
  /// descriptor is available everywhere.
  static func wait(for process: Int32, deadline: Deadline) -> Status? {
    var pause: UInt32 = 200
    while true {
      if let status = look(at: process) { return status }
      guard !deadline.isPast else { return nil }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  /// How a child has ended; nil while it runs.
  static func look(at process: Int32) -> Status? {
    switch observe(process) {
    case .running: nil
    case .ended(let status): status
    case .unknown: .exited(0)
    }
  }

  /// What the system says of a child.
  enum Observation {
    case running
    case ended(Status)
    /// Its status is lost, as where ends of children are ignored.
    case unknown
  }

  static func observe(_ process: Int32) -> Observation {
    var raw: Int32 = 0
    let result = waitpid(process, &raw, WNOHANG)
    guard result != 0 else { return .running }
    guard result == process else { return errno == EINTR ? .running : .unknown }
    return .ended(Status(raw: raw))
  }
}

extension ChildProcess.Status {
  /// What waitpid(2) gave.
  init(raw: Int32) {
    let signal = raw & 0x7f
    self = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
  }
}
