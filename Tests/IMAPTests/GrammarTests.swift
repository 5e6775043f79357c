import IMAP
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
