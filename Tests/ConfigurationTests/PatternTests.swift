import Configuration
import MailModel
import TestSupport
import Testing

/// Patterns over the names of mailboxes.
@Suite struct PatternTests {
  @Test(arguments: try Fixtures.load("Fixtures/patterns.txt"))
  func pattern(_ fixture: Fixture) {
    let pattern = MailboxPattern(fixture.name)
    for line in fixture.lines() {
      let name = Array(line.utf8.dropFirst(2))
      #expect(pattern.matches(name) == line.hasPrefix("+"), "\(line)")
    }
  }

  @Test func octetsThatAreNoText() {
    #expect(MailboxPattern([0x66, 0x25]).matches([0x66, 0xFF, 0xFE]))
    #expect(!MailboxPattern([0x66, 0xFF]).matches([0x66, 0xFE]))
  }

  @Test func composedAndDecomposedAreTwoNames() {
    #expect(!MailboxPattern("\u{E9}").matches(Array("e\u{301}".utf8)))
  }

  @Test func manyWildcardsTakeNoTime() {
    let pattern = MailboxPattern(String(repeating: "*a", count: 200) + "b")
    let name = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
    let time = ProcessorTime.measure { #expect(!pattern.matches(name)) }
    #expect(time < .seconds(5))
  }

  @Test func excludeWinsOverInclude() {
    var settings = SyncSettings.standard
    settings.include = [MailboxPattern("INBOX"), MailboxPattern("Lists/*")]
    settings.exclude = [MailboxPattern("Lists/noise*")]
    #expect(settings.selects(Array("INBOX".utf8)))
    #expect(settings.selects(Array("Lists/swift".utf8)))
    #expect(!settings.selects(Array("Lists/noise/a".utf8)))
    #expect(!settings.selects(Array("Sent".utf8)))
  }
}
