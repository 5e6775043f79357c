internal import Octets

/// A table whose cells are being written.
struct HTMLTable {
  /// Whether a cell of the current row was begun.
  var isInCell: Bool { cellCount > 0 }

  /// How much was written when that cell began.
  private(set) var cellStart = 0

  private var cellCount = 0
  private var rowStart = 0
  private var rowLine = 0

  mutating func beginRow(_ layout: TextLayout) {
    cellCount = 0
    rowStart = layout.octets.count
    rowLine = layout.lineCount
  }

  mutating func beginCell(at position: Int) {
    cellCount += 1
    cellStart = position
  }

  /// Whether all cells of the row up to now stand in one line, which another may join.
  func sharesLine(_ layout: TextLayout) -> Bool {
    hasText(layout) && layout.lineCount <= rowLine + 1
  }

  /// Whether the row is a line of data: paragraphs in its cells make no empty line before the next row.
  func isLine(_ layout: TextLayout) -> Bool {
    cellCount > 1 && sharesLine(layout)
  }

  /// Whether a cell of the row has text.
  func hasText(_ layout: TextLayout) -> Bool {
    isInCell && layout.octets.count > rowStart
  }
}

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
