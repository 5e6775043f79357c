package import Platform
internal import Octets

/// The names of keywords that Dovecot shows as letters in the names of a folder's files.
///
/// Its file `dovecot-keywords` has a line for each: a number, which is 0 for `a` and 25 for `z`, and the name.
package struct KeywordTable: Hashable, Sendable {
  private var names: [UInt8: [UInt8]] = [:]

  /// The table of a folder without keywords.
  package init() {}

  /// The table that a file holds; lines that mean nothing are skipped.
  package init(_ file: [UInt8]) {
    for line in file.split(separator: ASCII.lineFeed) {
      let words = line.split(separator: ASCII.space, maxSplits: 1)
      guard words.count == 2, let number = Int(String(decoding: words[0], as: UTF8.self)),
        (0..<26).contains(number), words[1].allSatisfy({ $0 > ASCII.space && $0 < ASCII.delete })
      else { continue }
      names[UInt8(ascii: "a") + UInt8(number)] = Array(words[1])
    }
  }

  /// The table of a folder; one without keywords where it has none, or none that can be read.
  package static func of(_ maildir: Path) -> KeywordTable {
    let file = try? FileSystem.readFile(path(in: maildir), limit: 1 << 16)
    return KeywordTable(file ?? [])
  }

  /// Where the file of a folder is.
  package static func path(in maildir: Path) -> Path { maildir.appending("dovecot-keywords") }

  /// The name of a letter: ASCII without spaces and controls; nil where it has none.
  package func name(of letter: UInt8) -> [UInt8]? { names[letter] }
}
