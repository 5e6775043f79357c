package import MailModel

/// What APPEND tells about a message before its octets (RFC 9051 §6.3.12).
///
/// The octets themselves are fed to the session when it wants them (`Session.wantedLiteral`).
package struct AppendMessage: Hashable, Sendable {
  /// The flags that the message gets; those that are not `isStorable` are left out.
  package let flags: [Flag]

  /// When the message arrived, in seconds since 1970; `nil`: when the server takes it.
  ///
  /// Goes out in UTC; years before 1 and beyond 9999 become the first or last second of these.
  package let internalDate: Int64?

  /// The length of the message in octets, line ends as CR LF; never 0.
  package let size: UInt64

  /// A message of that size; `nil` when it has no octets.
  ///
  /// RFC 3502 §6.3.11: servers take an empty message for the wish to append none of them.
  package init?(flags: [Flag] = [], internalDate: Int64? = nil, size: UInt64) {
    guard size > 0 else { return nil }
    self.flags = flags
    self.internalDate = internalDate
    self.size = size
  }
}
