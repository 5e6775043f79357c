internal import Octets

/// A list whose items are being written.
struct HTMLList {
  let isOrdered: Bool
  private var count = 0

  init(isOrdered: Bool) {
    self.isOrdered = isOrdered
  }

  /// What stands before the next item.
  mutating func nextMark() -> [UInt8] {
    count += 1
    guard isOrdered else { return [ASCII.asterisk, ASCII.space] }
    return [UInt8](decimal: count) + [ASCII.dot, ASCII.space]
  }
}
