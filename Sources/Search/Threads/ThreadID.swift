internal import Octets

/// The name of a thread: 64 bits, shown as 16 hexadecimal digits.
package struct ThreadID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The bits.
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The name of the thread whose oldest message has an id of this key.
  ///
  /// Messages of one id are in one thread, so that no two threads have the same name, and an index made anew, or that of another
  /// account, has the same names. A thread that gets or loses its oldest message is found by its former names too, as long as a
  /// message has or names that id.
  package init(oldest id: LinkKey) {
    rawValue = id.rawValue
  }

  /// The name that 16 hexadecimal digits show; nil for anything else.
  package init?(_ digits: some Collection<UInt8>) {
    guard digits.count == 16, let value = Hex.value([UInt8](digits)) else { return nil }
    rawValue = value
  }

  /// The number in hexadecimal digits.
  package var digits: [UInt8] { Hex.digits(rawValue) }

  package var description: String { String(decoding: digits, as: UTF8.self) }

  package static func < (left: ThreadID, right: ThreadID) -> Bool {
    left.rawValue < right.rawValue
  }
}
