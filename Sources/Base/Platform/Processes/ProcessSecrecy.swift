internal import CPlatform

/// Keeps what is in the memory of this process, such as passwords, from other programs of the user.
package enum ProcessSecrecy {
  /// Lets no other process of the user read the memory, as a debugger does, and no dump of it be written when it crashes.
  ///
  /// Programs that are started from it are as open as others.
  package static func close() {
    magnum_close_memory()
  }
}
