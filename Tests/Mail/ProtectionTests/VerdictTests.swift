import MIME
import Octets
import Protection
import TestSupport
import Testing

/// What lines of gpg and gpgsm mean, whole and cut off.
struct VerdictTests {
  @Test(arguments: try Fixtures.load("Fixtures/verdicts.txt"))
  func linesAreJudged(_ fixture: Fixture) throws {
    let run = try ScriptedRun(fixture)
    #expect(run.findings(run.status) == fixture.lines("is"))
  }

  /// Whatever is missing at the end, nothing gets better by it.
  @Test(arguments: try Fixtures.load("Fixtures/verdicts.txt"))
  func linesThatAreCutOffSayNoMore(_ fixture: Fixture) throws {
    let run = try ScriptedRun(fixture)
    let whole = run.findings(run.status)
    for end in run.status.indices {
      let findings = run.findings([UInt8](run.status[..<end]))
      let isAtLineEnd = end == 0 || run.status[end - 1] == 10
      for finding in findings where finding.hasPrefix("good") || finding.hasPrefix("decrypted") {
        #expect(isAtLineEnd, "\(end): \(finding)")
        let isTrusted = whole.contains(finding) || finding.hasPrefix("unverified")
        // A signature that something speaks against later is not yet spoken against.
        #expect(isTrusted || fixture.lines("is") != whole || Self.isSpokenAgainst(whole), "\(end)")
      }
    }
  }

  private static func isSpokenAgainst(_ findings: [String]) -> Bool {
    findings.contains { $0.hasPrefix("error") || $0.hasPrefix("bad") || $0.hasPrefix("failed") }
  }

  @Test func allUserIDsAreLookedAt() {
    let key = KeyNumber("0123456789ABCDEF0123456789ABCDEF01234567".utf8)
    let listing = """
      tru::1:1796119996:0:3:1:5
      pub:f:255:22:89ABCDEF01234567:1796119996:::u:::scESC:
      fpr:::::::::0123456789ABCDEF0123456789ABCDEF01234567:
      uid:r::::1::A::Old <old@example.org>:::::::::0:
      uid:f::::1::A::Alice <alice@example.org>:::::::::0:
      uid:-::::1::A::Alice at work <alice@work.example>:::::::::0:
      uid:f::::1::A::bare@example.org:::::::::0:
      uid:f::::1::A::Fake <x@y> <last@example.org>:::::::::0:
      uid:f::::1::A::Colon\\x3a <colon@example.org>:::::::::0:
      uid:f::::1::A::Test <end@example.org> (INSECURE!):::::::::0:
      uid:f::::1::A::no address:::::::::0:
      sub:f:255:18:57B65259D17DFFCE:1796119996::::::e:
      fpr:::::::::52F019D7A1836255342D9DE057B65259D17DFFCE:

      """
    let rows: [(String?, SenderMatch)] = [
      ("alice@example.org", .matches), ("alice@EXAMPLE.org", .matches),
      ("Alice@example.org", .differs), ("alice@work.example", .claims),
      ("bare@example.org", .matches), ("last@example.org", .differs), ("x@y", .differs),
      ("end@example.org", .matches),
      ("colon@example.org", .matches), ("old@example.org", .differs), (nil, .differs),
      ("alice@example.orgx", .differs), ("lice@example.org", .differs),
    ]
    for (address, match) in rows {
      guard let key else { return }
      let owner = KeyOwner(listing: Array(listing.utf8), of: key)
      #expect(owner.match(address.map { Array($0.utf8) }).sender == match, "\(address ?? "-")")
    }
  }

  /// What its owner alone wrote into a key is no name of the signer, whatever stands first.
  @Test(
    arguments: [
      ("uid:-:Alice <a@x>\nuid:f:Eve <e@x>", "a@x", "Eve <e@x>", "e@x"),
      ("uid:-:Alice <a@x>\nuid:f:Eve <e@x>", "e@x", "Eve <e@x>", "e@x"),
      ("uid:f:Eve <e@x>\nuid:u:Eva <eva@x>", "eva@x", "Eva <eva@x>", "eva@x"),
      ("uid:f:Eve <e@x>\nuid:u:Eva <eva@x>", "b@x", "Eve <e@x>", "e@x"),
      ("uid:f:Eve\nuid:u:Eva <eva@x>", "b@x", "Eve", "eva@x"),
      ("uid:-:Alice <a@x>", "a@x", nil, nil), ("uid:r:Alice <a@x>", "a@x", nil, nil),
      ("uid:f:CN=Eve\nuid:f:<e@x>", "e@x", "<e@x>", "e@x"),
      ("crt\nuid:f:CN=Eve\nuid:f:<e@x>", "e@x", "CN=Eve", "e@x"),
      ("crt\nuid:f:CN=Eve\nuid:f:<e@x>", nil, "CN=Eve", "e@x"),
      ("crt\nuid:i:CN=Eve\nuid:i:<e@x>", "e@x", nil, nil),
    ] as [(String, String?, String?, String?)]
  )
  func onlyCertifiedNamesCount(
    _ names: String,
    _ author: String?,
    _ userID: String?,
    _ address: String?
  ) throws {
    let number = "0123456789ABCDEF0123456789ABCDEF01234567"
    var lines = names.split(separator: "\n").map { "\($0)" }
    let first = lines.first == "crt" ? lines.removeFirst() : "pub"
    let records = lines.map { line in
      let fields = line.split(separator: ":")
      return "uid:\(fields[1])::::::::\(fields[2]):\n"
    }
    let listing = "\(first):f:\nfpr:::::::::\(number):\n" + records.joined()
    let owner = KeyOwner(listing: Array(listing.utf8), of: try #require(KeyNumber(number.utf8)))
    let match = owner.match(author.map { Array($0.utf8) })
    #expect(match.userID.map { String(decoding: $0, as: UTF8.self) } == userID)
    #expect(match.certifiedAddress.map { String(decoding: $0, as: UTF8.self) } == address)
  }

  /// A listing of another key, or of several, says nothing.
  @Test(arguments: [
    "pub:f:\nfpr:::::::::FFFF456789ABCDEF0123456789ABCDEF01234567:\nuid:f::::::::<a@b.example>:\n",
    "pub:f:\nfpr:::::::::0123456789ABCDEF0123456789ABCDEF01234567:\nuid:f::::::::<a@b.example>:\npub:f:\n",
    "fpr:::::::::0123456789ABCDEF0123456789ABCDEF01234567:\nuid:f::::::::<a@b.example>:\n", "",
  ])
  func listingsOfOtherKeysSayNothing(_ listing: String) throws {
    let key = try #require(KeyNumber("0123456789ABCDEF0123456789ABCDEF01234567".utf8))
    let owner = KeyOwner(listing: Array(listing.utf8), of: key)
    #expect(owner.match(Array("a@b.example".utf8)).sender == .differs)
  }

  @Test(arguments: [
    ("a@b", "a@b"), ("Alice <a@b>", "a@b"), ("a@b, c@d", nil), ("g: a@b;", nil), ("", nil),
    ("\"a b\"@c", nil), ("a@b\nFrom: c@d", nil), ("\"a@b\" <c@d>", "c@d"), ("a@b@c", nil),
  ])
  func onlyOneAddressIsAnAuthor(_ from: String, _ address: String?) {
    let header = Message(Array("From: \(from)\n\n".utf8)).header
    let author = PlainAddress.author(header, .native).map { String(decoding: $0, as: UTF8.self) }
    #expect(author == address)
  }
}

/// A message of a kind, and one answer to whatever is asked about it.
struct ScriptedRun {
  let status: [UInt8]
  private let kind: String
  private let exit: Int32
  private let output: [UInt8]
  private let canAsk: Bool

  init(_ fixture: Fixture) throws {
    kind = fixture.body
    canAsk = fixture["asks"] != "no"
    exit = fixture["exit"].flatMap { Int32($0) } ?? 0
    output = Array("\n\(fixture["output"] ?? "")\n".utf8)
    status = fixture.lines("status").flatMap { line in
      Array((line.hasPrefix("|") ? "\(line.dropFirst())\n" : "[GNUPG:] \(line)\n").utf8)
    }
  }

  func findings(_ status: [UInt8]) -> [String] {
    var wishes = ProtectionWishes(verifies: true, decrypts: true, now: 1_796_119_996)
    wishes.canAsk = canAsk
    let reading = ProtectionReader.read(message, wishes, .native) { request in
      if case .listOwner = request { return .ended(0, status: [], output: Self.listing) }
      return .ended(exit, status: status, output: output)
    }
    return FindingText.outcomes(reading)
      + reading.signatures.flatMap { finding in
        finding.statuses.map { FindingText.line($0) }
      }
  }

  static let listing = Array(
    """
    pub:f:255:22:89ABCDEF01234567:1796119996:::u:::scESC:
    fpr:::::::::0123456789ABCDEF0123456789ABCDEF01234567:
    uid:f::::1::A::Alice Ames <alice@example.org>:::::::::0:

    """.utf8
  )

  private var message: Message {
    let text =
      switch kind {
      case "detached": Self.signed("application/pgp-signature")
      case "smime":
        Self.signed(
          "application/pkcs7-signature\nContent-Transfer-Encoding: base64",
          // Signed-data without a content.
          "MCMGCSqGSIb3DQEHAqAWMBQCAQExADALBgkqhkiG9w0BBwExAA=="
        )
      case "clearsigned":
        "Content-Type: text/plain\n\n-----BEGIN PGP SIGNED MESSAGE-----\n\nhello\n"
          + "-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n"
      case "encrypted":
        "Content-Type: multipart/encrypted; boundary=q; protocol=\"application/pgp-encrypted\"\n\n"
          + "--q\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--q\n"
          + "Content-Type: application/octet-stream\n\nx\n--q--\n"
      default:
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx\n"
      }
    return Message(Array("From: Alice <alice@example.org>\n\(text)".utf8))
  }

  private static func signed(_ fields: String, _ signature: String = "x") -> String {
    let type = fields.prefix { $0 != "\n" }
    return "Content-Type: multipart/signed; boundary=q; protocol=\"\(type)\"\n\n--q\n\nhello\n--q\n"
      + "Content-Type: \(fields)\n\n\(signature)\n--q--\n"
  }
}

/// Findings as lines.
enum FindingText {
  static func outcomes(_ reading: ProtectionReading) -> [String] {
    reading.encryptions.map { encryption in
      switch encryption.outcome {
      case .decrypted(let isAuthenticated):
        isAuthenticated ? "decrypted" : "decrypted unauthenticated"
      case .failed(let reason): "failed \(reason)"
      }
    }
  }

  static func line(_ status: SignatureStatus) -> String {
    let words = [
      status.verdict.rawValue, status.weakness?.rawValue, status.sender?.rawValue,
      status.owned?.address.map { String(decoding: $0, as: UTF8.self) },
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}
