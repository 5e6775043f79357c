import Maildir
import Octets
import TestSupport
import Testing

@Suite struct MessageKeyTests {
  @Test(arguments: try Fixtures.load("Fixtures/message-keys.txt"))
  func keyInAName(_ fixture: Fixture) throws {
    let found = MessageKey(baseName: try fixture.octets()).map {
      "\($0.validity) \($0.uid) " + String(decoding: Hex.digits($0.mailbox), as: UTF8.self)
    }
    #expect(found == fixture["key"])
  }

  @Test func nameIsWrittenAndReadBack() {
    let key = MessageKey(validity: 17, uid: 5, mailbox: 0x0123_4567_89AB_CDEF)
    let name = MessageKey.baseName(date: 1_700_000_000, key: key, size: 1234, wireSize: 1260)
    #expect(
      String(decoding: name, as: UTF8.self) == "1700000000.V17U5.0123456789abcdef,S=1234,W=1260"
    )
    #expect(MessageKey(baseName: name) == key)
    let early = MessageKey.baseName(date: -1, key: key, size: 0, wireSize: 0)
    #expect(early.starts(with: Array("0.V17U5.".utf8)))
  }
}
