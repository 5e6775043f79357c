import Maildir
import Platform
import TestSupport
import Testing

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

@Test func keywordFilesSayWhatWasWrittenToThem() throws {
  let folder = try TempDirectory()
  let path = Path(folder.path)
  let keywords = [
    octets("1.a,S=1"): [octets("$Label1"), octets("a,b"), octets("%"), octets("100%")],
    octets("name with\nline"): [octets("übel")], octets("none"): [],
  ]
  let names = [octets("1.a,S=1"), octets("name with\nline")]
  #expect(try KeywordFile(keywords).write(in: path) == names)
  let read = try KeywordFile.of(path)
  #expect(read.keywords == keywords.filter { !$0.value.isEmpty })
  #expect(read[base: octets("none")] == [])
  #expect(
    read.octets
      == octets(
        "magnum-keywords 1\n1.a%2CS=1 $Label1,a%2Cb,%25,100%25\nname%20with%0Aline %C3%BCbel\n"
      )
  )
  #expect(try KeywordFile(keywords).write(in: path) == [])
  let others = [
    names[0]: [octets("$Label1")], names[1]: [octets("übel")], octets("c"): [octets("d")],
  ]
  #expect(try KeywordFile(others).write(in: path) == [names[0], octets("c")])
  #expect(try KeywordFile().write(in: path) == [names[0], octets("c"), names[1]])
  #expect(try FileSystem.status(KeywordFile.path(in: path)) == nil)
  #expect(try KeywordFile().write(in: path) == [])
}

/// Each of three messages has no keyword, one, or two, before and afterwards.
@Test func whatAnotherFileSaidOtherwise() throws {
  let folder = try TempDirectory()
  let path = Path(folder.path)
  let names = ["a", "aa", "b"].map(octets)
  let words: [[[UInt8]]] = [[], [octets("x")], [octets("x"), octets("xx")]]
  var files: [[[UInt8]: [[UInt8]]]] = []
  for number in 0..<27 {
    let chosen = [words[number % 3], words[number / 3 % 3], words[number / 9]]
    files.append(Dictionary(uniqueKeysWithValues: zip(names, chosen)))
  }
  for old in files {
    for new in files {
      _ = try KeywordFile(old).write(in: path)
      let changed = names.filter { old[$0] != new[$0] }
      #expect(try KeywordFile(new).write(in: path) == changed, "\(old) \(new)")
    }
  }
  try folder.write("magnum-keywords 2\na x\n", to: ".magnum-keywords")
  #expect(try KeywordFile([octets("a"): [octets("x")]]).write(in: path) == [octets("a")])
  try folder.write("magnum-keywords 1\nb x\na x", to: ".magnum-keywords")
  #expect(try KeywordFile([octets("a"): [octets("x")]]).write(in: path) == [octets("b")])
}

@Test(arguments: [
  ("", 0), ("magnum-keywords 2\na b\n", 0), ("magnum-keywords 1\na b\n", 1), ("a b\n", 0),
  ("magnum-keywords 1\na\n\nb c d\n%zz e\nf %zz\ng ,\nh i,%,j", 1),
])
func keywordFilesThatMeanNothing(_ text: String, _ count: Int) {
  #expect(KeywordFile(octets: octets(text)).keywords.count == count)
}

/// What was begun and not ended by a run before is taken away with the next change.
@Test func keywordFilesLeaveNothingBehind() throws {
  let folder = try TempDirectory()
  let path = Path(folder.path)
  try folder.write("half", to: ".magnum-keywords.tmp-1-1")
  #expect(try KeywordFile([octets("a"): [octets("b")]]).write(in: path) == [octets("a")])
  var names: [[UInt8]] = []
  try FileSystem.entries(of: path) { name, _ in names.append(Array(name)) }
  #expect(names == [octets(".magnum-keywords")])
}
