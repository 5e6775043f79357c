import MailModel
@testable import Mbox
import Octets
import TestSupport
import Testing

@Suite("Messages of an mbox")
struct MboxReaderTests {
  private static let mboxes = Result { try Fixtures.load("Fixtures/mboxes.txt") }

  /// A message as it was read.
  private struct Read: Equatable {
    var offset = 0
    var octets: [UInt8] = []
  }

  private static func messages(of events: [MboxEvent]) -> [Read] {
    var messages: [Read] = []
    for event in events {
      switch event {
      case .head(let head): messages.append(Read(offset: head.offset, octets: head.octets))
      case .body(let octets): messages[messages.count - 1].octets += octets
      case .end: break
      }
    }
    return messages
  }

  private static func read(_ pieces: [ArraySlice<UInt8>], _ kind: MboxKind) -> ([Read], Int) {
    var reader = MboxReader(kind)
    var events: [MboxEvent] = []
    for piece in pieces { events += reader.read(piece) }
    events += reader.finish()
    return (messages(of: events), reader.lookalikes)
  }

  @Test("an mbox", arguments: try mboxes.get())
  func mbox(fixture: Fixture) throws {
    let text = try fixture.octets() + (fixture.has("open") ? [] : [ASCII.lineFeed])
    let kind = try fixture["kind"].map { try #require(MboxKind(rawValue: $0)) } ?? .auto
    let whole = Self.read([text[...]], kind)
    let expected = try fixture.lines("messages").map { line in
      line == "(nothing)" ? [] : try Fixtures.unescape(line, in: fixture.name)
    }
    #expect(whole.0.map(\.octets) == expected)
    #expect(whole.1 == Int(fixture["text"] ?? "0"))
    for message in whole.0 {
      #expect(text[message.offset...].starts(with: "From ".utf8))
    }
    let single = Self.read(text.indices.map { text[$0...$0] }, kind)
    #expect(single == whole)
    for cut in text.indices where Self.read([text[..<cut], text[cut...]], kind) != whole {
      Issue.record("other messages where the pieces meet at \(cut)")
    }
  }

  @Test("a line of 50 MB passes in pieces")
  func longLine() {
    var reader = MboxReader()
    let start = [UInt8]("From a@x Thu Jul  9 13:00:00 2026\nSubject: one\n\n".utf8)
    _ = reader.read(start[...])
    let piece = [UInt8](repeating: UInt8(ascii: "F"), count: 1 << 20)
    var (size, greatest) = (0, 0)
    for _ in 0..<50 {
      for case .body(let octets) in reader.read(piece[...]) { size += octets.count }
      greatest = max(greatest, reader.buffer.count)
    }
    for case .body(let octets) in reader.finish() { size += octets.count }
    #expect(size == 50 << 20 + 1)
    #expect(greatest <= 2 << 20)
  }

  @Test("a header without end is not held")
  func longHeader() {
    var reader = MboxReader(single: ())
    let piece = [UInt8](("X-A: " + String(repeating: "a", count: 1 << 20) + "\n").utf8)
    var heads: [MboxHead] = []
    for _ in 0..<70 { for case .head(let head) in reader.read(piece[...]) { heads.append(head) } }
    for case .head(let head) in reader.finish() { heads.append(head) }
    #expect(heads.map(\.isTooLong) == [true])
    #expect(heads[0].octets.count == MboxReader.headerLimit + 1)
  }

  @Test(
    "a single message",
    arguments: [
      ("Subject: a\n\nText\n\n", "Subject: a\n\nText\n\n"),
      ("From a@x Thu Jul  9 13:00:00 2026\nSubject: a\n\nb", "Subject: a\n\nb"),
      (">From a@x Thu Jul  9 13:00:00 2026\nSubject: a\n\nb", "Subject: a\n\nb"),
      (
        "Subject: a\n\n>From x\n\nFrom a@x Thu Jul  9 13:00:00 2026\nSubject: b\n",
        "Subject: a\n\n>From x\n\nFrom a@x Thu Jul  9 13:00:00 2026\nSubject: b\n"
      ),
      ("\u{FEFF}Subject: a\n", "Subject: a\n"), ("Subject: a", "Subject: a"),
      ("Content-Length: 1\n\nabc\n", "Content-Length: 1\n\nabc\n"), ("\nText\n", "\nText\n"),
    ]
  )
  func single(text: String, expected: String) {
    let octets = [UInt8](text.utf8)
    for size in [1, 2, 3, 7, octets.count] {
      var reader = MboxReader(single: ())
      var events: [MboxEvent] = []
      for start in stride(from: 0, to: octets.count, by: size) {
        events += reader.read(octets[start..<min(octets.count, start + size)])
      }
      events += reader.finish()
      #expect(Self.messages(of: events).map(\.octets) == [[UInt8](expected.utf8)])
    }
  }

  @Test(
    "empty lines above a message of a file of its own",
    arguments: [
      ("\n\nSubject: a\n\nText\n", "Subject: a\n\nText\n"),
      ("\r\n\r\nSubject: a\r\n", "Subject: a\r\n"), ("\u{FEFF}\n\nSubject: a\n", "Subject: a\n"),
      ("\n\nFrom a@x Thu Jul  9 13:00:00 2026\nSubject: a\n", "Subject: a\n"),
      ("\r\rSubject: a\n", "\r\rSubject: a\n"), ("\n\n", nil), ("\r", "\r"),
    ]
  )
  func emptyLines(text: String, expected: String?) {
    let octets = [UInt8](text.utf8)
    for size in [1, 2, 3, octets.count] {
      var reader = MboxReader(single: (), skipsEmptyLines: true)
      var events: [MboxEvent] = []
      for start in stride(from: 0, to: octets.count, by: size) {
        events += reader.read(octets[start..<min(octets.count, start + size)])
      }
      events += reader.finish()
      #expect(
        Self.messages(of: events).map(\.octets) == (expected.map { [[UInt8]($0.utf8)] } ?? [])
      )
    }
  }

  @Test(
    "what a source is",
    arguments: [
      ("From a@x Thu Jul  9 13:00:00 2026\nSubject: a\n", SourceKind.mbox),
      ("\u{FEFF}\n\nFrom a@x Thu Jul  9 13:00:00 2026\n", .mbox), ("From \nA: b\n", .mbox),
      ("Subject: a\n\nText\n", .message), ("From a@x yesterday\nSubject: a\n", .message),
      (">From a@x\nSubject: a\n", .message), ("\n\nSubject: a\n", .message),
      ("\r\n\r\nSubject: a\r\n", .message), ("\n\nSubject\n", .other), ("\n", .other),
      ("root:x:0:0:root:/root:/bin/sh\n", .other), ("X-A: b\n folded\nTO: c\n\nb\n", .message),
      ("Subject: a\nno field\n\nText\n", .other), ("key: value\nother: value\n", .other),
      ("Subject a\n", .other), ("From here on\nit is\n", .other),
      ("", .empty), ("\0\0\0", .other), ("%PDF-1.4\n", .other), (": a\n", .other),
    ]
  )
  func kind(text: String, expected: SourceKind) {
    #expect(SourceKind(start: [UInt8](text.utf8)) == expected)
  }
}

@Suite("Separators and fields of an mbox")
struct MboxTableTests {
  private static func rows(_ name: String, _ file: String) throws -> [String] {
    try Fixtures.block(name, of: file).lines()
  }

  @Test("a separator", arguments: try rows("separators", "Fixtures/separators.txt"))
  func separator(row: String) throws {
    let cells = row.split(separator: "|").map { $0.drop { $0 == " " } }
    let text = cells[0].hasSuffix(" ") ? cells[0].dropLast() : cells[0]
    let found = MboxSeparator(try Fixtures.unescape(String(text), in: "separators")[...])
    switch cells[1] {
    case "no": #expect(found == nil)
    case "-": #expect(found != nil && found?.date == nil)
    default: #expect(found?.date == Int64(cells[1]))
    }
  }

  @Test("a field", arguments: try rows("fields", "Fixtures/fields.txt"))
  func field(row: String) {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
    let header = [UInt8]("Subject: a\n\(cells[0])\nTo: b\n".utf8)
    let fields = ContainerFields(header)
    let isKept = cells[0].hasPrefix("status")
    var text = fields.tellsSeen ? "" : "?"
    text += String(decoding: fields.flags.characters, as: UTF8.self)
    if fields.isDeleted { text += text.isEmpty ? "deleted" : " deleted" }
    #expect(text == (isKept ? "" : cells[1]))
    let tags = fields.tags.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    #expect(tags == (cells.count > 2 ? cells[2] : ""))
    #expect(fields.rest == [UInt8]("Subject: a\nTo: b\n".utf8))
    #expect(ContainerFields(header, keepsFields: true).rest == header)
  }

  @Test("very many keywords take little time", .timeLimit(.minutes(1)))
  func manyKeywords() {
    let words = (0..<50_000).map { "k\($0)" } + ["K7", "k8"]
    let header = [UInt8]("X-Keywords: \(words.joined(separator: ","))\n".utf8)
    #expect(ContainerFields(header).tags.count == 50_000)
  }

  /// At 1783602000, Thu Jul  9 13:00:00 2026 UTC; a separator of one, a source of two hours before.
  @Test("a date of arrival", arguments: try rows("dates", "Fixtures/fields.txt"))
  func date(row: String) throws {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
    let header = try Fixtures.unescape(cells[0], in: "dates")
    let now: Int64 = 1_783_602_000
    let date = ArrivalDate.date(
      header,
      separator: cells[1].contains("separator") ? now - 3600 : nil,
      source: cells[1].contains("source") ? now - 7200 : nil,
      now: now
    )
    #expect(date - now == Int64(cells[2]))
  }
}
