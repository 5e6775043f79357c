/// A table whose cells are being written.
struct HTMLTable {
  /// Whether a cell of the current row was begun.
  private(set) var isInCell = false

  /// How much was written when that cell began.
  private(set) var cellStart = 0

  private var rowStart = 0
  private var rowLine = 0

  mutating func beginRow(_ layout: TextLayout) {
    isInCell = false
    rowStart = layout.octets.count
    rowLine = layout.lineCount
  }

  mutating func beginCell(at position: Int) {
    isInCell = true
    cellStart = position
  }

  /// Whether all cells of the row up to now stand in one line, which another may join.
  func sharesLine(_ layout: TextLayout) -> Bool {
    isInCell && layout.octets.count > rowStart && layout.lineCount <= rowLine + 1
  }
}
