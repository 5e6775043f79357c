package import MailModel
package import MessageContent
package import Platform

/// A message that can be put into a mailbox of the server.
package protocol MessageSource {
  /// What it is to be marked with there.
  var marks: MessageFlags { get }
  /// The arrival that it is to have there, in seconds since 1970; nil leaves that to the server.
  var arrival: Int64? { get }
  /// Its octets on the wire.
  var wireSize: UInt64 { get }

  /// Reads it from its beginning.
  ///
  /// - Throws: `isNotFound` where it is gone, or another one by now.
  func open() throws(SystemError) -> WireReader
}
