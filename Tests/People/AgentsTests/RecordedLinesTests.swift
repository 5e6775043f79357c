import Platform
import TestSupport
import Testing

@testable import Agents

/// Lines from the end of a file on.
@Suite struct RecordedLinesTests {
  /// A file, and its lines as they come; `…` stands behind one that is cut.
  static let files: [(text: String, lines: [String])] = [
    ("", []), ("a\n", ["a"]), ("a", ["a"]), ("a\nb\n", ["b", "a"]), ("a\nb", ["b", "a"]),
    ("\n", [""]), ("a\n\nb\n", ["b", "", "a"]), ("\na\n", ["a", ""]),
    ("one\ntwo\nthree\n", ["three", "two", "one"]),
    ("one\n\u{0}\u{0}\u{0}half", ["\u{0}\u{0}\u{0}half", "one"]),
    // Longer than a line may be: the beginning is there.
    ("a\n\(String(repeating: "x", count: 100))yz\nb\n", ["b", "xxxxxxxxxxxx…", "a"]),
    ("\(String(repeating: "x", count: 100))", ["xxxxxxxxxxxx…"]),
  ]

  @Test(arguments: files.indices, 1...9)
  func linesComeFromTheEnd(_ index: Int, _ pieceSize: Int) throws {
    let (text, expected) = Self.files[index]
    let folder = try TempDirectory()
    try folder.write(text, to: "file")
    let file = try Descriptor.open(Path(folder["file"]), .read)
    var lines = try RecordedLines(file, lineLimit: 20, pieceSize: pieceSize)
    var found: [String] = []
    while let line = try lines.next() {
      let octets = line.isCut ? line.octets.prefix(12) : line.octets[...]
      found.append(String(decoding: octets, as: UTF8.self) + (line.isCut ? "…" : ""))
      #expect(line.octets.count <= 20 + pieceSize * 2)
    }
    #expect(found == expected)
  }
}
