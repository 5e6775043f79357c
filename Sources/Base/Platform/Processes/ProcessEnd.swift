internal import CPlatform
internal import Glibc

/// The end of this process, which waits for what must not be cut short.
package enum ProcessEnd {
  private struct State: Sendable {
    /// How many threads do something that the end waits for.
    var postponements = 0
    var hasBegun = false
  }

  private static let state = Monitor(State())

  /// Does something that the end of the process waits for, on whatever thread it is; a second signal does not end it either.
  ///
  /// - Parameter body: what is done. It takes a limited time.
  /// - Returns: what the body gave; nil where the process is about to end, so that it was not begun.
  /// - Throws: what the body throws.
  package static func postponed<Result, Failure: Error>(
    by body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let mayBegin = state.withLock { state in
      if !state.hasBegun { state.postponements += 1 }
      return !state.hasBegun
    }
    guard mayBegin else { return nil }
    magnum_postpone_end(1)
    defer {
      magnum_postpone_end(-1)
      state.update { $0.postponements -= 1 }
    }
    return try body()
  }

  /// Waits for what postpones the end; nothing more of that kind begins.
  package static func begin() {
    state.withLock { $0.hasBegun = true }
    state.wait { $0.postponements == 0 }
  }

  /// Ends the process without what exit(3) does before.
  ///
  /// A connection that is no longer needed may still be in the midst of its handshake on a thread of its own, and must
  /// not meet libraries that exit(3) has torn down. What stdio holds back is not written.
  package static func now(status: Int32) -> Never {
    begin()
    _exit(status)
  }
}

/// Keeps what is in the memory of this process, such as passwords, from other programs of the user.
package enum ProcessSecrecy {
  /// Lets no other process of the user read the memory, as a debugger does, and no dump of it be written when it crashes.
  ///
  /// Programs that are started from it are as open as others.
  package static func close() {
    magnum_close_memory()
  }
}
