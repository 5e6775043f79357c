import MIME
import Octets
import Protection
import TestSupport
import Testing

/// Which part of a message is protected, and what of it may be shown.
struct ReadingTests {
  @Test(arguments: try Fixtures.load("Fixtures/messages.txt"))
  func messagesAreRead(_ fixture: Fixture) throws {
    let message = Message(try fixture.octets("message") + [10])
    let run = ScriptedTools(fixture)
    let reading = ProtectionReader.read(message, run.wishes, .native) { run.answer($0) }
    let lines = run.asked + ReadingText.lines(reading)
    #expect(lines == fixture.lines("is"))
  }

  /// Whatever the answers are, no text comes out that is neither in the message nor was decrypted under all conditions.
  @Test(arguments: try Fixtures.load("Fixtures/messages.txt"))
  func nothingIsDecryptedWithoutAWish(_ fixture: Fixture) throws {
    let message = Message(try fixture.octets("message") + [10])
    let run = ScriptedTools(fixture)
    let wishes = ProtectionWishes(verifies: true, decrypts: false)
    let reading = ProtectionReader.read(message, wishes, .native) { run.answer($0) }
    #expect(!run.asked.contains { $0.hasPrefix("asked decrypt") })
    let isInTheClear = fixture["message"]?.contains("secret") == true
    #expect(isInTheClear || !ReadingText.lines(reading).contains { $0.contains("secret") })
  }

  @Test(arguments: [
    ("\nhello\n", "\r\nhello"), ("A: b\n\nx\ny\n", "A: b\r\n\r\nx\r\ny"),
    ("A: b\r\n\r\nx\r\n", "A: b\r\n\r\nx"), ("\nx \n\n", "\r\nx \r\n"), ("\nx\ry\n", "\r\nx\ry"),
    ("\n\u{FC}\n", "\r\n\u{FC}"), ("A: b\nC:  d \n e\n\n\n", "A: b\r\nC:  d \r\n e\r\n\r\n"),
  ])
  func signedOctetsEndBeforeTheBoundary(_ part: String, _ octets: String) throws {
    let mail =
      "Content-Type: multipart/signed; boundary=q; protocol=\"application/pgp-signature\"\n\n"
      + "--q\n\(part)--q\nContent-Type: application/pgp-signature\n\nx\n--q--\n"
    var asked: [[UInt8]] = []
    let wishes = ProtectionWishes(verifies: true, decrypts: false)
    _ = ProtectionReader.read(Message(Array(mail.utf8)), wishes, .native) { request in
      if case .checkDetached(_, let signed, _) = request { asked.append(signed) }
      return .noProgram
    }
    #expect(asked.map { String(decoding: $0, as: UTF8.self) } == [octets])
  }

  /// A part that is only on the server is not here, and nothing is bad.
  @Test func partsOnTheServerAreNotChecked() {
    let mail =
      "Content-Type: multipart/signed; boundary=q; protocol=\"application/pgp-signature\"\n\n"
      + "--q\nContent-Type: message/external-body; access-type=x-magnum; section=1; size=9\n\n"
      + "Content-Type: text/plain\n\n\n--q\nContent-Type: application/pgp-signature\n\nx\n--q--\n"
    let message = Message(Array(mail.utf8), isPartialFile: true)
    let wishes = ProtectionWishes(verifies: true, decrypts: true)
    let reading = ProtectionReader.read(message, wishes, .native) { _ in .broken }
    #expect(reading.signatures.map(\.reason) == [.notHere])
  }
}

/// Answers of programs as a fixture has them, and what they were asked.
final class ScriptedTools {
  private let fixture: Fixture
  private(set) var asked: [String] = []

  init(_ fixture: Fixture) {
    self.fixture = fixture
  }

  var wishes: ProtectionWishes {
    let words = (fixture["wishes"] ?? "").split(separator: " ").map { "\($0)" }
    switch words.first {
    case "nothing"?: return ProtectionWishes(verifies: false, decrypts: false)
    case "verify"?: return ProtectionWishes(verifies: true, decrypts: false)
    case "part"?:
      let path = words.dropFirst().compactMap { Int($0) }
      return ProtectionWishes(verifies: true, decrypts: true, onlyPart: path)
    default: return ProtectionWishes(verifies: true, decrypts: true)
    }
  }

  func answer(_ request: ToolRequest) -> ToolAnswer {
    let name: String
    switch request {
    case .checkDetached: name = "check"
    case .checkOpaque: name = "opaque"
    case .open(_, _, let decrypts): name = decrypts ? "decrypt" : "open"
    case .listOwner: return listing
    case .listKeys, .sign, .encrypt, .fetchKey, .exportKey: return .broken
    }
    asked.append("asked \(name) \(request.method.rawValue)")
    return answer(fixture[name] ?? "broken")
  }

  private var listing: ToolAnswer {
    let text = String(decoding: ScriptedRun.listing, as: UTF8.self)
    switch fixture["list"] {
    case "claims":
      return .ended(0, status: [], output: Array(text.replacing("uid:f", with: "uid:-").utf8))
    case "revoked":
      return .ended(0, status: [], output: Array(text.replacing("uid:f", with: "uid:r").utf8))
    case "broken": return .broken
    default: return .ended(0, status: [], output: Array(text.utf8))
    }
  }

  private func answer(_ words: String) -> ToolAnswer {
    switch words {
    case "broken": return .broken
    case "none": return .noProgram
    case "nohome": return .noKeys
    case "many": return .tooMany
    default: break
    }
    let lines = words.split(separator: " ").reduce([String]()) { Self.adding(String($1), to: $0) }
    let status = lines.map { "[GNUPG:] \($0)\n" }.joined()
    let isFailure = ["bad", "nokey", "nodata", "badmdc", "noseckey"].contains(words)
    let plain = (try? fixture.octets("plain")) ?? []
    let ends = fixture["open"] == nil && fixture["opaque"] == nil
    return .ended(
      isFailure ? 1 : 0,
      status: Array(status.utf8),
      output: words == "nodata" ? [] : plain + (ends ? [10] : [])
    )
  }

  private static let key = "0123456789ABCDEF0123456789ABCDEF01234567"

  private static func adding(_ word: String, to lines: [String]) -> [String] {
    let short = key.suffix(16)
    let signature = [
      "NEWSIG", "GOODSIG \(short) Alice Ames <alice@example.org>",
      "VALIDSIG \(key) 2026-12-01 1796119996 0 4 0 22 8 00 \(key)",
    ]
    let begin = ["BEGIN_DECRYPTION", "DECRYPTION_INFO 2 9 0", "PLAINTEXT 62 0 "]
    let end = ["DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"]
    switch word {
    case "good" where lines.last == "END_DECRYPTION":
      return Array(lines.dropLast(3)) + signature + ["TRUST_FULLY 0 pgp"] + end
    case "good": return lines + signature + ["TRUST_FULLY 0 pgp"]
    case "uncertified": return lines + signature + ["TRUST_UNDEFINED 0 pgp"]
    case "bad": return lines + ["NEWSIG", "BADSIG \(short) Alice"]
    case "nokey": return lines + ["NEWSIG", "ERRSIG \(short) 22 8 00 1 9 -"]
    case "nodata": return ["ERROR verify.leave 150995087"]
    case "text": return ["PLAINTEXT 74 0 "]
    case "decrypted": return begin + end
    case "smime": return ["ENC_TO 1039F1F96BA712F3 0 0", "DECRYPTION_OKAY"]
    case "badmdc": return begin + ["BADMDC", "DECRYPTION_FAILED", "END_DECRYPTION"]
    case "nomdc":
      return ["BEGIN_DECRYPTION", "DECRYPTION_INFO 0 9 0", "PLAINTEXT 62 0 "] + end
    case "noseckey": return ["NO_SECKEY 0000000000000000", "DECRYPTION_FAILED"]
    default: return ["UNKNOWN"]
    }
  }
}

/// What was found out about a message, line by line.
private enum ReadingText {
  static func lines(_ reading: ProtectionReading) -> [String] {
    signatures(reading) + encryptions(reading) + message(reading) + header(reading)
      + texts(reading.message.root, reading)
  }

  private static func signatures(_ reading: ProtectionReading) -> [String] {
    reading.signatures.flatMap { finding in
      finding.statuses.map { status in
        let reason = finding.reason.map { " \($0)" } ?? ""
        let within = finding.isWithinEncryption ? " (within)" : ""
        let ciphertext = finding.signsCiphertext ? " (ciphertext)" : ""
        return "signature \(place(finding.part, reading)): \(FindingText.line(status))"
          + reason + within + ciphertext
      }
    }
  }

  private static func encryptions(_ reading: ProtectionReading) -> [String] {
    zip(reading.encryptions, FindingText.outcomes(reading)).map { finding, outcome in
      "encryption \(place(finding.part, reading)): \(outcome)"
    }
  }

  private static func place(_ part: ProtectedPart, _ reading: ProtectionReading) -> String {
    let section = reading.message.part(at: part.payload)?.section
    return (section.map(\.description) ?? "-") + (part.nesting > 0 ? " in \(part.nesting)" : "")
  }

  private static func message(_ reading: ProtectionReading) -> [String] {
    guard reading.verdict != nil || reading.coverage != nil else { return [] }
    let words = [reading.verdict?.rawValue, reading.sender?.rawValue, reading.coverage?.rawValue]
    return ["message " + words.map { $0 ?? "-" }.joined(separator: " ")]
  }

  private static func header(_ reading: ProtectionReading) -> [String] {
    guard let header = reading.protectedHeader else { return [] }
    var lines = (["Subject", "To"] as [StaticString]).map { name in
      "header \(name): \(text(header.header.text(name, .native) ?? []))"
    }
    if let mask = header.maskedSubject { lines.append("masked: \(mask.map(text) ?? "-")") }
    if let author = header.otherAuthor { lines.append("other author: \(text(author.body))") }
    return lines
  }

  private static func texts(_ part: Part, _ reading: ProtectionReading) -> [String] {
    part.readable().flatMap { part -> [String] in
      if let root = part.messageInside { return texts(root, reading) }
      guard let section = part.section else { return [] }
      if reading.hidden.contains(section) { return ["text \(section): (hidden)"] }
      let isSigned = reading.signatures.contains { $0.covered.contains(section) }
      let isOpen = reading.unauthenticated.contains(section)
      let plain = part.plainText(.native, links: isOpen ? .omitted : .shown) ?? []
      let lines = text(plain).split(separator: "\n", omittingEmptySubsequences: false)
      let joined = lines.joined(separator: "|")
      return [
        "text \(section): \(joined)\(isSigned ? " (signed)" : "")\(isOpen ? " (no links)" : "")"
      ]
    }
  }

  private static func text(_ octets: [UInt8]) -> String {
    var text = String(decoding: octets, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
