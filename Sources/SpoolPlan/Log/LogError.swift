/// A line of a log that cannot be understood, so that it is unknown what became of the entry.
package struct LogError: Error, Hashable, Sendable {
  /// The number of the line, from 1.
  package let line: Int

  /// An error in that line.
  package init(line: Int) {
    self.line = line
  }
}
