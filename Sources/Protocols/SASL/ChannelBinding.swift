/// The value that ties an exchange to its encrypted connection (RFC 5056).
///
/// Both ends know it. A third party between them, with a connection to each, would have another one.
package struct ChannelBinding: Hashable, Sendable {
  /// The registered name in small letters, such as `tls-exporter` (RFC 9266) and `tls-server-end-point` (RFC 5929).
  package let type: [UInt8]
  /// What both ends know.
  package let data: [UInt8]

  package init(type: [UInt8], data: [UInt8]) {
    self.type = type
    self.data = data
  }
}
