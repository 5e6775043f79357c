internal import CPlatform

/// The memory of the process.
package enum Memory {
  /// Gives what is free back to the system, as far as the allocator can: for programs that wait for long.
  package static func release() {
    magnum_release_memory()
  }

  /// Lets go of the pages of program files, which were not written to: for programs that wait for long after much work.
  ///
  /// The system keeps these as long as it has room, and only then takes them from a process that does not use them. Without
  /// this, a program that waits is shown with all code that it ever ran. To map again what the next work needs takes about half
  /// a millisecond.
  package static func releaseProgramPages() {
    magnum_release_program_pages()
  }

  /// Lets go of both before and while a mailbox of that many messages is worked on, if that needs much memory itself: so what
  /// other work took is not added to that.
  package static func makeRoom(forMessages count: Int) {
    guard count >= largeMailbox else { return }
    release()
    releaseProgramPages()
  }

  private static let largeMailbox = 20_000
}
