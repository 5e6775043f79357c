import GnuPG
import MIME
import Octets
import Platform
import Protection
import TestSupport
import Testing

/// Signed messages through servers that take 7 bits only: their octets arrive as they were signed.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct SignedDeliveryTests {
  @Test(.enabled(if: Exim.isInstalled))
  func eximChangesNothing() throws {
    let exim = try Exim(takesEightBits: false)
    let url = "submission://localhost:\(exim.port)"
    try arriveUnchanged(url, trust: exim.trustFile) { exim.messages }
  }

  @Test(.enabled("needs root and an unpacked Postfix (Tests/need postfix)") { Postfix.canRun })
  func postfixChangesNothing() throws {
    let postfix = try Postfix(takesEightBits: false)
    let url = "submission://localhost:\(postfix.port)"
    try arriveUnchanged(url, trust: postfix.trustFile) { postfix.messages }
  }

  private func arriveUnchanged(
    _ url: String,
    trust: String,
    _ messages: () -> [String]
  ) throws {
    let keys = try Keyring()
    try keys.addKey("Alice <alice@example.org>")
    try keys.addCertificate("alice@example.org")
    let tools = GnuPG(hasPerson: false, home: Path(keys.variables["GNUPGHOME"] ?? ""))
    let stage = try SendStage()
    try stage.configure(
      "smtp-user = \"me\"\npassword = \"pass\"\ntls-ca-file = \"\(trust)\"",
      server: url
    )
    for method in ProtectionMethod.allCases {
      for encrypts in [false, true] {
        let name = "\(method) \(encrypts)"
        let written = try Self.message(name, method, encrypts: encrypts, tools)
        let outcome = try stage.send(String(decoding: written, as: UTF8.self), "a@x.test")
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
        func isIt(_ message: String) -> Bool { message.contains("X-Case: \(name)\n") }
        #expect(Stopwatch.wait(upTo: 10) { messages().contains(where: isIt) }, "\(name)")
        let arrived = Array(try #require(messages().first(where: isIt)).utf8)
        #expect(Self.body(arrived) == Self.body(written), "\(name)")
        #expect(Message(arrived).header.all("Bcc").isEmpty)
        tools.beginMessage()
        let reading = ProtectionReader.read(
          Message(arrived),
          ProtectionWishes(verifies: true, decrypts: true),
          .native
        ) { tools.answer($0) }
        #expect(reading.verdict == .good && reading.isDecrypted == encrypts, "\(name)")
        #expect(reading.header.text("Subject", .native) == [UInt8](ascii: "secret"))
      }
    }
  }

  private static func body(_ message: [UInt8]) -> ArraySlice<UInt8> {
    message.firstRange(of: [ASCII.lineFeed, ASCII.lineFeed]).map { message[$0.upperBound...] } ?? []
  }

  /// A text with all that transports change.
  private static func message(
    _ name: String,
    _ method: ProtectionMethod,
    encrypts: Bool,
    _ tools: GnuPG
  ) throws -> [UInt8] {
    let address = [UInt8](ascii: "alice@example.org")
    let finder = KeyFinder(method) { tools.answer($0) }
    let key = try #require(try finder.own(address, for: .signing).key)
    let fields = [
      ("From", "alice@example.org"), ("To", "a@x.test"), ("Bcc", "b@x.test"),
      ("Subject", "secret"), ("X-Case", name),
    ].map { OutgoingField(Array($0.utf8), text: Array($1.utf8)) }
    let text =
      "From me \n.\n..\n\ngrößer \t\n--\n" + String(repeating: "x", count: 2000) + "\n-- \nA"
    let file = Array("From you \n\u{E4}\n".utf8)
    let message = OutgoingMessage(
      fields: fields,
      parts: [
        .text(Array(text.utf8)),
        try .file(file, type: FileType([UInt8](ascii: "text/plain")) ?? .unknown, name: nil),
      ]
    )
    let plan = try #require(
      ProtectionPlan(
        method,
        signer: key,
        encryption: encrypts ? .init(recipients: [key]) : nil
      )
    )
    return try ProtectionWriter.write(message, plan, token: [UInt8](ascii: "token")) {
      tools.answer($0)
    }.octets.whole()
  }
}
