@testable import Maildir
import Testing

@Suite("Validity files of mbsync")
struct MbsyncValidityTests {
  @Test(
    "what they say",
    arguments: [
      ("1795244799\n12\n", 1_795_244_799, 12), ("1\n0\n", 1, 0),
      ("4294967295\n4294967295\n", .max, .max),
    ] as [(String, UInt32, UInt32)]
  )
  func read(_ text: String, _ validity: UInt32, _ highestUID: UInt32) throws {
    let file = try #require(MbsyncValidity(Array(text.utf8)))
    #expect(file.validity == validity && file.highestUID == highestUID)
  }

  @Test(
    "what is none",
    arguments: [
      "", "\n", "0\n12\n", "12\n", "12\n\n", "a\nb\n", "-1\n2\n", "1 2\n", "1\n2\n3\n", "1\n2\n\n",
      "4294967296\n1\n", "1\n4294967296\n", "99999999999999999999\n1\n", "1\r\n2\r\n",
    ]
  )
  func refused(_ text: String) {
    #expect(MbsyncValidity(Array(text.utf8)) == nil)
  }

  @Test("a file cut anywhere is none")
  func cut() {
    let octets = Array("1795244799\n12\n".utf8)
    for end in octets.indices { #expect(MbsyncValidity(Array(octets[..<end])) == nil) }
  }
}
