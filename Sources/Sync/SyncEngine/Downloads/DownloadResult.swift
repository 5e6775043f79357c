/// What was fetched over one connection.
package struct DownloadResult: Sendable {
  /// Messages that are durable and recorded.
  package internal(set) var messages = 0
  /// Those of them of which only parts are here.
  package internal(set) var partial = 0
  /// Those of them that are new to the user.
  package internal(set) var new = 0
  /// What post-sync is told of them.
  package internal(set) var arrivals = Arrivals()
  /// Their octets on the wire.
  package internal(set) var octets: UInt64 = 0
  /// Messages that did not work out, each of which was reported.
  package internal(set) var failed = 0
}
