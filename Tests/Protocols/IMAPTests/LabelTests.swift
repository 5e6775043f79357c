import IMAP
import MailModel
import Octets
import TestSupport
import Testing

/// Labels from the wire to tags.
@Suite struct LabelTests {
  /// A line of the fixture is what stands in the list, ` => `, and what each label means.
  static func rows() throws -> [String] {
    try Fixtures.load("Fixtures/labels.txt").flatMap { $0.lines() }
  }

  @Test(arguments: try rows())
  func aLabelIsATag(_ row: String) throws {
    let ends = row.split(separator: " => ", maxSplits: 1).map { "\($0)" }
    let list = try Fixtures.unescape(ends[0])
    #expect(try Self.meanings(of: list) == ends.last)
  }

  /// Labels that come one octet at a time are the same.
  @Test(arguments: try rows())
  func aSplitLabelIsTheSame(_ row: String) throws {
    let list = try Fixtures.unescape("\(row.split(separator: " => ", maxSplits: 1)[0])")
    let wire = Self.wire(list)
    let pieces = wire.indices.map { wire[$0...$0] }
    #expect(try Self.labels(pieces) == Self.labels([wire[...]]))
  }

  /// The label that a tag becomes, and the same tag again; none for what is no label of the user's or can only be read.
  @Test(
    arguments: [
      ("work", "work"), ("Work/A b", "Work/A b"), ("inbox", "\\Inbox"), ("INBOX", "\\Inbox"),
      ("important", "\\Important"), ("entwürfe", "entw&APw-rfe"), ("a&b", "a&-b"),
      ("label:unread", "unread"), ("label:sent", "sent"), ("label:label:x", "label:x"),
      ("label:work", nil), ("sent", nil), ("muted", nil), ("draft", nil), ("unread", nil),
      ("$junk", nil), ("label:$junk", "$junk"), ("label:", nil), ("", nil), ("-x", nil),
      ("label:-x", nil),
    ] as [(String, String?)]
  )
  func aTagIsALabel(tag: String, label: String?) {
    let found = LabelMeaning.label(of: Array(tag.utf8))
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == label)
  }

  private static func wire(_ list: [UInt8]) -> [UInt8] {
    Array("* 1 FETCH (UID 7 X-GM-LABELS ".utf8) + list + Array(")\r\n".utf8)
  }

  /// nil where the server's line says nothing of labels, or ends the session.
  private static func labels(_ pieces: [ArraySlice<UInt8>]) throws -> [[UInt8]]? {
    var session = try greetedSession()
    var events: [Event] = []
    for piece in pieces {
      do throws(ProtocolError) { try session.receive(piece, into: &events) } catch { return nil }
    }
    for case .fetch(let fetch) in events { return fetch.labels }
    return nil
  }

  private static func meanings(of list: [UInt8]) throws -> String {
    guard let labels = try labels([wire(list)[...]]) else { return "untold" }
    let words = labels.map { label in
      switch LabelMeaning(label: label) {
      case .tag(let name): "<\(Printable.text(name, limit: 30))>"
      case .draft: "draft"
      case .none: "none"
      case .unusable: "unusable"
      }
    }
    return words.isEmpty ? "empty" : words.joined(separator: " ")
  }
}
