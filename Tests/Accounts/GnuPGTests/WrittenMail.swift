import GnuPG
import MIME
import Octets
import Platform
import Protection
import TestSupport

/// Messages of all shapes that are written, and what a reader has to find in them.
struct WrittenShape: Sendable, CustomStringConvertible {
  let description: String
  let text: String
  var subject = "needle in the subject"
  var files: [File] = []

  struct File: Sendable {
    let name: String
    let type: String
    let octets: [UInt8]

    init(_ name: String, _ type: String, _ text: String) {
      (self.name, self.type, octets) = (name, type, Array(text.utf8))
    }
  }

  init(_ description: String, _ text: String) {
    (self.description, self.text) = (description, text)
  }

  func with(_ files: File..., subject: String? = nil) -> WrittenShape {
    var shape = self
    shape.files = files
    shape.subject = subject ?? self.subject
    return shape
  }

  static let all = [
    WrittenShape("ASCII", "needle\nin a text\n"),
    WrittenShape("no text", ""),
    WrittenShape("one line without its end", "needle"),
    WrittenShape("UTF-8", "needle: größer 日本語 \u{1F468}\u{200D}\u{1F469}\n"),
    WrittenShape("blanks at ends of lines", "needle \nx\t\n   \n\nend  \n"),
    WrittenShape("a signature's mark", "needle\n\n-- \nAlice\n"),
    WrittenShape("lines that begin with From", "From needle\nFrom x\n>From y\n"),
    WrittenShape(
      "lines of dots and dashes",
      ".\n..\nneedle\n--\n---- x\n--=_s_token\n--=_magnum_token\n"
    ),
    WrittenShape("long lines", "needle " + String(repeating: "word ", count: 1000) + "\n"),
    WrittenShape(
      "armour in the text",
      "needle\n-----BEGIN PGP MESSAGE-----\n\nneedle\n-----END PGP MESSAGE-----\n"
    ),
    WrittenShape("a file of octets", "needle\n").with(
      File("bild.png", "image/png", "\u{89}PNG\r\n\0needle\u{FF}")
    ),
    WrittenShape("a file of text with blanks", "needle\n").with(
      File("größe – 長い名前の文書.txt", "text/plain", "needle \nFrom me\nä\n")
    ),
    WrittenShape("two files", "needle\n").with(
      File("a.txt", "text/plain", "needle\n"),
      File("b.csv", "text/csv", "a;b\r\n1;2\r\n")
    ),
    WrittenShape("a message", "needle\n").with(
      File("m.eml", "message/rfc822", "Subject: inner\n\nneedle\n\n--\nBob\n")
    ),
    WrittenShape("a message with a blank at a line end", "needle\n").with(
      File("m.eml", "message/rfc822", "Subject: inner\n\nneedle\n\n-- \nBob\n")
    ),
    WrittenShape("a message in 8 bits", "needle\n").with(
      File(
        "m.eml",
        "message/rfc822",
        "Subject: inner\nContent-Transfer-Encoding: 8bit\n\nneedle ä\n"
      )
    ),
    WrittenShape("a message with a line of From", "needle\n").with(
      File("m.eml", "message/rfc822", "Subject: inner\n\nFrom needle\n")
    ),
    WrittenShape("a subject in many scripts", "needle\n").with(
      subject: "needle – größe, 日本語の件名です。とても長い件名なので折り返します。 \u{1F468}  x"
    ),
  ]

  /// Fields and parts, as a draft has them.
  func message() throws -> OutgoingMessage {
    let addresses: [(StaticString, String)] = [
      ("From", "Alice Ämes <alice@example.org>"), ("To", "\"Bob, B.\" <bob@example.org>"),
      ("Bcc", "Secret <hidden@example.org>"),
    ]
    var fields = addresses.map { name, text in
      OutgoingField([UInt8](ascii: name), addresses: Address.list(Array(text.utf8)[...], .native))
    }
    fields += [
      OutgoingField([UInt8](ascii: "Subject"), text: Array(subject.utf8)),
      OutgoingField(
        [UInt8](ascii: "Date"),
        words: [[UInt8](ascii: "Tue, 1 Dec 2026 12:00:00 +0000")]
      ),
      OutgoingField([UInt8](ascii: "Message-ID"), words: [[UInt8](ascii: "<id@example.org>")]),
      OutgoingField([UInt8](ascii: "Keywords"), text: [UInt8](ascii: "needle-word")),
    ]
    var parts = [OutgoingPart.text(Array(text.utf8))]
    for file in files {
      let type = FileType(Array(file.type.utf8)) ?? .unknown
      parts.append(try .file(file.octets, type: type, name: Array(file.name.utf8)))
    }
    return OutgoingMessage(fields: fields, parts: parts)
  }
}

/// Keys of Alice and Bob with both programs, made once.
final class WritingStage: Sendable {
  let keys: Keyring
  private let certificate: ListedKey
  private let alice: ListedKey
  private let bob: ListedKey

  static let shared = Result { try WritingStage() }

  private init() throws {
    keys = try Keyring()
    try keys.addKey("Alice Ames <alice@example.org>")
    try keys.addKey("Bob <bob@example.org>", isRSA: true)
    try keys.addCertificate("alice@example.org")
    // Other programs would ask a server.
    try Files.write("disable-crl-checks\n", to: keys["gpgsm.conf"])
    let tools = Self.tools(keys)
    let finder = KeyFinder(.openPGP) { tools.answer($0) }
    let own = try finder.own([UInt8](ascii: "alice@example.org"), for: .signing).key
    let other = try finder.recipient([UInt8](ascii: "bob@example.org")).key
    let certificates = KeyFinder(.sMIME) { tools.answer($0) }
    let found = try certificates.own([UInt8](ascii: "alice@example.org"), for: .signing).key
    guard let own, let other, let found else { throw HarnessError("keys are not found") }
    (alice, bob, certificate) = (own, other, found)
  }

  private static func tools(_ keys: Keyring) -> GnuPG {
    GnuPG(hasPerson: false, home: Path(keys.variables["GNUPGHOME"] ?? ""))
  }

  var tools: GnuPG { Self.tools(keys) }

  /// How messages are protected, each by a name.
  static let plans = [
    "sign", "encrypt", "both", "hidden", "draft", "smime sign", "smime encrypt", "smime both",
  ]

  func plan(_ name: String) throws -> ProtectionPlan {
    let pgp = ProtectionPlan.Encryption(recipients: [alice, bob])
    let hidden = ProtectionPlan.Encryption(recipients: [alice], hidden: [bob])
    let smime = ProtectionPlan.Encryption(recipients: [certificate])
    let own = ProtectionPlan.Encryption(recipients: [alice])
    let plan: ProtectionPlan? =
      switch name {
      case "sign": ProtectionPlan(.openPGP, signer: alice, encryption: nil)
      case "encrypt": ProtectionPlan(.openPGP, signer: nil, encryption: pgp)
      case "both": ProtectionPlan(.openPGP, signer: alice, encryption: pgp)
      case "hidden": ProtectionPlan(.openPGP, signer: alice, encryption: hidden)
      case "draft": ProtectionPlan(.openPGP, signer: nil, encryption: own, for: .keeping)
      case "smime sign": ProtectionPlan(.sMIME, signer: certificate, encryption: nil)
      case "smime encrypt": ProtectionPlan(.sMIME, signer: nil, encryption: smime)
      default: ProtectionPlan(.sMIME, signer: certificate, encryption: smime)
      }
    guard let plan else { throw HarnessError("\(name) is no plan") }
    return plan
  }

  /// A message as it is written, and the names of attached messages that became files.
  typealias Written = (octets: [UInt8], madeFiles: [[UInt8]])

  func write(_ shape: WrittenShape, _ plan: String) throws -> Written {
    let tools = tools
    let written = try ProtectionWriter.write(
      try shape.message(),
      try self.plan(plan),
      token: [UInt8](ascii: "token")
    ) { tools.answer($0) }
    return (try written.octets.whole(), written.madeFiles)
  }
}
