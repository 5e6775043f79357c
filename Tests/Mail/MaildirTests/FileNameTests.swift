import MailModel
import Maildir
import TestSupport
import Testing

@Suite struct FileNameTests {
  @Test(arguments: try Fixtures.load("Fixtures/file-names.txt"))
  func partsOfAName(_ fixture: Fixture) throws {
    let name = FileName(try fixture.octets())
    #expect(name.base == (try fixture.octets("base")))
    #expect(name.hasInfo == (try fixture.text("info") == "yes"))
    #expect(name.flags.characters == (try fixture.octets("flags")))
    #expect(name.otherLetters == (fixture.has("others") ? try fixture.octets("others") : []))
    for line in fixture.lines("with") {
      let parts = try line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        .map { try Fixtures.unescape(String($0)) }
      let flags = parts[0].compactMap { SystemFlags(character: $0) }
      let other = name.with(flags: SystemFlags(flags))
      #expect(other.octets == parts[1], "with \(line)")
      #expect(other.base == name.base)
      #expect(other.flags == SystemFlags(flags))
    }
  }

  /// Every set of flags goes into a name and comes out of it.
  @Test func flagsComeBack() {
    for bits in 0..<64 as Range<UInt8> {
      let flags = SystemFlags(rawValue: bits)
      let name = FileName(base: Array("base".utf8), flags: flags)
      #expect(FileName(name.octets).flags == flags)
      #expect(name.hasInfo)
      #expect(FileName(Array("base".utf8)).with(flags: flags) == name)
    }
  }

  @Test func equalityIsThatOfTheOctets() {
    #expect(FileName(Array("a:2,S".utf8)) != FileName(Array("a:2,".utf8)))
    #expect(FileName(Array("a:2,SF".utf8)) != FileName(Array("a:2,FS".utf8)))
    #expect(Set([FileName([97]), FileName([97])]).count == 1)
  }
}
