import MailModel
import MessageContent
import SyncPlan
import Testing

@testable import SyncState

/// What messages are known by, as earlier versions recorded it.
@Suite("Contents on record")
struct RecordedContentTests {
  /// A message, and the line that was written of it before line ends that servers add, and CR, were left out.
  struct Old: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let line: String
  }

  static let old = [
    Old(
      testDescription: "nothing out of the ordinary",
      text: "From: a@example.org\nMessage-ID: <plain@example.org>\n\nText.\n",
      line: "message 7 S 63 1795963311 "
        + "d85b53b64c6fbe1361ebb162c522567baabedfb142fe73419c49e851ad001eeb - 1.plain.host"
    ),
    Old(
      testDescription: "no line end at the end",
      text: "From: a@example.org\nMessage-ID: <open@example.org>\n\nText without an end",
      line: "message 1 S 74 1795963311 "
        + "77770be25bf21cd069f593a7bfb7fdcd9c4e680cbc9da7a2dda5612ebf137645 - 2.open.host"
    ),
    Old(
      testDescription: "CR in the text",
      text: "From: a@example.org\nMessage-ID: <bare@example.org>\n\n"
        + "Text \r with CR\r\r\nand more\n",
      line: "message 4 S 82 1795963311 "
        + "afef3445335e760608b8519bd912946d059e1baf190ba56697381360b81d1026 - 3.bare.host"
    ),
    Old(
      testDescription: "CR in header and text, and no line end",
      text: "From: a@example.org\nSubject: one\rtwo\nMessage-ID: <both@example.org>\n\n"
        + "Text \r with CR\r",
      line: "message 2 S 88 1795963311 "
        + "a0140be7274eebbad838bc974288119f80b58acc9dae5cbaa684d28a1684b96a - 4.both.host"
    ),
    Old(
      testDescription: "no text",
      text: "From: a@example.org\nMessage-ID: <empty@example.org>\n\n",
      line: "message 6 S 56 1795963311 "
        + "052267e5864fec8fe3b0c44298fc1c149afbf4c8996fb924b67f6062b8cbfcab - 5.body.host"
    ),
    Old(
      testDescription: "CRLF",
      text: "From: a@example.org\r\nMessage-ID: <crlf@example.org>\r\n\r\nText\r\n",
      line: "message 5 S 61 1795963311 "
        + "de2232f1aa1892d3533bfd360a1274c99f13658e6c774d9d040f9b76e59a18e4 - 6.crlf.host"
    ),
    Old(
      testDescription: "a field of mbsync",
      text: "From: a@example.org\nX-TUID: 0123456789ab\nMessage-ID: <tuid@example.org>\n\nText.\n",
      line: "message 3 S 84 1795963311 "
        + "d7b510ca6779bcd461ebb162c522567baabedfb142fe73418c9c226ccf6179b8 - 7.tuid.host"
    ),
  ]

  @Test("a message is still what it was recorded as", arguments: old)
  func isStillKnown(_ old: Old) throws {
    let decoded = RecordCodec.decode(Array(old.line.utf8)[...])
    guard case .message(let record) = decoded else {
      Issue.record("no record")
      return
    }
    for length in [1, 7, 1000] {
      let facts = Self.facts(old.text, inRunsOf: length)
      #expect(record.identity == facts.former ?? facts.identity, "in runs of \(length)")
    }
  }

  @Test(
    "what servers add or drop makes no other message",
    arguments: [
      ("\n\nText", "\n\nText\n"), ("\n\none\rtwo\n", "\n\nonetwo\n"), ("\n\none\r", "\n\none\n"),
      ("\nSubject: a\rb\n\nText\n", "\nSubject: ab\n\nText\n"), ("\n\n\r\n", "\n\n\n"),
    ]
  )
  func isTheSame(_ one: String, _ other: String) {
    let head = "Message-ID: <a@example.org>"
    let (first, second) = (
      Self.facts(head + one, inRunsOf: 3), Self.facts(head + other, inRunsOf: 1000)
    )
    #expect(first.identity == second.identity)
  }

  @Test(
    "other texts are other messages",
    arguments: [("\n\nText", "\n\nText\n\n"), ("\n\n", "\n\n\n"), ("\n\na\n", "\n\na \n")]
  )
  func isAnother(_ one: String, _ other: String) {
    let head = "Message-ID: <a@example.org>"
    let (first, second) = (
      Self.facts(head + one, inRunsOf: 3), Self.facts(head + other, inRunsOf: 1000)
    )
    #expect(first.identity != second.identity)
  }

  private static func facts(_ text: String, inRunsOf length: Int) -> ContentReading.Facts {
    var reading = ContentReading()
    let octets = Array(text.utf8)
    for start in stride(from: 0, to: octets.count, by: length) {
      reading.readOctets(octets[start..<min(start + length, octets.count)])
    }
    return reading.finish()
  }
}
