import MIME
import Octets
import TestSupport
import Testing

/// The content of signed-data, in structures that are written as `IDENTIFIER(…)` and `IDENTIFIER:VALUE`.
struct CMSTests {
  @Test(arguments: try Fixtures.load("Fixtures/cms.txt"))
  func contentIsTakenOut(_ fixture: Fixture) throws {
    let octets = try BERText.octets(fixture.body)
    let content = CMSReader.signedContent(octets[...]).map { MIMEText.text($0) }
    #expect(content == fixture["content"])
    #expect(CMSReader.isDetached(octets[...]) == (fixture["detached"] != nil))
    // What is not whole has no content, wherever it is cut.
    let extra = fixture["beyond"].flatMap { Int($0) } ?? 0
    for end in 0..<(octets.count - extra) {
      let cut = CMSReader.signedContent(octets[..<end])
      #expect(cut == nil, "\(fixture.name), cut at \(end)")
    }
  }

  @Test func aMessageWithinItsSignatureIsOpened() throws {
    let entity =
      "Content-Type: multipart/mixed; boundary=q\n\n--q\n\nhello\n--q\n"
      + "Content-Type: application/pdf; name=plan.pdf\n\n%PDF\n--q--\n"
    let message = Message(Self.mail(Array(entity.utf8), type: "application/pkcs7-mime"))
    #expect(message.parts.map { $0.section?.description ?? "-" } == ["1", "1.1", "1.1.1", "1.1.2"])
    #expect(
      message.bodies().map { MIMEText.text($0.plainText(MIMEText.decoder) ?? []) } == ["hello"]
    )
    #expect(message.attachments.map { $0.section?.description } == ["1.1.2"])
    #expect(message.root.secured == .signed && message.root.isOpenedCMS)
    #expect(try StreamedMessage(reading: message.octets).message.parts.count == 4)
  }

  @Test(arguments: [
    ("application/x-pkcs7-mime", true), ("application/octet-stream; name=smime.p7m", true),
    ("application/octet-stream; name=smime.bin", false), ("application/pdf; name=a.p7m", false),
  ])
  func onlySMIMEIsOpened(_ type: String, _ isOpened: Bool) {
    #expect(Message(Self.mail(Array("\nhello".utf8), type: type)).root.isOpenedCMS == isOpened)
  }

  /// A large one is read from a file in pieces.
  @Test func longContentIsRead() throws {
    let text = "\n" + String(repeating: "a line of a long text\n", count: 20_000)
    let mail = Self.mail(Array(text.utf8), type: "application/pkcs7-mime")
    let streamed = try StreamedMessage(reading: mail).message
    #expect(streamed.bodies().first?.decodedSize == text.utf8.count - 1)
  }

  private static func mail(_ entity: [UInt8], type: String) -> [UInt8] {
    let cms = BERText.signed(entity)
    return Array("From: a@b\nContent-Type: \(type)\nContent-Transfer-Encoding: base64\n\n".utf8)
      + Base64.encode(cms) + [10]
  }
}

/// Structures of ASN.1 in a notation for people.
///
/// `30(…)` holds others, `30~(…)` ends with a mark, `30+2(…)` has a length of two octets more than it needs, `04:"text"` and
/// `02:0A1B` are values, `'00'` are octets as they are. `$data`, `$signed` and `$enveloped` are identifiers.
enum BERText {
  static func signed(_ content: [UInt8]) -> [UInt8] {
    let encapsulated = element(0x30, value(0x06, data) + element(0xA0, element(0x04, content)))
    let inside = value(0x02, [1]) + element(0x31, []) + encapsulated + element(0x31, [])
    return element(0x30, value(0x06, signed) + element(0xA0, element(0x30, inside)))
  }

  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
  private static let signed: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
  private static let enveloped: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3]

  private static func value(_ identifier: UInt8, _ octets: [UInt8]) -> [UInt8] {
    element(identifier, octets)
  }

  static func element(_ identifier: UInt8, _ octets: [UInt8], more: Int = 0) -> [UInt8] {
    let count = octets.count
    if count < 0x80, more == 0 { return [identifier, UInt8(count)] + octets }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 || length.isEmpty {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    length = [UInt8](repeating: 0, count: more) + length
    return [identifier, 0x80 | UInt8(length.count)] + length + octets
  }

  static func octets(_ text: String) throws -> [UInt8] {
    var rest = Array(text.utf8)[...]
    return try sequence(&rest)
  }

  private static func sequence(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
    var result: [UInt8] = []
    while true {
      rest = rest.drop { $0 <= 32 }
      guard let next = rest.first, next != UInt8(ascii: ")") else { return result }
      if next == UInt8(ascii: "'") {
        rest = rest.dropFirst()
        result += Hex.decode(rest.prefix { $0 != UInt8(ascii: "'") }) ?? []
        rest = rest.drop { $0 != UInt8(ascii: "'") }.dropFirst()
      } else {
        result += try element(&rest)
      }
    }
  }

  private static func element(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
    guard let identifier = Hex.decode(rest.prefix(2))?.first else {
      throw HarnessError("no identifier: \(String(decoding: rest, as: UTF8.self))")
    }
    rest = rest.dropFirst(2)
    switch rest.popFirst().map(UnicodeScalar.init) {
    case ":": return element(identifier, value(&rest))
    case "(": return element(identifier, try inside(&rest))
    case "~":
      rest = rest.dropFirst()
      return [identifier, 0x80] + (try inside(&rest)) + [0, 0]
    case "+":
      let more = Int(rest.popFirst() ?? 0) - 48
      rest = rest.dropFirst()
      return element(identifier, try inside(&rest), more: more)
    default: throw HarnessError("no value: \(String(decoding: rest, as: UTF8.self))")
    }
  }

  private static func inside(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
    let octets = try sequence(&rest)
    rest = rest.dropFirst()
    return octets
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst()
      let text = rest.prefix { $0 != UInt8(ascii: "\"") }
      rest = rest[text.endIndex...].dropFirst()
      return Array(text)
    }
    let word = rest.prefix { $0 > 32 && $0 != UInt8(ascii: ")") }
    rest = rest[word.endIndex...]
    switch String(decoding: word, as: UTF8.self) {
    case "$data": return data
    case "$signed": return signed
    case "$enveloped": return enveloped
    default: return Hex.decode(word) ?? []
    }
  }
}
