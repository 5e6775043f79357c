import MIME
import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/addresses.txt"))
func addresses(_ fixture: Fixture) throws {
  let list = Address.list(HeaderText.body(try fixture.octets())[...], MIMEText.decoder)
  #expect(list.map(MIMEText.line) == fixture.lines("list"))
}

@Test(arguments: try Fixtures.load("Fixtures/dates.txt"))
func dates(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let words = line.split(separator: "|").map { $0.trimmed }
    let date = MessageDate(try Fixtures.unescape(words[0]))
    let zone = date.map { $0.isZoneKnown ? "\($0.offset)" : "\($0.offset)?" }
    #expect(date.map { "\($0.seconds) \(zone ?? "")" } ?? "none" == words[1], "\(words[0])")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/encoded-words.txt"))
func encodedWords(_ fixture: Fixture) throws {
  let text = EncodedWord.decode(HeaderText.body(try fixture.octets())[...], MIMEText.decoder)
  #expect(MIMEText.visible(text) == (try fixture.text("text")))
}

@Test(arguments: try Fixtures.load("Fixtures/content-types.txt"))
func contentTypes(_ fixture: Fixture) throws {
  let type = ContentType(HeaderText.body(try fixture.octets()))
  var lines = [type.map { MIMEText.text($0.octets) } ?? "none"]
  for (name, title) in [("charset", "charset"), ("boundary", "boundary")]
    as [(StaticString, String)]
  {
    if let value = type?.parameters.octets(name) {
      lines.append("\(title) = \(MIMEText.visible(value))")
    }
  }
  if let name = type?.parameters.text("name", MIMEText.decoder) {
    lines.append("name = \(MIMEText.visible(name))")
  }
  #expect(lines == fixture.lines("means"))
}

@Test(arguments: try Fixtures.load("Fixtures/message-ids.txt"))
func messageIDs(_ fixture: Fixture) throws {
  let body = HeaderText.body(try fixture.octets())
  #expect(MessageID.list(body).map { MIMEText.visible($0.octets) } == fixture.lines("list"))
  #expect(
    MessageID(body).map { MIMEText.visible($0.octets) } ?? "none" == (try fixture.text("one"))
  )
}

@Test(arguments: try Fixtures.load("Fixtures/headers.txt"))
func headers(_ fixture: Fixture) throws {
  let message = Message(try fixture.octets())
  let lines = message.header.fields.map {
    "\(MIMEText.visible($0.name))|\(MIMEText.visible($0.body))"
  }
  #expect(lines == fixture.lines("fields"))
  #expect(MIMEText.visible(message.root.body) == fixture["body"] ?? "")
}

@Test(
  arguments: try Fixtures.load("Fixtures/html.txt") + Fixtures.load("Fixtures/html-in-the-wild.txt")
)
func html(_ fixture: Fixture) throws {
  #expect(MIMEText.text(PlainText.render(try fixture.octets())) == (try fixture.text("text")))
}

@Test(arguments: try Fixtures.load("Fixtures/file-names.txt"))
func fileNames(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
    let safe = SafeFileName.make(try Fixtures.unescape(words[0]))
    #expect(safe.map(MIMEText.visible) ?? "none" == words[1], "\(words[0])")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/charsets.txt"))
func charsets(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
    let charset = Charset(label: try Fixtures.unescape(words[0]))
    #expect(charset.name == words[1], "\(words[0])")
    guard words.count > 3 else { continue }
    let text = MIMEText.decoder.decode(try Fixtures.unescape(words[2])[...], charset)
    #expect(MIMEText.visible(text) == words[3], "\(words[0])")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/transfer-encodings.txt"))
func transferEncodings(_ fixture: Fixture) throws {
  let body = try fixture.octets("body")
  let encoding = TransferEncoding(try fixture.octets())
  #expect(MIMEText.visible(encoding.decode(body[...])) == (try fixture.text("decoded")))
}

/// The value of a field as the parser of a message sees it.
enum HeaderText {
  static func body(_ folded: [UInt8]) -> [UInt8] {
    Message([UInt8](ascii: "X: ") + folded + [10, 10]).header.first("X")?.body ?? []
  }
}

extension Substring {
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// The example of RFC 1843, with what lines and doubled tildes mean.
@Test(arguments: ["This ~{<:Ky2;S{#,NpJ)l6HK!#~} ~~", "~{VP", "a~\nb", "~{VP\nVP"])
func chineseInSevenBits(_ text: String) {
  let decoder = CharsetDecoder { name, octets in
    name == "GB18030" ? Array(String(decoding: octets.map { $0 & 0x7F }, as: UTF8.self).utf8) : nil
  }
  let decoded = decoder.decode(Array(text.utf8)[...], Charset(label: "hz-gb-2312".utf8))
  var plain = text
  for (mark, meaning) in [("~{", ""), ("~}", ""), ("~\n", ""), ("~~", "~")] {
    plain.replace(mark, with: meaning)
  }
  #expect(MIMEText.text(decoded) == plain)
}
