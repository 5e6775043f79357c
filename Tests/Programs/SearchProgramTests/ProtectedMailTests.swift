import TestSupport
import Testing

/// Signed and encrypted mail, with gpg and gpgsm and keys made for it.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct ProtectedMailTests {
  /// Keys of Alice (certified), Bob (S/MIME) and Mallory (not certified).
  private struct Stage {
    let keys: Keyring
    let magnum: ProgramUnderTest

    init() throws {
      keys = try Keyring()
      magnum = try ProgramUnderTest("magnum")
    }

    func show(_ mail: String, _ options: [String] = [], _ variables: [String: String] = [:]) throws
      -> Outcome
    {
      let file = try magnum.home.write(mail, to: "mail.eml")
      var command = magnum.command(["show"] + options + [file], keys.variables)
      command.environment.merge(variables) { $1 }
      return try command.run()
    }
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static let head = "From: Alice Ames <alice@example.org>\nSubject: s\n"

  private static func signed(_ part: String, _ signature: String, _ type: String) -> String {
    "Content-Type: multipart/signed; boundary=q; protocol=\"\(type)\"\n\n--q\n\(part)\n--q\n"
      + "\(signature)\n--q--\n"
  }

  private static func pgp(_ keys: Keyring, _ part: String, by address: String) throws -> String {
    let wire = part.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "\r\n"
    )
    let signature = try keys.signature(of: Array(wire.utf8), by: address)
    let type = "application/pgp-signature"
    return signed(part, "Content-Type: \(type)\n\n\(text(signature))", type)
  }

  private static func encrypted(_ octets: [UInt8]) -> String {
    "Content-Type: multipart/encrypted; boundary=e; protocol=\"application/pgp-encrypted\"\n\n"
      + "--e\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--e\n"
      + "Content-Type: application/octet-stream\n\n\(text(octets))--e--\n"
  }

  private static func smime(_ octets: [UInt8]) -> String {
    "Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n\n"
      + text(Base64Text.lines(octets))
  }

  @Test func signaturesAreSaidToBeWhatTheyAre() throws {
    let stage = try Stage()
    let alice = try stage.keys.addKey("Alice Ames <alice@example.org>", isRSA: true)
    let mail =
      Self.head + (try Self.pgp(stage.keys, "Content-Type: text/plain\n\nhello", by: "alice"))
    let key = "OpenPGP key \(alice.suffix(16))"
    let good = try stage.show(mail)
    #expect(
      good.output == """
        From: Alice Ames <alice@example.org>
        Subject: s
        [signature: signed by alice@example.org, \(key); made on \(Self.day(good.output))]

        hello

        """,
      "\(good)"
    )
    let forged = try stage.show(
      mail.replacing("From: Alice", with: "From: Eve <eve@x.test>\nX-Was: ")
    )
    #expect(
      forged.output.contains(
        "[signature: good, of \(key), of alice@example.org, which is not that of From"
      )
    )
    let changed = try stage.show(mail.replacing("hello", with: "hellO"))
    #expect(changed.output.contains("[signature: BAD: ") && changed.code == 0, "\(changed)")
    try stage.keys.distrust(alice)
    let weak = try stage.show(mail)
    #expect(weak.output.contains("which is not certified, which claims to be alice@example.org"))
    let alone = try stage.show(mail, [], ["GNUPGHOME": stage.magnum.home["none"]])
    #expect(
      alone.output.contains("[signature: not checked: its OpenPGP key is not here]"),
      "\(alone)"
    )
    #expect(!Files.exists(stage.magnum.home["none"]))
    let without = try stage.show(mail, [], ["PATH": "/nonexistent"])
    #expect(without.output.contains("there is no gpg; install gnupg"), "\(without)")
  }

  /// The day that the line about a signature names: that on which the test runs.
  private static func day(_ output: String) -> Substring {
    output.split(separator: "made on ").dropFirst().first?.prefix(10) ?? ""
  }

  @Test func mailIsDecryptedOnRequest() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let inside =
      "Content-Type: multipart/mixed; boundary=m; hp=cipher\nSubject: real\n\n--m\n\nsecret\n--m\n"
      + "Content-Type: text/plain; name=plan.txt\nContent-Disposition: attachment\n\nplan\n--m--\n"
    let octets = try stage.keys.encrypted(Array(inside.utf8), to: "alice", by: "alice")
    let mail = Self.head + Self.encrypted(octets)
    let closed = try stage.show(mail)
    #expect(
      closed.output.contains("[encryption: not decrypted: magnum show --decrypt true does it]")
    )
    #expect(!closed.output.contains("secret") && closed.code == 0)
    let open = try stage.show(mail, ["--decrypt", "true"])
    #expect(open.output.contains("Subject: real\n"), "\(open)")
    #expect(open.output.contains("[signature: signed by alice@example.org, OpenPGP key "))
    #expect(open.output.contains("[encryption: decrypted, OpenPGP]\nParts:\n  2.2  plan.txt"))
    #expect(open.output.hasSuffix("\n\nsecret\n"))
    #expect(try stage.show(mail, ["--decrypt", "true", "--part", "2.2"]).output == "plan")
    let file = stage.magnum.home["mail.eml"]
    let list = ["attachments", "list", "--decrypt", "true", file]
    let listed = try stage.magnum.command(list, stage.keys.variables).run()
    #expect(listed.code == 0 && listed.output.hasPrefix("2.2  text/plain"), "\(listed)")
    let other = try stage.show(mail, ["--decrypt", "true"], try Keyring().variables)
    #expect(other.code == 1 && other.output.contains("there is no secret key for it"), "\(other)")
    let json = try stage.show(mail, ["--json", "--decrypt", "true"])
    for member in [
      #""crypto":{"signed":{"status":[{"status":"good","#,
      #""headers":["Subject"],"encrypted":true}"#,
      #""decrypted":{"status":"full","header-mask":{"Subject":"s"}}"#,
      #""verdict":"good","from":"matches","covers":"all"}"#, #""encstatus":[{"status":"good"}]"#,
    ] { #expect(json.output.contains(member), "\(member): \(json.output)") }
    let plain = try stage.show(mail, ["--json"])
    #expect(plain.output.contains(#""crypto":{}"#) && !plain.output.contains("status"))
  }

  /// gpg prints the text and ends with success where its own configuration asks for that; nothing is shown all the same.
  @Test func unprotectedTextIsNotShown() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>", isRSA: true)
    let literal = try stage.keys.output(
      of: "gpg",
      ["--batch", "--armor", "--store"],
      Array("\nliteral secret\n".utf8)
    )
    let shown = try stage.show(Self.head + Self.encrypted(literal), ["--decrypt", "true"])
    #expect(shown.code == 1 && !shown.output.contains("literal secret"), "\(shown)")
  }

  /// Whoever signs for a later day chooses what the signature outlives.
  @Test func aSignatureOfTheFutureIsDoubted() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let options = ["--batch", "--quiet", "--faked-system-time", "20990101T000000!"]
    let signed = try stage.keys.output(
      of: "gpg",
      options + ["--local-user", "alice", "--clearsign"],
      Array("hello\n".utf8)
    )
    let shown = try stage.show("\(Self.head)\n\(Self.text(signed))")
    let words = "of alice@example.org, but dated in the future; made on 2099-01-01"
    #expect(shown.output.contains(words), "\(shown)")
    #expect(!shown.output.contains("signed by") && shown.output.contains("hello"), "\(shown)")
  }

  @Test func textsOfOpenPGPAreOpened() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let signed = Self.text(try stage.keys.signedText("hello\n", by: "alice"))
    let alone = try stage.show("\(Self.head)\n\(signed)")
    #expect(
      alone.output.contains("[signature: signed by") && alone.output.hasSuffix("]\n\nhello\n")
    )
    let mixed = try stage.show("\(Self.head)\npay at once\n\(signed)")
    #expect(
      mixed.output.contains("[signature: not checked: there is other text beside"),
      "\(mixed)"
    )
    let octets = try stage.keys.encrypted(Array("secret\n".utf8), to: "alice")
    let open = try stage.show("\(Self.head)\n\(Self.text(octets))", ["--decrypt", "true"])
    #expect(open.output.hasSuffix("[encryption: decrypted, OpenPGP]\n\nsecret\n"), "\(open)")
  }

  @Test func mailOfSMIMEIsChecked() throws {
    let stage = try Stage()
    try stage.keys.addCertificate("bob@example.org")
    let head = "From: Bob <bob@example.org>\nSubject: s\n"
    let part = "Content-Type: text/plain\r\n\r\nhello"
    let beside = try stage.keys.cms(Array(part.utf8), ["-sign"])
    let type = "application/pkcs7-signature"
    let signature =
      "Content-Type: \(type)\nContent-Transfer-Encoding: base64\n\n"
      + Self.text(Base64Text.lines(beside))
    let detached = try stage.show(
      head + Self.signed(part.replacing("\r\n", with: "\n"), signature, type)
    )
    #expect(
      detached.output.contains("[signature: signed by bob@example.org, certificate "),
      "\(detached)"
    )
    #expect(detached.output.contains("; revocation not checked"))
    let around = try stage.keys.cms(Array(part.utf8), ["-sign", "-nodetach"])
    let opaque = try stage.show(head + Self.smime(around))
    #expect(opaque.output.contains("[signature: signed by bob@example.org"), "\(opaque)")
    #expect(opaque.output.hasSuffix("\n\nhello\n"))
    let unchecked = try stage.show(head + Self.smime(around), ["--verify", "false"])
    #expect(
      unchecked.output.contains("[signature: not checked; magnum show --verify true checks it]")
    )
    #expect(unchecked.output.hasSuffix("\n\nhello\n"))
    let text = Array(
      "Content-Type: text/html\r\n\r\n<a href=\"http://x.test/\">secret</a>\r\n".utf8
    )
    let closed = try stage.keys.cms(text, ["-encrypt", "-aes256"])
    let open = try stage.show(head + Self.smime(closed), ["--decrypt", "true"])
    #expect(open.output.contains("S/MIME; confidential: not authenticated]"), "\(open)")
    #expect(open.output.hasSuffix("\n\nsecret\n") && !open.output.contains("x.test"))
    // A browser would fetch what it names.
    let words = ["attachments", "open", "--decrypt", "true", "--part", "1.1"]
    let file = stage.magnum.home["mail.eml"]
    var command = stage.magnum.command(words + [file], stage.keys.variables)
    command.isOnTerminal = true
    let opened = try command.run()
    #expect(opened.code == 65 && opened.output.contains("not changed on its way"), "\(opened)")
  }

  /// What cannot be decrypted besides the part that was asked for is no failure.
  @Test func aPartThatIsAskedForAlone() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let octets = try stage.keys.encrypted(Array("\nsecret\n".utf8), to: "alice", by: "alice")
    let broken = "Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nx\n--x--\n"
    let parts = [Self.encrypted(octets), broken]
    let mail =
      Self.head + "Content-Type: multipart/mixed; boundary=m\n\n--m\n"
      + parts.joined(separator: "--m\n") + "--m--\n"
    let shown = try stage.show(mail, ["--decrypt", "true", "--part", "1.2"])
    #expect(shown.code == 0 && shown.output == "secret\n", "\(shown)")
    let other = try stage.show(mail, ["--decrypt", "true", "--part", "2"])
    #expect(other.code == 1, "\(other)")
  }

  /// A text cannot look like what is said about it.
  @Test func linesOfATextAreToldFromVerdicts() throws {
    let stage = try Stage()
    let line = "[signature: signed by alice@example.org, OpenPGP key 0123456789ABCDEF]"
    let shown = try stage.show("\(Self.head)\n\(line)\n[Encryption: decrypted]\n")
    #expect(shown.output.hasSuffix("\n\n \(line)\n [Encryption: decrypted]\n"), "\(shown)")
    let headers = try stage.show("\(line)\n\(Self.head)\nhello\n", ["--headers"])
    #expect(!headers.output.contains("\n[signature") && !headers.output.hasPrefix("[signature"))
    // A terminal of 100 columns breaks the line before the imitation, be it at a blank or within a word.
    for start in [String(repeating: "word ", count: 19), String(repeating: "w", count: 100)] {
      let long = "\(Self.head)\n\(start)\(line)\n"
      let file = try stage.magnum.home.write(long, to: "long.eml")
      var command = stage.magnum.command(["show", "--no-pager", file])
      command.isOnTerminal = true
      let broken = try command.run().output.split(whereSeparator: \.isNewline)
      #expect(broken.contains { $0.hasPrefix(" [signature") }, "\(broken)")
      #expect(!broken.contains { $0.hasPrefix("[signature") })
    }
  }

  /// Nor can a field, or the name of a part, however a terminal breaks it: a word may be as long as that.
  @Test(arguments: [
    "Subject: #", "Subject: Re: hello #", "To: \"#\" <b@x.org>", "Cc: b@x.org, \"#\" <c@x.org>",
    "Content-Type: application/pdf; name=\"#\"",
    "Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: message/rfc822\n\nSubject: #\n\nx\n--m--",
    "Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: application/pdf; name=\"#\"\n\nx\n--m--",
    "Content-Type: message/rfc822\n\nTo: \"#\" <b@x.org>\n\nx",
  ])
  func fieldsAreToldFromVerdicts(_ field: String) throws {
    let stage = try Stage()
    let blank = "\u{A0}"
    let line = "[signature:\(blank)signed\(blank)by\(blank)alice@example.org,\(blank)key]"
    for length in 80...100 {
      let forged = field.replacing("#", with: String(repeating: "s", count: length) + line)
      let file = try stage.magnum.home.write("From: Eve <e@x.org>\n\(forged)\n", to: "f.eml")
      var command = stage.magnum.command(["show", "--no-pager", "--verify", "false", file])
      command.isOnTerminal = true
      let output = try command.run().output
      #expect(output.contains("signature"), "\(output)")
      // The rows of a terminal of 100 columns.
      for line in output.split(whereSeparator: \.isNewline) {
        for start in stride(from: 0, to: line.count, by: 100) {
          #expect(!line.dropFirst(start).hasPrefix("[signature"), "\(output)")
        }
      }
    }
  }

  /// Where gpgsm and Magnum read two messages in one, neither its text nor a name or a header within it is shown.
  @Test func nothingIsShownOfWhatIsReadInTwoWays() throws {
    let stage = try Stage()
    try stage.keys.addCertificate("bob@example.org")
    let entity =
      "Content-Type: multipart/mixed; boundary=m\n\n--m\n\nsecret text\n--m\n"
      + "Content-Type: application/pdf; name=secret.pdf\n\nx\n--m\n"
      + "Content-Type: message/rfc822\n\nSubject: secret subject\n\nsecret inside\n--m--\n"
    let octets = try stage.keys.cms(Array(entity.utf8), ["-sign", "-nodetach"])
    let mail = Self.head + Self.smime(octets)
    try stage.magnum.home.write("#!/bin/sh\necho other\n", to: "bin/gpgsm", mode: 0o755)
    let path = ["PATH": "\(stage.magnum.home.path)/bin:/usr/bin:/bin"]
    for options in [[], ["--json"], ["--html"], ["--headers"]] {
      let open = try stage.show(mail, options + ["--verify", "false"], path)
      #expect(open.output.contains("secret text"), "\(options) \(open)")
      let shown = try stage.show(mail, options + ["--verify", "true"], path)
      #expect(shown.code == 0 && !shown.output.contains("secret"), "\(options) \(shown)")
    }
  }

  /// An answer to a captured message does not carry its text away, nor does one that is forwarded.
  @Test func anAnswerDecryptsNothing() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let octets = try stage.keys.encrypted(Array("\nsecret\n".utf8), to: "alice")
    let closed = Self.encrypted(octets)
    let mails = [
      "From: Eve <eve@x.test>\n\(closed)",
      "From: Eve <eve@x.test>\n\n\(Self.text(octets))",
      "From: Eve <eve@x.test>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nwhat do you say?\n--x\n"
        + "\(closed)--x--\n",
    ]
    try stage.magnum.configure(
      """
      [account.work]
      address = "alice@example.org"
      maildir = "~/Mail"
      smtp = "smtp+plain://127.0.0.1:1"
      smtp-login = "none"

      """
    )
    for (number, mail) in mails.enumerated() {
      let file = try stage.magnum.home.write(mail, to: "mail\(number).eml")
      for verb in ["reply", "forward"] {
        var command = stage.magnum.command([verb, "--template", file], stage.keys.variables)
        command.environment["DISPLAY"] = ":9"
        let answer = try command.run()
        #expect(answer.code == 0 && !answer.output.contains("secret"), "\(verb) \(answer)")
        #expect(!answer.output.contains("BEGIN PGP") || verb == "forward", "\(answer)")
      }
    }
  }

  /// A message without protection starts no program, nor does one that is not to be looked into.
  @Test func programsAreStartedOnlyWhereTheyAreNeeded() throws {
    let stage = try Stage()
    let log = stage.magnum.home["started"]
    for name in ["gpg", "gpgsm"] {
      try stage.magnum.home.write(
        "#!/bin/sh\necho \(name) >>\(log)\n",
        to: "bin/\(name)",
        mode: 0o755
      )
    }
    let path = ["PATH": "\(stage.magnum.home.path)/bin:/usr/bin:/bin"]
    let signed =
      Self.head
      + Self.signed(
        "\nhello",
        "Content-Type: application/pgp-signature\n\nx",
        "application/pgp-signature"
      )
    let plain = "\(Self.head)\nhello\n"
    for (mail, options) in [
      (plain, []), (plain, ["--verify", "true", "--decrypt", "true"]), (plain, ["--json"]),
      (signed, ["--verify", "false"]), (signed, ["--json"]), (signed, ["--raw"]),
      (signed, ["--format", "mbox"]), (signed, ["--part", "1"]),
    ] as [(String, [String])] {
      let shown = try stage.show(mail, options, path)
      #expect(shown.code == 0 && !Files.exists(log), "\(options) \(shown)")
    }
    try stage.magnum.configure(
      "[crypto]\nverify = \"never\"\ndecrypt = \"never\"\n[account.a]\nmaildir = \"~/Mail\"\n"
    )
    #expect(try stage.show(signed, [], path).code == 0 && !Files.exists(log))
    let file = try stage.magnum.home.write(signed, to: "Mail/INBOX/cur/1:2,S")
    for folder in ["new", "tmp"] {
      try Files.makeDirectories("\(stage.magnum.home.path)/Mail/INBOX/\(folder)")
    }
    for command in [["index"], ["attachments", "list", file], ["reply", "--template", file]] {
      _ = try stage.magnum.command(command, path.merging(stage.keys.variables) { $1 }).run()
      #expect(!Files.exists(log), "\(command)")
    }
    #expect(try stage.show(signed, ["--verify", "true"], path).code == 0 && Files.exists(log))
    let refused = try stage.show(signed, ["--decrypt", "true"], path)
    #expect(refused.code == 64, "\(refused)")
  }

  /// No server is asked, and no directory of keys is made: the program and those that it starts reach the agent alone.
  @Test(.enabled("strace cannot trace here") { Strace.canTrace })
  func showingReachesTheAgentAlone() throws {
    let stage = try Stage()
    try stage.keys.addKey("Alice Ames <alice@example.org>")
    let octets = try stage.keys.encrypted(Array("\nsecret\n".utf8), to: "alice", by: "alice")
    let file = try stage.magnum.home.write(Self.head + Self.encrypted(octets), to: "mail.eml")
    let log = stage.magnum.home["trace"]
    for (variables, text) in [(stage.keys.variables, "secret"), ([:], "no secret key")] {
      let show = stage.magnum.command(["show", "--decrypt", "true", file], variables)
      let traced = Strace.tracing(show, "connect,sendto,mkdir", ["-s", "300"], log: log)
      #expect(try traced.run().output.contains(text))
      let calls = try #require(Files.text(log)).split(whereSeparator: \.isNewline)
      #expect(variables.isEmpty || calls.contains { $0.contains("S.gpg-agent") }, "\(calls)")
      #expect(!calls.contains { $0.contains("AF_INET") }, "\(calls)")
      #expect(!Files.exists(stage.magnum.home[".gnupg"]))
    }
  }

  /// What lies within its signature is found by its words, and nothing that is encrypted is.
  @Test func textWithinASignatureIsIndexed() throws {
    let stage = try SearchStage()
    try stage.makeFolder()
    let keys = try Keyring()
    try keys.addCertificate("bob@example.org")
    let octets = try keys.cms(
      Array("Content-Type: text/plain\r\n\r\nzebra\r\n".utf8),
      ["-sign", "-nodetach"]
    )
    try stage.search.home.write(
      "From: Bob <bob@example.org>\nMessage-ID: <s@x>\n" + Self.smime(octets),
      to: "mail/INBOX/cur/1:2,S"
    )
    #expect(try stage.index().code == 0)
    #expect(try stage.search(["--output", "messages", "zebra has:signature"]).output == "id:s@x\n")
    #expect(try stage.search(["--output", "messages", "has:attachment"]).output == "")
  }
}

/// Octets as lines of base64.
private enum Base64Text {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  static func lines(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: 3) {
      let piece = octets[start..<min(start + 3, octets.count)]
      let value = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for place in 0..<4 {
        let digit = digits[Int(value >> UInt32(18 - 6 * place) & 63)]
        result.append(place > piece.count ? UInt8(ascii: "=") : digit)
      }
      if start / 3 % 18 == 17 { result.append(10) }
    }
    return result + [10]
  }
}
