import MailModel
import Mbox
import TestSupport
import Testing

@Suite("What mail programs keep beside their files")
struct MailNotesTests {
  private static let sequences = MHSequences(
    Array("cur: 5\nunseen: 1 3-5 x 9-7\nFlagged: 2-4\nreplied: 4\nno line\nunseen: 8\n".utf8)
  )

  @Test(
    "a message of MH",
    arguments: [(1, ""), (2, "FS"), (3, "F"), (4, "FR"), (5, ""), (6, "S"), (8, ""), (9, "S")]
  )
  func message(number: Int, letters: String) {
    let flags = Self.sequences.notes(of: number).flags.characters
    #expect(String(decoding: flags, as: UTF8.self) == letters)
  }

  @Test(
    "a file of Apple's Mail",
    arguments: [
      ("12\nSubject: a\n\n<plist>", "Subject: a\n\n"),
      ("12        \nSubject: a\n\n", "Subject: a\n\n"),
      ("13\nSubject: a\n\n", nil), ("x\nSubject: a\n", nil), ("\nSubject: a\n", nil),
      ("0\n<plist>", ""), ("9999999999999\n", nil), ("12", nil),
    ]
  )
  func file(text: String, message: String?) {
    let octets = Array(text.utf8)
    let file = AppleMailFile(start: octets, length: octets.count)
    #expect(file.map { String(decoding: octets[$0.message], as: UTF8.self) } == message)
  }

  @Test(
    "a property list",
    arguments: [
      ("<key>flags</key>\n\t<integer>8590195713</integer>", "S", nil),
      ("<key>flags</key><integer>0</integer>", "", nil),
      ("<key>flags</key><integer>341</integer>", "DFPRS", nil),
      ("<key>flags</key><integer>3</integer>", "S deleted", nil),
      (
        "<key>date-received</key>\n<integer>1783602000</integer><key>flags</key><integer>1</integer>",
        "S", Int64(1_783_602_000)
      ),
      ("<key>flags</key><string>1</string>", nil, nil), ("", nil, nil),
    ]
  )
  func list(text: String, expected: String?, arrival: Int64?) {
    let notes = AppleMailFile.notes(Array(text.utf8))
    let words = notes.map {
      String(decoding: $0.flags.characters, as: UTF8.self) + ($0.isDeleted ? " deleted" : "")
    }
    #expect(words == expected)
    #expect(notes?.arrival == arrival)
  }
}
