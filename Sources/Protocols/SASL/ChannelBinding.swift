/// What ties an exchange to the encrypted connection that it goes over (RFC 5056): both ends know it, and a third party between
/// them, who has a connection with each, would have another.
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
