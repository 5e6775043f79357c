import Correspondence
import MIME
import Octets
import Platform
import JSON
import TestSupport
import Testing

struct DraftTests {
  static let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static var draft: Draft {
    var draft = Draft()
    draft.from = Address.list([UInt8](ascii: "Me <me@x.test>")[...], .native)[0].mailboxes[0]
    draft.to = Address.list(
      Array("\"Doe, Jané\" <j@x.org>, team: a@x.org, b@x.org;".utf8)[...],
      .native
    )
    draft.bcc = Address.list([UInt8](ascii: "hidden@x.org")[...], .native)
    draft.subject = Array("Grüße \"and\" more".utf8)
    draft.text = Array("one\n\nFrom two\n".utf8)
    draft.messageID = MessageID([UInt8](ascii: "<d@x.test>"))
    draft.references = MessageID.list([UInt8](ascii: "<1@x> <2@x>"))
    draft.origin = MessageID([UInt8](ascii: "<2@x>")).map { Draft.Origin(.answered, $0) }
    draft.extra = [Draft.ExtraField([UInt8](ascii: "X-Note"), Array("é".utf8))].compactMap(\.self)
    let part = try? OutgoingPart.file(
      [UInt8]([0, 1, 255]),
      type: .unknown,
      name: Array("ü.bin".utf8)
    )
    draft.attachments = part.map { [.part($0, name: Array("ü.bin".utf8))] } ?? []
    return draft
  }

  private static func same(_ one: Draft, _ other: Draft) {
    #expect(one.from == other.from)
    #expect(one.to == other.to)
    #expect(one.cc == other.cc)
    #expect(one.bcc == other.bcc)
    #expect(text(one.subject) == text(other.subject))
    #expect(text(one.text) == text(other.text))
    #expect(one.extra == other.extra)
    #expect(one.references == other.references)
    #expect(one.messageID == other.messageID)
    #expect(one.origin == other.origin)
    #expect(one.attachments.map { text($0.name) } == other.attachments.map { text($0.name) })
  }

  @Test func theTextOfADraftIsReadBack() throws {
    let text = DraftText.render(Self.draft)
    let edited = try DraftText.parse(text, into: Self.draft, Self.decoder)
    Self.same(edited.draft, Self.draft)
    #expect(edited.files.isEmpty)
  }

  @Test func aDraftThatIsKeptIsReadBack() throws {
    let date = MessageDate(seconds: 1_760_000_000, offset: 60)
    let parts = Self.draft.attachments.compactMap { attachment in
      if case .part(let part, _) = attachment { part } else { nil }
    }
    let message = DraftMessage.make(Self.draft, parts, date: date, for: .keeping)
    let read = Message(try message.octets(token: [UInt8](ascii: "t")).whole())
    Self.same(try DraftMessage.read(StreamedMessage(read), Self.decoder), Self.draft)
    #expect(read.attachments.map(\.decoded) == [[0, 1, 255]])
    let sent = DraftMessage.make(Self.draft, parts, date: date, for: .sending)
    #expect(try !Self.text(sent.octets(token: []).whole()).contains("X-Magnum"))
  }

  @Test func aTemplateHasTheIdsOfAnAnswer() throws {
    let template = DraftText.template(Self.draft)
    let read = try DraftMessage.read(StreamedMessage(Message(template)), Self.decoder)
    #expect(read.references == Self.draft.references)
    #expect(read.origin == Self.draft.origin)
    #expect(Self.text(read.text) == Self.text(Self.draft.text))
    #expect(read.to == Self.draft.to)
  }

  /// What a person writes, and what is made of it.
  @Test(arguments: [
    ("To: a@x\n\ntext", "to a@x text text"), ("to: a@x\nTO: b@x\n\n", "to a@x, b@x text "),
    ("To: a@x,\n b@x\n\nt\n", "to a@x, b@x text t\n"), ("Subject:\n\n", "to  text "),
    ("To: a@x\r\n\r\nt\r\n", "to a@x text t\n"),
    ("Attach: ~/a b.txt\nAttach:\n\nx", "to  text x files ~/a b.txt"),
    ("Attached:\n\nx", "to  text x"),
  ])
  func whatIsTypedIsRead(text: String, result: String) throws {
    let edited = try DraftText.parse(Array(text.utf8), into: Draft(), Self.decoder)
    let files = edited.files.map { " files \(Self.text($0))" }.joined()
    let to = Self.text(AddressText.text(edited.draft.to))
    #expect("to \(to) text \(Self.text(edited.draft.text))\(files)" == result)
  }

  @Test(arguments: [
    ("text\n", DraftText.Problem.noField(line: 1)), ("To: a@x\ntext\n\n", .noField(line: 2)),
    (" x\n\n", .noField(line: 1)), (": x\n\n", .noField(line: 1)),
    ("To: a@x\nContent-Type: text/html\n\n", .reserved(name: Array("Content-Type".utf8), line: 2)),
    ("References: <1@x>\n\n", .reserved(name: Array("References".utf8), line: 1)),
    ("X-Magnum-Original: a\n\n", .reserved(name: Array("X-Magnum-Original".utf8), line: 1)),
    ("", .noHeader), ("\n", .noHeader), ("\nto: nobody\n", .noHeader),
    ("From: a@x\nfrom: b@x\n\n", .repeated(name: Array("from".utf8), line: 2)),
    ("Subject: a\nTo: a@x\nSubject: a\n\n", .repeated(name: Array("Subject".utf8), line: 3)),
    ("Protect: sign\nProtect: encrypt\n\n", .repeated(name: Array("Protect".utf8), line: 2)),
    ("Protect: encrypt\nprotect: sing\n\n", .repeated(name: Array("protect".utf8), line: 2)),
    ("To: a@x\nAttached: 1 gone\n\n", .notAttached(Array("1 gone".utf8), line: 2)),
    ("Attached: 1\n\n", .notAttached(Array("1".utf8), line: 1)),
  ])
  func mistakesAreFound(text: String, problem: DraftText.Problem) {
    #expect(throws: problem) {
      try DraftText.parse(Array(text.utf8), into: Draft(), Self.decoder)
    }
  }

  /// What lines name of the attachments `a`, `b c`, `b c` and ` 7 x`, by their numbers; nil where one of them is a mistake.
  @Test(arguments: [
    ("1 a", [1]), ("3 a", [1]), ("a", [1]), ("1", [1]), ("2 a", [1]), ("1 a\n9 a", [1]),
    ("3 b c", [3]), ("2 b c\n3 b c", [2, 3]), ("3 b c\n1 a", [1, 3]), ("4  7 x", [4]),
    ("4 7 x", [4]), ("", []), ("b c", nil), ("4 b c", nil), ("1 b", nil), ("5", nil), ("0", nil),
    ("1 a\nz", nil), ("99999999999999999999 a", nil),
  ])
  func anAttachmentIsNamedByItsLine(_ values: String, _ kept: [Int]?) throws {
    var draft = Draft()
    // They are told apart by their sizes.
    draft.attachments = try ["a", "b c", "b c", " 7 x"].enumerated().map { index, name in
      let octets = [UInt8](repeating: 0, count: 100 * (index + 1))
      let part = try OutgoingPart.file(octets, type: .unknown, name: Array(name.utf8))
      return .part(part, name: Array(name.utf8))
    }
    let sizes = draft.attachments.map(\.size)
    let lines = values.split(separator: "\n").map { "Attached: \($0)\n" }.joined()
    let text = Array("To: a@x\n\(lines)\n".utf8)
    let edited = try? DraftText.parse(text, into: draft, Self.decoder)
    #expect(edited?.draft.attachments.map(\.size) == kept?.map { sizes[$0 - 1] })
  }

  @Test func textThatIsNotUTF8IsRefused() {
    #expect(throws: DraftText.Problem.notUTF8) {
      try DraftText.parse(Array("To: a@x\n\n".utf8) + [0xFF], into: Draft(), Self.decoder)
    }
  }

  /// A draft from a folder, which a stranger may have put there, makes no line that names a file.
  @Test func aDraftOfAStrangerNamesNoFile() throws {
    let message = Message(
      Array(
        """
        Attach: /etc/passwd
        X-Note: a
          Attach: /etc/passwd
        Subject: =?utf-8?q?a=0AAttach:_/etc/passwd?=
        To: "x\nAttach: /etc/passwd" <a@x.org>
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Disposition: attachment; filename*=utf-8''a%0AAttach:%20/etc/passwd

        --b--
        """.utf8
      )
    )
    let draft = try DraftMessage.read(StreamedMessage(message), Self.decoder)
    let edited = try DraftText.parse(DraftText.render(draft), into: draft, Self.decoder)
    #expect(edited.files.isEmpty)
    #expect(edited.draft.attachments.count == 1)
  }

  @Test(arguments: [
    ("see attached", true), ("See the ATTACHMENT.", true), ("im Anhang", true),
    ("Angehängt ist", true), ("attattached", true), ("attachmen", false),
    ("> see attached", false), ("hello\n-- \nattached to nothing", false), ("hello", false),
    ("---------- Forwarded message ----------\nattached", false), ("", false),
  ])
  func forgottenAttachmentsAreNoticed(text: String, isNoticed: Bool) {
    var draft = Draft()
    draft.subject = [0x61]
    draft.text = Array(text.utf8)
    #expect(DraftWarning.all(in: draft) == (isNoticed ? [.noAttachment] : []))
  }

  @Test(arguments: [
    (#"{"version":2}"#, "version is not 1"), (#"[]"#, "the draft is no object"),
    (#"{"to":1}"#, "to is no array of texts"), (#"{"to":[1]}"#, "to is no text"),
    (#"{"then":"go"}"#, "then is none of: draft, send, hold"),
    (#"{"x":1}"#, "unknown member \"x\""),
    (#"{"attachments":[{}]}"#, "an attachment has no path"),
    (#"{"attachments":[{"name":"a"}]}"#, "an attachment \"a\" has no path"),
    (#"{"attachments":[{"path":"a","x":1}]}"#, "unknown member \"x\" of an attachment"),
    (#"{"headers":{"A":1}}"#, "headers: A is no text"), (#"{"text":[]}"#, "text is no text"),
    (#"{"quote":"no"}"#, "quote is neither true nor false"),
  ])
  func mistakesOfProgramsAreFound(json: String, what: String) {
    #expect(throws: DraftRequest.Problem(what: what)) {
      try DraftRequest(try JSON.JSONValue(Array(json.utf8)))
    }
  }
}
