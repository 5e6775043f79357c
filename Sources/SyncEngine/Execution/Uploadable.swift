internal import IMAP
internal import MessageContent
internal import Platform

/// A message that can be put into a mailbox of the server.
protocol Uploadable {
  /// What APPEND tells of it; nil for an empty one.
  var message: AppendMessage? { get }

  /// Reads it from its beginning.
  ///
  /// - Throws: `isNotFound` where it is gone.
  func open() throws(SystemError) -> WireReader
}
