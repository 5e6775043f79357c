/// A line of a file of aliases, or of a list that one includes.
package struct AliasPlace: Hashable, Sendable {
  /// The path of the file.
  package let file: [UInt8]

  /// The number of the line, from 1.
  package let line: Int

  package init(file: [UInt8], line: Int) {
    self.file = file
    self.line = line
  }
}
