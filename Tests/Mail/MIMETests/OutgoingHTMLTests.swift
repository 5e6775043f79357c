import MIME
import Octets
import TestSupport
import Testing

/// HTML that is to be sent, and the messages that are made with it.
struct OutgoingHTMLTests {
  private static let pictures = [("a.png", "a@i"), ("my b.png", "b/1@i"), ("ü.png", "u@i")]
    .compactMap { name, id in
      MessageID(stripping: id.utf8).map { OutgoingHTML.Picture(name: Array(name.utf8), id: $0) }
    }

  @Test(arguments: try Fixtures.load("Fixtures/outgoing-html.txt"))
  func html(_ fixture: Fixture) throws {
    do throws(OutgoingHTML.Problem) {
      let html = try OutgoingHTML(Array(fixture.body.utf8), Self.pictures)
      #expect(MIMEText.text(html.octets) == fixture["html"])
      let shown = html.shown.map { MIMEText.text($0.octets) }.sorted().joined(separator: " ")
      #expect(shown == fixture["shown"] ?? "")
    } catch {
      #expect(Self.words(error) == fixture["refused"])
    }
  }

  private static func words(_ problem: OutgoingHTML.Problem) -> String {
    switch problem {
    case .element(let name): "element \(MIMEText.text(name))"
    case .attribute(let name): "attribute \(MIMEText.text(name))"
    case .script(let link): "script \(Printable.text(link))"
    case .file(let name): "file \(Printable.text(name))"
    }
  }

  /// The parts of a message, indented as they lie in one another.
  private static func tree(_ part: Part, _ depth: Int = 0) -> [String] {
    let type = MIMEText.text(part.contentType.octets)
    let id = part.contentID.map { " <\(MIMEText.text($0.octets))>" } ?? ""
    return [String(repeating: "  ", count: depth) + type + id]
      + part.children.flatMap { tree($0, depth + 1) }
  }

  private static func attached(_ line: String) throws -> OutgoingPart {
    let words = line.split(separator: " ").map { [UInt8]($0.utf8) }
    let octets = [UInt8]([0x89, 0x50, 0x4E, 0x47])
    return try .file(
      octets,
      type: FileType.of(name: words[0]) ?? .unknown,
      name: words[0],
      contentID: words.count > 1 ? MessageID(stripping: words[1]) : nil
    )
  }

  /// Each structure alone, and in 7 bits as it is signed.
  @Test(arguments: try Fixtures.load("Fixtures/outgoing-bodies.txt"), [false, true])
  func structures(_ fixture: Fixture, isSevenBit: Bool) throws {
    let attached = try fixture.lines("attached").map(Self.attached)
    let pictures = zip(fixture.lines("attached"), attached).compactMap { line, part in
      part.contentID.map {
        OutgoingHTML.Picture(name: [UInt8](line.prefix { $0 != " " }.utf8), id: $0)
      }
    }
    let token = [UInt8](ascii: "x")
    let source: OutgoingPart.HTMLSource = fixture.has("given") ? .given : .madeOfText
    let parts = try OutgoingPart.bodies(
      .text(try fixture.octets("text")),
      OutgoingHTML(try fixture.octets("html"), pictures),
      source,
      attached: attached,
      token: token
    )
    var message = OutgoingMessage(fields: [], parts: parts)
    if isSevenBit { message = try message.sevenBit().0 }
    let octets = try message.octets(token: token).whole()
    #expect(octets.allSatisfy { $0 < 0x80 })
    let read = Message(octets)
    #expect(Self.tree(read.root) == fixture.lines("parts"))
    let texts = read.bodies().map { MIMEText.text($0.text(MIMEText.decoder) ?? []) }
    #expect(texts == [MIMEText.text(try fixture.octets("text")) + "\n"])
    // What a message has is kept when it is taken in again.
    let again = OutgoingMessage(
      fields: [],
      parts: try OutgoingPart.bodies(of: StreamedMessage(read), MIMEText.decoder, token: token)
    )
    let copy = Message(try again.octets(token: token).whole())
    #expect(Self.tree(copy.root) == fixture.lines("parts"))
    #expect(
      copy.parts.filter { $0.kind == .leaf }.map(\.decoded)
        == read.parts.filter { $0.kind == .leaf }.map(\.decoded)
    )
  }
}
