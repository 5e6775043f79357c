internal import Octets

/// A list whose items are being written.
struct HTMLList {
  let isOrdered: Bool
  private var count = 0

  /// A list; `start` is the number of its first item.
  init(isOrdered: Bool, start: Int = 1) {
    self.isOrdered = isOrdered
    count = start - 1
  }

  /// What stands before the next item.
  mutating func nextMark() -> [UInt8] {
    count += 1
    guard isOrdered else { return [ASCII.asterisk, ASCII.space] }
    return [UInt8](String(count).utf8) + [ASCII.dot, ASCII.space]
  }
}
