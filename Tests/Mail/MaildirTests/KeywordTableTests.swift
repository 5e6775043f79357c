import Maildir
import Platform
import TestSupport
import Testing

@Test(arguments: [
  ("0 work\n1 $Label1\n25 last\n", ["a=work", "b=$Label1", "z=last"]),
  ("0 work", ["a=work"]),
  ("26 beyond\n-1 before\nx word\n3\n4 two words\n5 \u{1B}[31m\n6 übel\n7 good\n", ["h=good"]),
  ("0 first\n0 second\n", ["a=second"]), ("", []),
])
func keywordTables(_ file: String, _ names: [String]) throws {
  let folder = try TempDirectory()
  try folder.write(file, to: "dovecot-keywords")
  for table in [KeywordTable(Array(file.utf8)), KeywordTable.of(Path(folder.path))] {
    let found = (UInt8(ascii: "a")...UInt8(ascii: "z")).compactMap { letter in
      table.name(of: letter).map {
        "\(UnicodeScalar(letter))=\(String(decoding: $0, as: UTF8.self))"
      }
    }
    #expect(found == names)
  }
  #expect(KeywordTable.of(Path("\(folder.path)/nowhere")) == KeywordTable())
}
