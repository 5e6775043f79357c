import MIME
import Octets
import TestSupport
import Testing

/// Files of Outlook, written by ``TNEFWriter``, within a message.
struct TNEFTests {
  private static func message(_ file: [UInt8], text: String = "") -> Message {
    let mail =
      "From: a@b\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\n\(text)\n--q\n"
      + "Content-Type: application/ms-tnef; name=winmail.dat\n"
      + "Content-Transfer-Encoding: base64\n\n"
    return Message([UInt8](mail.utf8) + Base64.encode(file) + [UInt8](ascii: "\n--q--\n"))
  }

  private static func texts(_ message: Message) -> [String] {
    message.bodies().map { MIMEText.text($0.plainText(MIMEText.decoder) ?? []) }
      .filter { !$0.isEmpty }
  }

  private static func names(_ message: Message) -> [String] {
    message.attachments.map { MIMEText.text($0.fileName(MIMEText.decoder) ?? []) }
  }

  private static var whole: TNEFWriter {
    var file = TNEFWriter()
    file.add(0x9007, [0xE4, 0x04, 0, 0, 0, 0, 0, 0])
    file.add(0x800C, [UInt8](ascii: "plain words\0"))
    file.beginAttachment()
    file.add(0x8010, [UInt8](ascii: "SHORT~1.PDF\0"), level: 2)
    file.add(0x800F, [UInt8](ascii: "%PDF"), level: 2)
    file.add(
      0x9005,
      TNEFWriter.properties([
        .unicode(0x3707, "Büro.pdf"),
        .octets(0x370E, [UInt8](ascii: "application/pdf\0"), type: 0x1E),
      ]),
      level: 2
    )
    return file
  }

  @Test func textAndAttachmentsAreFound() throws {
    let message = Self.message(Self.whole.octets)
    #expect(Self.texts(message) == ["plain words"])
    #expect(Self.names(message) == ["Büro.pdf"])
    let part = try #require(Section("2.2".utf8).flatMap { message.part($0) })
    #expect(part.decoded == [UInt8](ascii: "%PDF"))
    #expect(part.contentType.isType("application", "pdf"))
    let file = try #require(Section("2".utf8).flatMap { message.part($0) })
    #expect(file.losses == [])
    #expect(file.decoded == Self.whole.octets)
  }

  @Test func textBesideItIsNotShownTwice() {
    let message = Self.message(Self.whole.octets, text: "plain words")
    #expect(Self.texts(message) == ["plain words"])
    #expect(message.parts.count == 5)
  }

  @Test func aMessageThatIsNothingElseIsOpened() {
    let mail = [UInt8](ascii: "Content-Type: application/ms-tnef\n\n") + Self.whole.octets
    let message = Message(mail)
    #expect(Self.texts(message) == ["plain words"])
    #expect(message.parts.map { $0.section?.description } == ["1", "1.1", "1.2"])
    #expect(message.root.decoded == Self.whole.octets)
  }

  @Test func pagesAndRichTextAreText() {
    var page = TNEFWriter()
    page.add(0x9003, TNEFWriter.properties([.octets(0x1013, [UInt8](ascii: "<p>one<p>two"))]))
    #expect(Self.texts(Self.message(page.octets)) == ["one\n\ntwo"])
    let rich =
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}caf\\'e9 < \\u8364 ? \\{b\\}\\par next}"
    #expect(Self.texts(Self.message(Self.rich(rich))) == ["café < € {b}\nnext"])
    let wrapped =
      "{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 one \\htmlrtf\\par}\\htmlrtf0 {\\*\\htmltag72 </p>}two}"
    #expect(Self.texts(Self.message(Self.rich(wrapped))) == ["one\n\ntwo"])
  }

  private static func rich(_ text: String) -> [UInt8] {
    var file = TNEFWriter()
    file.add(0x9003, TNEFWriter.properties([.octets(0x1009, TNEFWriter.uncompressed(text))]))
    return file.octets
  }

  /// The example of MS-OXRTFCP §3.1.
  @Test func richTextIsDecompressed() {
    let compressed: [UInt8] = [
      0x2D, 0, 0, 0, 0x2B, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xF1, 0xC5, 0xC7, 0xA7, 0x03, 0x00,
      0x0A,
      0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0A, 0xF3, 0x20, 0x68, 0x65,
      0x6C,
      0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xB0, 0x6C, 0x64, 0x7D, 0x0A, 0x80, 0x0F, 0xA0,
    ]
    var file = TNEFWriter()
    file.add(0x9003, TNEFWriter.properties([.octets(0x1009, compressed)]))
    #expect(Self.texts(Self.message(file.octets)) == ["hello world"])
  }

  @Test func messagesInsideAreOpenedToADepth() {
    var inner = Self.whole
    for depth in 1...6 {
      var outer = TNEFWriter()
      outer.beginAttachment()
      outer.add(
        0x9005,
        TNEFWriter.properties([
          .unicode(0x3001, "inner \(depth)"),
          .octets(0x3701, [UInt8](repeating: 0, count: 16) + inner.octets, type: 0x0D),
        ]),
        level: 2
      )
      inner = outer
    }
    let message = Self.message(inner.octets)
    let subjects = message.parts.compactMap { $0.messageInside?.header.text("Subject", .native) }
    #expect(subjects.map { MIMEText.text($0) } == ["inner 6", "inner 5", "inner 4"])
    #expect(message.exceedsLimits)
  }

  @Test func whatIsLostIsTold() throws {
    let octets = Self.whole.octets
    let cut = Self.message([UInt8](octets.dropLast(20)))
    #expect(Self.texts(cut) == ["plain words"])
    let two = try #require(Section("2".utf8))
    #expect(cut.part(two)?.losses == [.end])
    // What is lost may be in the file itself.
    #expect(Self.names(cut).first == "winmail.dat")
    var damaged = octets
    damaged[octets.count - 1] ^= 1
    #expect(Self.message(damaged).part(two)?.losses == [.damage])
    var object = TNEFWriter()
    object.beginAttachment()
    object.add(0x800C, [UInt8](ascii: "text"))
    #expect(Self.message(object.octets).part(two)?.losses == [.objects(1)])
    let none = Self.message([UInt8](ascii: "no such file"))
    #expect(none.part(two)?.kind == .leaf)
    #expect(Self.names(none) == ["winmail.dat"])
  }

  /// Lengths, counts and ends that are wrong, each octet of a file in turn.
  @Test func damageDoesNoHarm() {
    var file = Self.whole
    file.add(
      0x9003,
      TNEFWriter.properties([
        .unicode(0x1000, "body"), .octets(0x1009, TNEFWriter.uncompressed("{\\rtf1 x}")),
      ])
    )
    let octets = file.octets
    for index in octets.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var damaged = octets
        damaged[index] = value
        let parts = Message([UInt8](ascii: "Content-Type: application/ms-tnef\n\n") + damaged).parts
        #expect(parts.count <= 6 && parts.reduce(0) { $0 + $1.body.count } <= 40 * octets.count)
      }
      let cut = [UInt8](ascii: "Content-Type: application/ms-tnef\n\n") + octets[..<index]
      #expect(Message(cut).parts.count <= 6)
    }
  }

  @Test func countsThatAreTooHighAreNotBelieved() {
    var file = TNEFWriter()
    // Four thousand million properties, values and octets.
    file.add(0x9003, [0xFF, 0xFF, 0xFF, 0xFF, 0x1E, 0x10, 0x00, 0x10, 0xFF, 0xFF, 0xFF, 0x7F])
    file.add(0x9003, [0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x10, 0x00, 0x10, 0xFF, 0xFF, 0xFF, 0x7F])
    for _ in 0..<20_000 { file.beginAttachment() }
    file.add(0x800F, [1], level: 2)
    let message = Self.message(file.octets)
    #expect(message.parts.count == 4)
  }
}
