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

  @Test(arguments: [
    ("INBOX", true), ("Work", true), ("Junk", false), ("[Gmail]/All Mail", false),
    ("[Gmail]/Sent Mail", true), ("Lists/a", false), ("Lists/keep", true), ("Lists/keep/x", false),
  ])
  func theLastPatternThatFitsDecides(name: String, isIn: Bool) {
    var settings = SyncSettings.standard
    settings.include = OrderedPatterns(
      [
        "*", "!Junk", "![Gmail]*", "[Gmail]/Sent Mail", "Lists/*", "!Lists/*", "Lists/keep",
        "[Gmail]/Trash",
      ].map { .init($0) }
    )
    settings.exclude = [MailboxPattern("[Gmail]/Trash")]
    #expect(settings.selects(Array(name.utf8)) == isIn)
    #expect(!settings.selects(Array("[Gmail]/Trash".utf8)), "exclude wins")
  }

  @Test func theFirstSectionThatFitsCounts() {
    var settings = SyncSettings.standard
    settings.direction = .push
    for (pattern, direction) in [("Archive/own", SyncDirection.both), ("Archive/*", .pull)] {
      var mailbox = MailboxSettings(MailboxPattern(pattern))
      mailbox.direction = direction
      settings.mailboxes.append(mailbox)
    }
    for (name, direction) in [
      ("Archive/own", SyncDirection.both), ("Archive/2024", .pull), ("Archive", .push),
    ] {
      #expect(settings.settings(of: [Array(name.utf8)]).direction == direction, "\(name)")
    }
    #expect(settings.directions == [.both, .pull, .push])
  }

  @Test func excludeWinsOverInclude() {
    var settings = SyncSettings.standard
    settings.include = OrderedPatterns([.init("INBOX"), .init("Lists/*")])
    settings.exclude = [MailboxPattern("Lists/noise*")]
    #expect(settings.selects(Array("INBOX".utf8)))
    #expect(settings.selects(Array("Lists/swift".utf8)))
    #expect(!settings.selects(Array("Lists/noise/a".utf8)))
    #expect(!settings.selects(Array("Sent".utf8)))
  }
}
