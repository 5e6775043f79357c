import Glibc

/// Reads cases from text files that lie beside the tests.
///
/// The format, one block a case:
///
///     Anything before the first block is a comment, and so are lines that start with "## ".
///
///     === name of the case
///     the body: lines up to the first part or the next block
///     --- name of a part
///     lines of that part
///
/// Blank lines at the start and end of a body or part do not count. A text line that has to begin with
/// `===`, `---` or `## ` is written with a `\` before it. Escapes, undone by ``Fixture/octets(_:)`` and
/// ``Fixture/wire(_:)`` only: `\r \n \t \0 \e \\ \s` (a space, for line ends) and `\xNN`.
package enum Fixtures {
  /// The blocks of one file.
  ///
  /// - Parameters:
  ///   - name: The path of the file relative to the folder of the calling source file, such as
  ///     "Fixtures/lists.txt".
  ///   - file: The calling source file.
  /// - Returns: The cases in the order of the file.
  /// - Throws: `HarnessError` when the file is missing, has no block, or has two of the same name.
  package static func load(_ name: String, file: String = #filePath) throws -> [Fixture] {
    let path = path(name, file: file)
    guard let octets = Files.read(path) else { throw HarnessError("\(path): cannot be read") }
    let fixtures = parse(String(decoding: octets, as: UTF8.self))
    guard !fixtures.isEmpty else { throw HarnessError("\(path): no block") }
    let names = fixtures.map(\.name)
    guard Set(names).count == names.count else { throw HarnessError("\(path): a name twice") }
    return fixtures
  }

  /// One block of a file by its name.
  ///
  /// - Throws: `HarnessError` when the file or the block is missing.
  package static func block(
    _ block: String,
    of name: String,
    file: String = #filePath
  ) throws -> Fixture {
    guard let found = try load(name, file: file).first(where: { $0.name == block }) else {
      throw HarnessError("\(name): no block “\(block)”")
    }
    return found
  }

  /// The path of a file given relative to the folder of the calling source file.
  package static func path(_ name: String, file: String = #filePath) -> String {
    let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { file[..<$0] } ?? "."
    return "\(folder)/\(name)"
  }

  /// The path of a file of the project, given relative to its root.
  package static func project(_ name: String) -> String { path("../../\(name)", file: #filePath) }

  /// The blocks of a text in the format above.
  package static func parse(_ text: String) -> [Fixture] {
    var blocks: [(name: String, parts: [(name: String, lines: [String])])] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") || line == "##" { continue }
      if line.hasPrefix("=== ") {
        blocks.append((String(line.dropFirst(4)), [("", [])]))
      } else if blocks.isEmpty {
        continue
      } else if line.hasPrefix("--- ") {
        blocks[blocks.count - 1].parts.append((String(line.dropFirst(4)), []))
      } else {
        let last = blocks[blocks.count - 1].parts.count - 1
        blocks[blocks.count - 1].parts[last].lines.append(unmark(line))
      }
    }
    return blocks.map { block in
      Fixture(name: block.name, parts: block.parts.map { ($0.name, trimmed($0.lines)) })
    }
  }

  private static func unmark(_ line: Substring) -> String {
    let isMarked = ["\\===", "\\---", "\\##"].contains { line.hasPrefix($0) }
    return String(isMarked ? line.dropFirst() : line)
  }

  private static func trimmed(_ lines: [String]) -> String {
    guard let first = lines.firstIndex(where: { !$0.isEmpty }),
      let last = lines.lastIndex(where: { !$0.isEmpty })
    else { return "" }
    return lines[first...last].joined(separator: "\n")
  }

  /// The octets of a text with the escapes of fixture files undone.
  ///
  /// - Throws: `HarnessError` on an unknown escape.
  package static func unescape(_ text: String, in name: String = "fixture") throws -> [UInt8] {
    var result: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let octet = rest.next() {
      guard octet == UInt8(ascii: "\\") else {
        result.append(octet)
        continue
      }
      guard let value = escaped(&rest) else {
        throw HarnessError("\(name): malformed escape in “\(text)”")
      }
      result.append(value)
    }
    return result
  }

  private static func escaped(_ rest: inout String.UTF8View.Iterator) -> UInt8? {
    switch rest.next().map(UnicodeScalar.init) {
    case "r": 13
    case "n": 10
    case "t": 9
    case "0": 0
    case "e": 27
    case "s": 32
    case "\\": 92
    case "x": hexadecimal(rest.next(), rest.next())
    default: nil
    }
  }

  private static func hexadecimal(_ high: UInt8?, _ low: UInt8?) -> UInt8? {
    guard let high, let low else { return nil }
    return UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
  }
}
