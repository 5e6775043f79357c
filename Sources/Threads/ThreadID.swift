internal import Octets

/// The name of a thread: 64 bits, shown as 16 hexadecimal digits.
package struct ThreadID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The bits.
  package let rawValue: UInt64

  /// A name from its bits.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The name that 16 hexadecimal digits show; nil for anything else.
  package init?(_ digits: some Collection<UInt8>) {
    guard digits.count == 16, let value = Hex.value([UInt8](digits)) else { return nil }
    rawValue = value
  }

  /// The digits.
  package var digits: [UInt8] { Hex.digits(rawValue) }

  package var description: String { String(decoding: digits, as: UTF8.self) }

  package static func < (left: ThreadID, right: ThreadID) -> Bool {
    left.rawValue < right.rawValue
  }
}
