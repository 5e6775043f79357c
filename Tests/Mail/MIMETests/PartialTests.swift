import MIME
import MailModel
import Octets
import TestSupport
import Testing

@Suite("Messages without their attachments")
struct PartialTests {
  // MARK: Which

  @Test("which and what of them", arguments: try Fixtures.load("Fixtures/partial-rules.txt"))
  func rules(_ fixture: Fixture) throws {
    let found = try fixture.lines("").map { line in
      var reader = StructureReader(line)
      let (structure, size) = try reader.read()
      guard let plan = PartialPlan(structure, size: size) else { return "whole" }
      return plan.wanted.map { Printable.text($0.section) }.joined(separator: " ")
    }
    #expect(found == fixture.lines("fetched"))
  }

  @Test("as many octets as the limit allows are too many")
  func limits() throws {
    var reader = StructureReader("multipart/mixed(text/plain:10 image/png:9000) of 9999")
    let (structure, size) = try reader.read()
    let plan = try #require(PartialPlan(structure, size: size))
    let sections = try Self.sections(of: Self.message, plan)
    for wanted in plan.wanted {
      var long = sections
      long[wanted.section] = [UInt8](repeating: 0x61, count: wanted.limit)
      #expect(plan.file(long, mark: []) == nil)
      long[wanted.section] = nil
      #expect(plan.file(long, mark: []) == nil)
    }
  }

  @Test("structures that are deep or have very many parts are left whole")
  func bounds() {
    let text = Self.leaf("text", "plain", 3)
    let file = Self.leaf("image", "png", 90_000)
    let many = Self.multipart(Array(repeating: text, count: 250) + [file])
    #expect(PartialPlan(many, size: 100_000) == nil)
    let few = Self.multipart(Array(repeating: text, count: 150) + [file])
    #expect(PartialPlan(few, size: 100_000) != nil)
    #expect(PartialPlan(Self.multipart([]), size: 100_000) == nil)
    #expect(PartialPlan(Self.multipart([text, Self.multipart([]), file]), size: 100_000) == nil)
  }

  // MARK: The file

  private static let message = Self.wire(
    """
    Message-ID: <a@x>
    Subject: folded
     subject
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="b b"

    preamble
    --b b
    Content-Type: multipart/alternative; boundary=inner

    --inner
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: quoted-printable

    Gr=C3=BC=C3=9Fe =
    an alle
    --inner
    Content-Type: text/html

    <p>Gruesse</p>

    --inner--
    --b b
    Content-Type: application/pdf; name*=utf-8''gr%C3%BC%C3%9Fe.pdf
    Content-Disposition: attachment;
     filename*=utf-8''gr%C3%BC%C3%9Fe.pdf
    Content-Transfer-Encoding: base64
    Content-ID: <part@x>

    \(String(repeating: String(repeating: "QUJD", count: 18) + "\n", count: 40))
    --b b--
    epilogue

    """
  )

  private static func wire(_ text: String) -> [UInt8] {
    Array(text.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }
  }

  @Test("the file has header and texts, and says what is missing")
  func file() throws {
    let message = Message(Self.message)
    let structure = Self.structure(message.root)
    let plan = try #require(PartialPlan(structure, size: UInt64(Self.message.count)))
    let mark = PartialMark(
      size: 12,
      name: Array("0a".utf8),
      seal: Array(String(repeating: "f", count: 32).utf8)
    )
    let made = try #require(
      plan.file(try Self.sections(of: Self.message, plan), mark: mark.value)
    )
    #expect(made.count < Self.message.count / 2)
    let read = Message(made, isPartialFile: true)
    #expect(read.header.fields.first?.isNamed("X-Magnum-Partial") == true)
    #expect(read.header.first("X-Magnum-Partial").flatMap { PartialMark($0.body) } == mark)
    #expect(Array(read.header.fields.dropFirst().map(\.raw).joined()) == message.header.octets)
    let texts = { (message: Message) in message.parts.filter { $0.contentType.isText }.map(\.octets)
    }
    #expect(texts(read) == texts(message))
    #expect(texts(read).count == 2)
    let left = try #require(read.parts.last)
    #expect(left.externalSection.map { Printable.text($0) } == "2")
    #expect(left.externalSize == message.parts.last.map { UInt64($0.body.count) })
    #expect(left.external?.header.octets == message.parts.last?.header.octets)
    let decoder = CharsetDecoder { _, octets in [UInt8](octets) }
    #expect(left.fileName(decoder).map { String(decoding: $0, as: UTF8.self) } == "grüße.pdf")
    #expect(read.attachments.map(\.section) == message.attachments.map(\.section))
    let marks = PartialDetector.marks(in: made)
    #expect(marks.fields.map(\.mark) == [mark] && marks.hasPlaceholder)
    // Also where somebody takes the field off.
    let bare = Array(made[(made.firstIndex(of: 10) ?? 0)...].dropFirst())
    #expect(PartialDetector.marks(in: bare).hasPlaceholder)
    // In any other message the same part is what it is.
    let content = try #require(Message(made).parts.last)
    #expect(content.external == nil && content.fileName(decoder) == nil)
    #expect(Message(made).hasPartialMarks && !message.hasPartialMarks)
  }

  @Test("what does not fit together is fetched whole")
  func contradictions() throws {
    let structure = Self.structure(Message(Self.message).root)
    let plan = try #require(PartialPlan(structure, size: UInt64(Self.message.count)))
    let right = try Self.sections(of: Self.message, plan)
    #expect(plan.file(right, mark: [0x61]) != nil)
    let wrong: [(String, [UInt8])] = [
      ("1.1", Array("short".utf8)),
      ("1.1", Array("--inner\r\n".utf8) + Array((right[Array("1.1".utf8)] ?? []).dropFirst(9))),
      ("header", Array("Content-Type: text/plain\r\n\r\n".utf8)),
      ("header", Array("Content-Type: multipart/mixed\r\n\r\n".utf8)),
      ("header", Array("X-Magnum-Partial: x\r\n".utf8) + (right[Array("header".utf8)] ?? [])),
      // A line of which the end is not looked at by what tells partial files.
      (
        "header",
        Array(
          ("Content-Type: multipart/mixed; pad=\"" + String(repeating: "x", count: 17_000)
            + "\"; boundary=\"b b\"\r\n\r\n").utf8
        )
      ),
      ("1.mime", Array("\r\n".utf8)), ("1.mime", []),
      ("1.1.mime", Array("Content-Type: image/png\r\n\r\n".utf8)),
      ("2.mime", Array("A: b\r\n\r\n--b b\r\n\r\n".utf8)),
    ]
    for (name, octets) in wrong {
      var sections = right
      sections[Array(name.utf8)] = octets
      #expect(plan.file(sections, mark: [0x61]) == nil, "\(name)")
    }
  }

  /// Some servers take the end of an inner container for that of the outer one where both have one boundary, and tell nothing
  /// of what is behind it.
  @Test("a structure that does not tell all of the message is not believed")
  func untold() throws {
    let text = "multipart/mixed(text/plain:3 multipart/mixed(image/png:90000)) of "
    func file(inner: String, size: Int) throws -> [UInt8]? {
      var reader = StructureReader(text + "\(size)")
      let (structure, size) = try reader.read()
      let sections = [
        "header": "Content-Type: multipart/mixed; boundary=b\r\n\r\n", "1.mime": "\r\n", "1": "abc",
        "2.mime": "Content-Type: multipart/mixed; boundary=\(inner)\r\n\r\n",
        "2.1.mime": "Content-Type: image/png\r\n\r\n",
      ]
      let octets = sections.map { (Array($0.key.utf8), Array($0.value.utf8)) }
      return PartialPlan(structure, size: size)?
        .file(Dictionary(uniqueKeysWithValues: octets), mark: [0x61])
    }
    #expect(try file(inner: "c", size: 90_300) != nil)
    #expect(try file(inner: "b", size: 90_300) == nil)
    #expect(try file(inner: "c", size: 95_000) == nil)
  }

  // MARK: The marks

  @Test("marks in messages", arguments: try Fixtures.load("Fixtures/partial-files.txt"))
  func finding(_ fixture: Fixture) throws {
    let text = Array((fixture.lines("") + [""]).joined(separator: "\n").utf8)
    let wanted = fixture.lines("found").joined()
    for octets in [text, text.flatMap { $0 == 10 ? [13, 10] : [$0] }] {
      #expect(Self.text(PartialDetector.marks(in: octets)) == wanted)
      let pieces: any OctetSource = octets
      #expect(try Self.text(PartialDetector.marks(in: pieces)) == wanted)
      #expect(Message(octets).hasPartialMarks || wanted == "none")
      for split in 0...octets.count {
        var detector = PartialDetector()
        octets[..<split].withUnsafeBytes { detector.readOctets($0) }
        octets[split...].withUnsafeBytes { detector.readOctets($0) }
        #expect(Self.text(detector.finish()) == wanted, "split at \(split)")
      }
    }
  }

  @Test("random octets are none")
  func garbage() {
    var random = SystemRandomNumberGenerator()
    let words = [
      "--b", "--b--", "\n", "\r\n", "Content-Type: multipart/mixed; boundary=b\n", "\n\n",
      "Content-Type: message/rfc822\n", "\u{0}", "x", "-", ":", "boundary",
    ].map { Array($0.utf8) }
    for _ in 0..<2000 {
      let octets = (0..<Int.random(in: 0..<60, using: &random)).flatMap { _ in
        words.randomElement(using: &random) ?? []
      }
      #expect(PartialDetector.marks(in: octets).isEmpty)
    }
  }

  private static func text(_ marks: PartialMarks) -> String {
    if marks.isEmpty { return "none" }
    let fields = marks.fields.map { field in
      let id = field.messageID.map { " \(Printable.text($0))" } ?? ""
      return (field.isInside ? "inside " : "field ") + Printable.text(field.mark.value) + id
    }
    return (fields + (marks.hasPlaceholder ? ["part"] : [])).joined(separator: ", ")
  }

  // MARK: Structures

  private static func leaf(_ type: String, _ subtype: String, _ size: UInt64) -> BodyStructure {
    BodyStructure(
      type: Array(type.utf8),
      subtype: Array(subtype.utf8),
      size: size,
      disposition: nil,
      fileNames: [],
      content: .leaf
    )
  }

  private static func multipart(_ parts: [BodyStructure]) -> BodyStructure {
    BodyStructure(
      type: Array("multipart".utf8),
      subtype: Array("mixed".utf8),
      size: 0,
      disposition: nil,
      fileNames: [],
      content: .parts(parts)
    )
  }

  private static func structure(_ part: Part) -> BodyStructure {
    BodyStructure(
      type: part.contentType.type,
      subtype: part.contentType.subtype,
      size: part.kind == .multipart ? 0 : UInt64(part.body.count),
      disposition: part.disposition.map { Array(($0.isInline ? "inline" : "attachment").utf8) },
      fileNames: [],
      content: part.kind == .leaf ? .leaf : .parts(part.children.map(structure))
    )
  }

  /// What a server gives of the sections of a message.
  private static func sections(
    of octets: [UInt8],
    _ plan: PartialPlan
  ) throws -> [[UInt8]: [UInt8]] {
    let message = Message(octets)
    var sections: [[UInt8]: [UInt8]] = [:]
    for wanted in plan.wanted {
      let name = String(decoding: wanted.section, as: UTF8.self)
      let number = name.hasSuffix(".mime") ? String(name.dropLast(5)) : name
      let part =
        name == "header" ? message.root : Section(Array(number.utf8)).flatMap { message.part($0) }
      guard let part else { continue }
      let isHeader = name == "header" || name.hasSuffix(".mime")
      sections[wanted.section] = Array(isHeader ? part.octets[..<part.body.startIndex] : part.body)
    }
    return sections
  }
}

/// Reads structures as the fixtures have them.
private struct StructureReader {
  private var text: Substring

  init(_ line: String) { text = line[...] }

  mutating func read() throws -> (BodyStructure, UInt64) {
    let part = try part()
    guard text.hasPrefix(" of "), let size = UInt64(text.dropFirst(4)) else {
      throw HarnessError("no size: \(text)")
    }
    return (part, size)
  }

  private mutating func part() throws -> BodyStructure {
    let head = text.prefix { !"( )".contains($0) }
    text = text.dropFirst(head.count)
    var words = head.split(separator: "=", maxSplits: 1)
    let names = words.count > 1 ? [Array(words[1].utf8)] : []
    words = words[0].split(separator: "@", maxSplits: 1)
    let disposition = words.count > 1 ? Array(words[1].utf8) : nil
    words = words[0].split(separator: ":")
    let size = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
    let types = words[0].split(separator: "/")
    guard types.count == 2 else { throw HarnessError("no type: \(head)") }
    var children: [BodyStructure] = []
    if text.hasPrefix("(") {
      repeat {
        text = text.dropFirst()
        children.append(try part())
      } while text.hasPrefix(" ") && !text.hasPrefix(" of ")
      guard text.hasPrefix(")") else { throw HarnessError("not closed: \(text)") }
      text = text.dropFirst()
    }
    let content: BodyStructure.Content =
      types[0] == "multipart" ? .parts(children) : children.first.map { .message($0) } ?? .leaf
    return BodyStructure(
      type: Array(types[0].utf8),
      subtype: Array(types[1].utf8),
      size: size,
      disposition: disposition,
      fileNames: names,
      content: content
    )
  }
}
