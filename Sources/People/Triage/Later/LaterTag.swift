internal import Octets

/// The tags of messages about which something is to be done later.
package enum LaterTag {
  /// It was out of sight, or is.
  package static let snoozed = [UInt8](ascii: "snoozed")
  /// An answer to it is waited for.
  package static let waiting = [UInt8](ascii: "waiting")
  /// It got no answer in time.
  package static let remind = [UInt8](ascii: "remind")
}
