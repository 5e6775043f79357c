internal import CPlatform

/// The memory of the process.
package enum Memory {
  /// Gives what is free back to the system, as far as the allocator can: for programs that wait for long.
  package static func release() {
    magnum_release_memory()
  }
}
