import MIME
import Octets
import Protection
import TestSupport
import Testing

/// What lines of gpg and gpgsm mean for a message that is written.
struct WritingTests {
  private static let cases = Result { try Fixtures.load("Fixtures/writing.txt") }

  @Test(arguments: try Self.cases.get())
  func linesDecideWhatIsWritten(_ fixture: Fixture) throws {
    let run = try ScriptedWriting(fixture)
    #expect(run.outcome(fixture.lines("status")) == fixture["is"])
  }

  /// A line that says that something failed counts wherever it stands.
  @Test(arguments: try Self.cases.get().filter { $0["is"]?.hasPrefix("written") == false })
  func whatFailedFailsInAnyOrder(_ fixture: Fixture) throws {
    let run = try ScriptedWriting(fixture)
    let lines = fixture.lines("status")
    for start in lines.indices {
      let turned = Array(lines[start...] + lines[..<start])
      #expect(!run.outcome(turned).hasPrefix("written"), "from \(start)")
      #expect(!run.outcome(turned.reversed()).hasPrefix("written"), "back from \(start)")
    }
  }

  /// Lines that are cut off anywhere never make a message, unless all is there that has to be.
  @Test(arguments: try Self.cases.get().filter { $0["is"]?.hasPrefix("written") == true })
  func whatIsCutOffIsNotWritten(_ fixture: Fixture) throws {
    let run = try ScriptedWriting(fixture)
    let lines = fixture.lines("status")
    let needed = lines.lastIndex { line in
      ["SIG_CREATED", "END_ENCRYPTION"].contains { line.hasPrefix($0) }
    }
    let octets = ScriptedWriting.status(lines)
    let least = ScriptedWriting.status(Array(lines[...(needed ?? -1)])).count
    for end in 0..<octets.count {
      let isWritten = run.outcome(octets: [UInt8](octets[..<end])).hasPrefix("written")
      let isAtLineEnd = end == 0 || octets[end - 1] == ASCII.lineFeed
      #expect(isWritten == (end >= least && isAtLineEnd) || needed == nil && isAtLineEnd, "\(end)")
    }
  }

  @Test(arguments: [
    (ToolAnswer.noProgram, WritingFailure.noProgram(.openPGP)), (.noKeys, .noKeys(.openPGP)),
    (.broken, .broken(.openPGP, .signing)), (.tooMany, .broken(.openPGP, .signing)),
  ])
  func withoutAnAnswerNothingIsWritten(_ answer: ToolAnswer, _ failure: WritingFailure) throws {
    #expect(throws: failure) {
      try ProtectionWriter.write(
        ScriptedWriting.message,
        try ScriptedWriting.plan("sign"),
        token: [UInt8](ascii: "t")
      ) { _ in answer }
    }
  }

  /// gpgsm says nothing where it gets no passphrase; gpg does, and whatever else failed has its own name.
  @Test func aFailureWithoutAPersonMayLackAPassphrase() {
    let silent = WritingFailure.failed(.sMIME, .signing, code: nil)
    #expect(silent.withoutPerson == .perhapsNoPassphrase(.sMIME))
    let others: [WritingFailure] = [
      .failed(.sMIME, .signing, code: 17), .failed(.sMIME, .encryption, code: nil),
      .failed(.openPGP, .signing, code: nil), .noProgram(.sMIME), .noPassphrase(.openPGP),
    ]
    for failure in others { #expect(failure.withoutPerson == failure) }
  }

  @Test func whatIsTooLargeIsNotGivenToAProgram() throws {
    var message = ScriptedWriting.message
    let octets = RepeatedOctets(count: ProtectionWriter.inputLimit)
    message.parts.append(try .file(octets, type: .unknown, name: nil))
    #expect(throws: WritingFailure.tooLarge(limit: 64 << 20)) {
      try ProtectionWriter.write(message, try ScriptedWriting.plan("sign"), token: [65]) { _ in
        Issue.record("a program is run")
        return .broken
      }
    }
  }

  @Test func smimeDoesNotHideRecipients() throws {
    let (key, other) = (ScriptedWriting.key("AAAA", .sMIME), ScriptedWriting.key("BBBB", .sMIME))
    let plan = ProtectionPlan(
      .sMIME,
      signer: nil,
      encryption: .init(recipients: [key], hidden: [other])
    )
    #expect(throws: WritingFailure.namesHiddenRecipients) {
      try ProtectionWriter.write(ScriptedWriting.message, try #require(plan), token: [65]) { _ in
        Issue.record("a program is run")
        return .broken
      }
    }
  }

  @Test func aPlanProtects() {
    let (pgp, cms) = (ScriptedWriting.key("AAAA", .openPGP), ScriptedWriting.key("AAAA", .sMIME))
    #expect(ProtectionPlan(.openPGP, signer: nil, encryption: nil) == nil)
    #expect(ProtectionPlan(.openPGP, signer: pgp, encryption: .init(recipients: [])) == nil)
    #expect(ProtectionPlan(.openPGP, signer: cms, encryption: nil) == nil)
    #expect(ProtectionPlan(.sMIME, signer: cms, encryption: .init(recipients: [pgp])) == nil)
    #expect(ProtectionPlan(.openPGP, signer: pgp, encryption: .init(recipients: [pgp])) != nil)
  }
}

/// A source of as many octets as wanted.
private struct RepeatedOctets: OctetSource {
  let count: Int

  func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    [UInt8](repeating: 65, count: range.count)[...]
  }
}

/// A message, a plan, and the answers of programs.
struct ScriptedWriting {
  private let plan: ProtectionPlan
  private let exit: Int32
  private let output: [UInt8]
  private let secondStatus: [UInt8]
  private let secondOutput: [UInt8]

  init(_ fixture: Fixture) throws {
    plan = try Self.plan(fixture.body)
    exit = fixture["exit"].flatMap { Int32($0) } ?? 0
    output = try Self.output(fixture.text("output"))
    secondStatus = Self.status(fixture.lines("second status"))
    secondOutput = try fixture["second output"].map(Self.output) ?? []
  }

  static func status(_ lines: [String]) -> [UInt8] {
    lines.flatMap { Array("[GNUPG:] \($0)\n".utf8) }
  }

  func outcome(_ lines: [String]) -> String { outcome(octets: Self.status(lines)) }

  func outcome(octets: [UInt8]) -> String {
    var runs = 0
    do throws(WritingFailure) {
      let written = try ProtectionWriter.write(Self.message, plan, token: [UInt8](ascii: "t")) {
        _ in
        runs += 1
        return runs == 1
          ? .ended(exit, status: octets, output: output)
          : .ended(0, status: secondStatus, output: secondOutput)
      }
      return "written\(Self.hash((try? written.octets.whole()) ?? []))"
    } catch {
      return Self.text(error)
    }
  }

  private static func hash(_ octets: [UInt8]) -> String {
    let type = Message(octets).root.contentType
    let value = type.parameters.octets("micalg")
    return value.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
  }

  private static func text(_ failure: WritingFailure) -> String {
    switch failure {
    case .cannotSign(_, let key, let refusal): "no signer \(name(key)) \(refusal)"
    case .otherSigner(_, let name, let refusal):
      "other signer \(String(decoding: name, as: UTF8.self)) \(refusal.map { "\($0)" } ?? "-")"
    case .cannotEncrypt(_, let refused):
      "no recipient "
        + refused.map { "\(name($0.key?.fingerprint)) \($0.refusal)" }.joined(separator: " ")
    case .noPassphrase: "no passphrase"
    case .failed(_, let task, let code): "failed \(task) \(code.map { "\($0)" } ?? "-")"
    case .broken(_, let task): "broken \(task)"
    case .weakDigest(_, let number): "weak \(number)"
    default: "\(failure)"
    }
  }

  private static func name(_ key: KeyNumber?) -> String {
    key.map { String(decoding: $0.digits.suffix(4), as: UTF8.self) } ?? "-"
  }

  // MARK: What is written

  static let message = OutgoingMessage(
    fields: [OutgoingField([UInt8](ascii: "Subject"), text: [UInt8](ascii: "s"))],
    parts: [.text([UInt8](ascii: "hello\n"))]
  )

  static func key(
    _ end: String,
    _ method: ProtectionMethod,
    additions: [String] = []
  ) -> ListedKey {
    let numbers = [end, "\(end.prefix(3))E"].compactMap { end in
      KeyNumber("0123456789ABCDEF0123456789ABCDEF0123\(end)".utf8)
    }
    return ListedKey(
      method: method,
      fingerprint: numbers[0],
      userIDs: [],
      fault: nil,
      created: nil,
      expires: nil,
      signers: [numbers[0]],
      encrypters: [numbers[1]],
      additions: additions.compactMap {
        KeyNumber("0123456789ABCDEF0123456789ABCDEF0123\($0)".utf8)
      }
    )
  }

  static func plan(_ name: String) throws -> ProtectionPlan {
    let method: ProtectionMethod = name.hasPrefix("smime") ? .sMIME : .openPGP
    let (alice, bob) = (key("AAAA", method), key("BBBB", method))
    let encryption: ProtectionPlan.Encryption? =
      switch name.split(separator: " ").last {
      case "sign": nil
      case "hidden": .init(recipients: [alice], hidden: [bob])
      case "more": .init(recipients: [key("AAAA", method, additions: ["DDDD"]), bob])
      case "twice": .init(recipients: [alice, bob, alice], hidden: [bob])
      default: .init(recipients: [alice, bob])
      }
    let signer = ["encrypt", "more", "twice"].contains { name.hasSuffix($0) } ? nil : alice
    guard let plan = ProtectionPlan(method, signer: signer, encryption: encryption) else {
      throw HarnessError("\(name) is no plan")
    }
    return plan
  }

  /// An output by its name: `message AAAE ----` is encrypted to two keys, one of them hidden.
  static func output(_ name: String) throws -> [UInt8] {
    let words = name.split(separator: " ").map { "\($0)" }
    switch words[0] {
    case "signature": return armour("PGP SIGNATURE", [0xC2, 0x01, 0x04])
    case "message": return armour("PGP MESSAGE", packets(words.dropFirst()) + [0xD2, 0x02, 1, 0])
    case "unprotected": return armour("PGP MESSAGE", packets(words.dropFirst()) + [0xC9, 0x01, 0])
    case "literal": return armour("PGP MESSAGE", [0xCB, 0x06] + Array("hello\n".utf8))
    case "passphrase":
      return armour("PGP MESSAGE", packets(words.dropFirst()) + [0xC3, 0x01, 4, 0xD2, 0x01, 1])
    case "more":
      return armour("PGP MESSAGE", packets(words.dropFirst()) + [0xD2, 0x01, 1, 0xCB, 0x00])
    case "cut": return armour("PGP MESSAGE", packets(words.dropFirst()) + [0xD2, 0x7F, 1])
    case "twice": return try output("signature") + output("signature")
    case "detached":
      return Base64.decode(Array("MCMGCSqGSIb3DQEHAqAWMBQCAQExADALBgkqhkiG9w0BBwExAA==".utf8)) ?? []
    case "cms": return enveloped(Int(words[1]) ?? 0)
    case "empty": return []
    default: return Array("Content-Type: text/plain\r\n\r\nhello\r\n".utf8)
    }
  }

  private static func armour(_ name: String, _ octets: [UInt8]) -> [UInt8] {
    let digits = String(decoding: Base64.encode(octets), as: UTF8.self)
    return Array("-----BEGIN \(name)-----\n\n\(digits)\n=abcd\n-----END \(name)-----\n".utf8)
  }

  private static func packets(_ recipients: some Sequence<String>) -> [UInt8] {
    recipients.flatMap { end -> [UInt8] in
      let id =
        end == "----"
        ? [UInt8](repeating: 0, count: 8) : Hex.decode(Array("89ABCDEF0123\(end)".utf8)) ?? []
      return [0xC1, 0x0B, 3] + id + [18, 0]
    }
  }

  private static func enveloped(_ count: Int) -> [UInt8] {
    let recipients = [[UInt8]](repeating: [0x30, 0x00], count: count).flatMap { $0 }
    let data = element(0x02, [0]) + element(0x31, recipients) + element(0x30, [])
    let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x03]
    return element(0x30, element(0x06, identifier) + element(0xA0, element(0x30, data)))
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, UInt8(content.count)] + content
  }
}
