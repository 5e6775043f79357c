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

  private static let boundary = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nText\n--b\n"

  @Test(
    "a message without its attachments",
    arguments: [
      (
        "Content-Transfer-Encoding: base64\nX-Apple-Content-Length: 8\nA: b\n\n\n--b--\n",
        "Content-Transfer-Encoding: base64\nA: b\n\n(2 base64 8)\n--b--\n"
      ),
      ("X-Apple-Content-Length:\n 12\n\n--b--\n", "\n(2 identity 12)\n--b--\n"),
      (
        "X-Apple-Content-Length: 3\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\r\n--b--",
        "Content-Transfer-Encoding: quoted-printable\n\n(2 quotedPrintable 3)\n--b--"
      ),
      (
        "Content-Type: message/rfc822\n\nContent-Type: multipart/x; boundary=c\n\n--c\n"
          + "X-Apple-Content-Length: 4\n\n\n--c--\n\n--b--\n",
        "Content-Type: message/rfc822\n\nContent-Type: multipart/x; boundary=c\n\n--c\n"
          + "\n(2.1 identity 4)\n--c--\n\n--b--\n"
      ),
      ("X-Apple-Content-Length: 4\n\nText\n--b--\n", nil),
      ("X-Apple-Content-Length: x\n\n\n--b--\n", nil),
      ("X-Apple-Content-Length: 99999999999999\n\n\n--b--\n", nil), ("\n\n--b--\n", nil),
    ]
  )
  func parts(part: String, expected: String?) {
    let parts = AppleMessageParts(Array((Self.boundary + part).utf8))
    let text = parts?.pieces.map { piece in
      switch piece {
      case .octets(let octets): String(decoding: octets, as: UTF8.self)
      case .attachment(let attachment):
        "(\(String(decoding: attachment.section, as: UTF8.self)) "
          + "\(attachment.encoding) \(attachment.length))"
      }
    }.joined()
    #expect(text == expected.map { Self.boundary + $0 })
  }

  @Test(
    "a file that may be an attachment",
    arguments: [
      ("base64", 3, 4, true), ("base64", 57, 78, true), ("base64", 57, 76, true),
      ("base64", 57, 75, false), ("base64", 570, 900, false), ("base64", 57, 4000, false),
      ("7bit", 10, 10, true), ("7bit", 10, 12, true), ("7bit", 10, 9, false),
      ("quoted-printable", 10, 30, true), ("quoted-printable", 10, 9, false),
      ("x-uuencode", 10, 10, false),
    ]
  )
  func file(encoding: String, size: Int, length: Int, canBe: Bool) throws {
    let text =
      Self.boundary
      + "Content-Transfer-Encoding: \(encoding)\nX-Apple-Content-Length: \(length)\n\n\n--b--"
    let pieces = try #require(AppleMessageParts(Array(text.utf8))).pieces
    for case .attachment(let attachment) in pieces {
      #expect(attachment.canBe(fileOf: size) == canBe)
    }
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
