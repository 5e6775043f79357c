internal import Glibc

/// The end of this process.
package enum ProcessEnd {
  /// Ends the process without what exit(3) does before.
  ///
  /// A connection that is no longer needed may still be in the midst of its handshake on a thread of its own, and must
  /// not meet libraries that exit(3) has torn down. What stdio holds back is not written.
  package static func now(status: Int32) -> Never {
    _exit(status)
  }
}
