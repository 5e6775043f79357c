/// One block of a fixture file: a named case with a body and named parts.
package struct Fixture: Sendable, CustomStringConvertible {
  /// The name of the case, which is also what a failing test shows.
  package let name: String

  /// The parts in the order of the file; the text before the first `---` line has the name "".
  package let parts: [(name: String, text: String)]

  /// The name of the case.
  package var description: String { name }

  /// The text before the first named part, without blank lines around it.
  package var body: String { self[""] ?? "" }

  /// The text of a part, lines joined by LF without a final one; nil when the block has no such part.
  package subscript(part: String) -> String? {
    parts.first { $0.name == part }?.text
  }

  /// Whether the block has a part of that name.
  package func has(_ part: String) -> Bool {
    self[part] != nil
  }

  /// The text of a part, or an error that names the case.
  ///
  /// - Throws: `HarnessError` when the block has no such part.
  package func text(_ part: String) throws -> String {
    guard let text = self[part] else { throw HarnessError("\(name): no part “\(part)”") }
    return text
  }

  /// The lines of a part; empty when the block has no such part or the part is empty.
  package func lines(_ part: String = "") -> [String] {
    guard let text = self[part], !text.isEmpty else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
  }

  /// The octets of a part with escapes undone; line ends stay LF.
  ///
  /// - Throws: `HarnessError` when the part is missing or an escape is malformed.
  package func octets(_ part: String = "") throws -> [UInt8] {
    try Fixtures.unescape(text(part), in: name)
  }

  /// The octets of a part as on the wire: escapes undone, every line ended with CR LF.
  ///
  /// A line that ends with a single `\` goes on in the next line without any line end between them.
  /// - Throws: `HarnessError` when the part is missing or an escape is malformed.
  package func wire(_ part: String = "") throws -> [UInt8] {
    var octets: [UInt8] = []
    for line in lines(part) {
      if line.hasSuffix("\\"), !line.hasSuffix("\\\\") {
        octets += try Fixtures.unescape(String(line.dropLast()), in: name)
      } else {
        octets += try Fixtures.unescape(line, in: name) + [13, 10]
      }
    }
    return octets
  }
}
