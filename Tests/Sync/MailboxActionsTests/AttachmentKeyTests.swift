import MIME
import TestSupport
import Testing

@testable import MailboxActions

/// What is known of a part makes its key: anything else has another one.
@Suite struct AttachmentKeyTests {
  private static let header =
    "Content-Type: application/pdf; name=\"a.pdf\"\nContent-Transfer-Encoding: base64\n"

  private static func key(
    _ message: String = "m",
    _ header: String = header,
    _ parameters: String = "section=2; size=12"
  ) throws -> AttachmentKey {
    let text =
      "Content-Type: message/external-body; access-type=x-magnum; \(parameters)\n\n\(header)\n"
    let part = Message(Array(text.utf8), isPartialFile: true).root
    return AttachmentKey(message: Array(message.utf8), try #require(PartPlaceholder(part)))
  }

  @Test func theSameIsTheSame() throws {
    #expect(try Self.key() == Self.key())
    #expect(try AttachmentKey.isName(Self.key().name))
  }

  @Test func anythingElseIsAnother() throws {
    let others = [
      try Self.key("n"), try Self.key("m", Self.header, "section=2.1; size=12"),
      try Self.key("m", Self.header, "section=2; size=13"),
      try Self.key("m", Self.header.replacing("pdf;", with: "zip;")),
      try Self.key("m", Self.header.replacing("base64", with: "8bit")),
      try Self.key("m", Self.header.replacing("a.pdf", with: "b.pdf")),
      try Self.key("m", Self.header.replacing("; name=\"a.pdf\"", with: "")),
    ]
    let all = others + [try Self.key()]
    #expect(Set(all.map(\.name)).count == all.count)
  }

  @Test(arguments: [
    (64, "a", true), (63, "a", false), (65, "a", false), (64, "g", false), (0, "a", false),
  ])
  func namesOfKeys(_ count: Int, _ letter: String, _ isName: Bool) {
    #expect(AttachmentKey.isName(Array(String(repeating: letter, count: count).utf8)) == isName)
  }
}
