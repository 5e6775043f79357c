internal import Octets

/// A Message-ID, or any other name that links messages, as 64 bits.
///
/// Ids may have thousands of octets and are kept with every message that refers to them; two of them have the same
/// key by accident about once in a billion mailboxes.
package struct LinkKey: Hashable, Sendable, Comparable {
  /// The bits.
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The key of a Message-ID without its angle brackets; compared octet by octet.
  package init(id: some Sequence<UInt8>) {
    rawValue = Hash64.of(id)
  }

  /// The smaller one has smaller bits: an order that means nothing but is the same everywhere.
  package static func < (left: LinkKey, right: LinkKey) -> Bool {
    left.rawValue < right.rawValue
  }
}
