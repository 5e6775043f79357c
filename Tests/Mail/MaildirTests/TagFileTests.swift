import Maildir
import Platform
import TestSupport
import Testing

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct TagFileTests {
  /// Tags as the file writes them: `+a,-b,=c`.
  private func tags(_ text: String) -> TagFile.Tags {
    TagFile(octets: octets("magnum-tags 1\nm \(text)\n"))?[base: octets("m")] ?? TagFile.Tags()
  }

  private func words(_ text: String) -> [[UInt8]] {
    text.split(separator: " ").map { octets(String($0)) }
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var before = ""
    var agreed = ""
    var added = ""
    var removed = ""
    var isOwn = false
    var after: String
    var shown: String

    var testDescription: String { "\(before) | \(agreed) | +\(added) -\(removed)" }
  }

  @Test(arguments: [
    Change(added: "a", after: "+a", shown: "a"),
    Change(added: "a b", after: "+a,+b", shown: "a b"),
    Change(agreed: "a", added: "a", after: "", shown: "a"),
    Change(agreed: "A", added: "a", after: "", shown: "A"),
    Change(agreed: "a b", removed: "A", after: "-A", shown: "b"),
    Change(removed: "a", after: "", shown: ""),
    Change(before: "+a", removed: "a", after: "-a", shown: ""),
    Change(before: "-a", agreed: "a", added: "a", after: "+a", shown: "a"),
    Change(before: "-a", added: "a", after: "+a", shown: "a"),
    Change(before: "+a", agreed: "a", removed: "a", after: "-a", shown: ""),
    Change(before: "-a", agreed: "a", removed: "a", after: "-a", shown: ""),
    Change(before: "=a", added: "a", after: "=a", shown: "a"),
    Change(before: "=a,+b", removed: "a", after: "+b", shown: "b"),
    Change(added: "a", isOwn: true, after: "=a", shown: "a"),
    Change(before: "=a", removed: "a", isOwn: true, after: "", shown: ""),
  ])
  func aChange(_ table: Change) {
    var found = tags(table.before)
    found.change(
      adding: words(table.added),
      removing: words(table.removed),
      beside: words(table.agreed),
      isOwn: table.isOwn,
      mayBeTold: !table.isOwn
    )
    #expect(found == tags(table.after))
    #expect(found.all(beside: words(table.agreed)) == words(table.shown))
  }

  @Test(arguments: [
    ("+a", "a", "", ""), ("+a", "A", "", ""), ("+a", "", "", "+a"), ("+a", "", "a", "=a"),
    ("-a", "", "", ""), ("-a", "a", "", "-a"), ("=a", "", "", "=a"), ("=a", "a", "", "=a"),
    ("+a,+b,-c,=d", "b c", "a", "-c,=d,=a"),
  ])
  func whatTheServerKnows(_ before: String, _ agreed: String, _ refused: String, _ after: String) {
    var found = tags(before)
    found.resolveChanges(beside: words(agreed)) { !words(refused).contains($0) }
    #expect(found == tags(after))
  }

  @Test(arguments: [
    ("", "+a,-b,=c", "+a,-b,=c"), ("+a", "", "+a"), ("+a,-b,=c", "+a,-b,=c", "+a,-b,=c"),
    ("-a", "+A", "-a"), ("+a", "-A", "+a"), ("=a", "+a", "=a"), ("+a", "+b,-c", "+a,+b,-c"),
  ])
  func tagsOfAnotherFileOfTheMessage(_ own: String, _ other: String, _ after: String) {
    var found = tags(own)
    found.add(tags(other))
    #expect(found == tags(after))
  }

  @Test func filesSayWhatWasWrittenToThem() throws {
    let folder = try TempDirectory()
    let path = Path(folder.path)
    var file = TagFile()
    file[base: octets("1.a,S=1")].added = [octets("a,b"), octets("größe")]
    file[base: octets("name with\nline")].own = [octets("two words")]
    file[base: octets("none")] = TagFile.Tags()
    #expect(file.isPending)
    try file.write(in: path)
    #expect(try TagFile.of(path) == file)
    #expect(
      Files.text(folder[".magnum-tags"])
        == "magnum-tags 1\n1.a%2CS=1 +a%2Cb,+gr%C3%B6%C3%9Fe\nname%20with%0Aline =two%20words\n"
    )
    try TagFile().write(in: path)
    #expect(!Files.exists(folder[".magnum-tags"]))
    try TagFile().write(in: path)
  }

  @Test(arguments: ["", "magnum-tags 1\na\n%zz +b\na +\na b\na +%zz\n"])
  func filesThatMeanNothing(_ text: String) throws {
    #expect(try #require(TagFile(octets: octets(text))).tags.isEmpty)
  }

  @Test(arguments: ["magnum-tags 2\na +b\n", "a +b\n"])
  func filesOfOtherKinds(_ text: String) throws {
    #expect(TagFile(octets: octets(text)) == nil)
    let folder = try TempDirectory("tags")
    try folder.write(Array(text.utf8), to: ".magnum-tags")
    #expect(throws: SystemError.self) { try TagFile.of(Path(folder.path)) }
  }

  @Test func linesThatMeanNothingStay() throws {
    let text = "magnum-tags 1\na +b\nsome line of damage\nc d\n"
    var file = try #require(TagFile(octets: octets(text)))
    #expect(file.octets == octets(text))
    file[base: octets("a")] = TagFile.Tags()
    #expect(file.octets == octets("magnum-tags 1\nsome line of damage\nc d\n"))
    let folder = try TempDirectory("tags")
    try file.write(in: Path(folder.path))
    #expect(try TagFile.of(Path(folder.path)) == file)
  }
}
