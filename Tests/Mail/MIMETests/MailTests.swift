import MIME
import Octets
import TestSupport
import Testing

/// Whole messages: their tree of parts, header and readable text.
@Test(arguments: try Mails.all())
func mails(_ fixture: Fixture) throws {
  let message = Message(try Mails.octets(fixture))
  #expect(MIMEText.lines(message) == (try fixture.text("tree")))
  if fixture.has("text") {
    let texts = message.bodies().map { MIMEText.text($0.plainText(MIMEText.decoder) ?? []) }
    #expect(texts.joined(separator: "\n=====\n").trimmedLines == fixture["text"]?.trimmedLines)
  }
  for line in fixture.lines("header") {
    let (name, value) = (line.prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
    let field = message.header.fields.first { $0.name.equalsCaseless([UInt8](name.utf8)) }
    #expect(field.map { MIMEText.text($0.text(MIMEText.decoder)) } == String(value))
  }
}

@Test(arguments: try Mails.all())
func everyPartIsFoundByItsSection(_ fixture: Fixture) throws {
  let message = Message(try Mails.octets(fixture))
  let sections = message.parts.compactMap(\.section)
  #expect(sections == sections.sorted())
  #expect(Set(sections).count == sections.count)
  for part in message.parts {
    guard let section = part.section else { continue }
    #expect(message.part(section)?.octets == part.octets)
    #expect(Section(section.description.utf8) == section)
  }
}

@Test func alternativesAreChosenByPreference() throws {
  let message = Message(try Mails.octets("newsletter"))
  #expect(message.bodies(preferring: .plain).map(\.section) == [Section("1".utf8)])
  #expect(message.bodies(preferring: .html).map(\.section) == [Section("2.1".utf8)])
}

@Test func inlinePartsAreFoundByContentID() throws {
  let message = Message(try Mails.octets("newsletter"))
  let id = try #require(MessageID([UInt8](ascii: "<logo@shop.example>")))
  let part = try #require(message.part(contentID: id))
  #expect(part.role == .inline)
  #expect(message.attachments.map(\.section) == [part.section])
}

@Test func linksCanBeLeftOut() {
  let html = [UInt8](ascii: "<a href='https://a.example/x'>here</a>")
  #expect(PlainText.render(html) == [UInt8](ascii: "here <https://a.example/x>"))
  #expect(PlainText.render(html, links: .omitted) == [UInt8](ascii: "here"))
}

@Test func limitsLeaveTheRestWhole() throws {
  let octets = try Mails.octets("nested forward")
  let shallow = Message(octets, limits: MessageLimits(nesting: 1))
  #expect(shallow.exceedsLimits)
  #expect(shallow.parts.map { $0.section?.description ?? "-" } == ["-", "1", "2"])
  let narrow = Message(octets, limits: MessageLimits(parts: 2))
  #expect(narrow.exceedsLimits)
  #expect(narrow.parts.count == 2)
  #expect(!Message(octets).exceedsLimits)
}

@Test(arguments: [0, 1, 57, 100_000, 100_001])
func sizesAreThoseOfTheContent(_ count: Int) {
  let data = [UInt8](repeating: 0xA5, count: count)
  // Some programs put an empty line before the content.
  var body: [UInt8] = [13, 10]
  for start in stride(from: 0, to: data.count, by: 57) {
    body += Base64.encode(data[start..<min(start + 57, data.count)]) + [13, 10]
  }
  let head = [UInt8](ascii: "Content-Transfer-Encoding: base64\r\n\r\n")
  let part = Message(head + body).root
  #expect(part.decodedSize == count)
  #expect(part.decoded == data)
}

@Test(arguments: try Mails.all())
func sizesOfPartsAreThoseOfTheirContent(_ fixture: Fixture) throws {
  for part in Message(try Mails.octets(fixture)).parts {
    #expect(part.decodedSize == part.decoded.count)
  }
}

extension String {
  /// The lines without blanks at their ends and empty ones around them.
  var trimmedLines: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.reversed().drop { $0 == " " || $0 == "\r" }.reversed()) }
    let first = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let last = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? first
    return lines[first..<last].joined(separator: "\n")
  }
}
