/// A new file that is a copy of a message, and waits for what becomes of that.
package struct WaitingCopy: Hashable {
  /// When a run first saw it, in seconds since 1970.
  package let since: Int64
  /// The id of the mailbox of the message.
  package let source: UInt64
}
