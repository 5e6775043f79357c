import IMAP
import MailModel
import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/dates.txt"))
func internalDate(_ fixture: Fixture) throws {
  var session = try greetedSession()
  let wire =
    try [UInt8](ascii: "* 1 FETCH (INTERNALDATE \"") + fixture.octets() + [UInt8](ascii: "\")\r\n")
  guard case .fetch(let fetch) = try session.receive(wire[...]).first else {
    Issue.record("no FETCH")
    return
  }
  #expect(fetch.internalDate.map { "\($0)" } ?? "nil" == fixture["seconds"])
}

@Test(arguments: [
  ("INBOX", "INBOX", true), ("inBox", "INBOX", true), ("Inbox/a", "Inbox/a", false),
  ("Entwürfe", "Entw&APw-rfe", false), ("R&D", "R&-D", false),
])
func mailboxNames(_ decoded: String, _ wire: String, _ isInbox: Bool) {
  let name = MailboxName(decoded: decoded.utf8)
  #expect(name == MailboxName(wire: wire.utf8))
  #expect(name?.wire == [UInt8](wire.utf8))
  #expect(name?.decoded == (isInbox ? [UInt8](ascii: "INBOX") : [UInt8](decoded.utf8)))
  #expect(name?.isInbox == isInbox)
}

@Test func octetsThatAreNoNameOfPeople() {
  #expect(MailboxName(decoded: [0xFF]) == nil)
  #expect(MailboxName(wire: [0x26, 0xFF]).decoded == [0x26, 0xFF])
}

@Test(arguments: [
  Flag.seen, .answered, .flagged, .deleted, .draft, .recent, .any, .keyword([0x24, 0x41]),
  .other([0x5C, 0x58]),
])
func flagsComeBackFromTheWire(_ flag: Flag) {
  #expect(Flag(wire: flag.wire) == flag)
}

@Test func capabilitiesHaveNoCase() {
  let capabilities = Capabilities(
    ["imap4rev1", "Auth=Plain", "AUTH=XOAUTH2"].map { [UInt8]($0.utf8) }
  )
  #expect(capabilities.contains("IMAP4REV1"))
  #expect(capabilities.contains("auth=plain".utf8))
  #expect(!capabilities.contains("AUTH=PLAI"))
  #expect(capabilities.mechanisms == [[UInt8](ascii: "PLAIN"), [UInt8](ascii: "XOAUTH2")])
  #expect(Capabilities().isEmpty)
}

@Test(
  arguments: [
    ("IMAP4rev1 APPENDLIMIT=35651584", 35_651_584), ("appendlimit=0", 0), ("APPENDLIMIT", nil),
    ("APPENDLIMIT=", nil), ("APPENDLIMIT=5x", nil), ("IMAP4rev1", nil),
  ] as [(String, UInt64?)]
)
func appendLimit(_ words: String, _ limit: UInt64?) {
  let capabilities = Capabilities(words.split(separator: " ").map { [UInt8]($0.utf8) })
  #expect(capabilities.appendLimit == limit)
}

@Test(arguments: [
  (Flag.seen, true), (.draft, true), (.recent, false), (.any, false),
  (.keyword([UInt8](ascii: "$Junk")), true), (.keyword([]), false),
  (.keyword([UInt8](ascii: "a b")), false), (.keyword([UInt8](ascii: "\\Seen")), false),
  (.other([UInt8](ascii: "\\Custom")), true), (.other([UInt8](ascii: "\\")), false),
  (.other([UInt8](ascii: "Custom")), false),
])
func flagsToStore(_ flag: Flag, _ isStorable: Bool) {
  #expect(flag.isStorable == isStorable)
}

@Test func anEmptyMessageIsNoMessage() {
  #expect(AppendMessage(size: 0) == nil)
  #expect(AppendMessage(size: 1)?.size == 1)
}

/// The dates that APPEND tells come back from FETCH.
@Test(arguments: 0..<200)
func datesComeBack(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let date = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
  var session = try greetedSession()
  let message = try #require(AppendMessage(internalDate: date, size: 1))
  session.send(.append(MailboxName(wire: "INBOX".utf8), [message]))
  let words = session.takeOutgoing().split(separator: ASCII.quote)
  let line = [UInt8](ascii: "* 1 FETCH (INTERNALDATE \"") + words[3] + [UInt8](ascii: "\")\r\n")
  guard case .fetch(let fetch) = try session.receive(line[...]).first else {
    Issue.record("no FETCH")
    return
  }
  #expect(fetch.internalDate == date)
}
