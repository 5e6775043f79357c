import Glibc
import TestSupport
import Testing

/// Servers that people use, and attacks on the way to them.
@Suite struct RealServerTests {
  private func stage(_ url: String, trust: String, password: String = "pass") throws -> SendStage {
    let stage = try SendStage()
    try stage.configure(
      "smtp-user = \"me\"\npassword = \"\(password)\"\ntls-ca-file = \"\(trust)\"",
      server: url
    )
    return stage
  }

  @Test(.enabled(if: Exim.isInstalled))
  func eximTakesWhatIsSent() throws {
    let exim = try Exim()
    for url in ["submission://localhost:\(exim.port)", "submissions://localhost:\(exim.tlsPort)"] {
      try takesWhatIsSent(url, trust: exim.trustFile) { exim.messages }
    }
  }

  @Test(.enabled("needs root and an unpacked Postfix (Tests/need postfix)") { Postfix.canRun })
  func postfixTakesWhatIsSent() throws {
    let postfix = try Postfix()
    let urls = [
      "submission://localhost:\(postfix.port)", "submissions://localhost:\(postfix.tlsPort)",
    ]
    for url in urls { try takesWhatIsSent(url, trust: postfix.trustFile) { postfix.messages } }
    for url in urls { try refusesAWrongPassword(url, trust: postfix.trustFile) }
    #expect(postfix.messages.count == 2, "\(postfix.log)")
  }

  /// Sends to one who is there, one who is not, and one who is not there yet.
  private func takesWhatIsSent(
    _ url: String,
    trust: String,
    _ messages: () -> [String]
  ) throws {
    let stage = try stage(url, trust: trust)
    let body = ".\n..\ntext \u{e4}\n"
    let outcome = try stage.send(
      "Subject: \(url)\n\n" + body,
      "a@x.test",
      "nobody@x.test",
      "late@x.test"
    )
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("no such user (to RCPT)"), "\(outcome)")
    #expect(outcome.errors.contains("later (to RCPT)"), "\(outcome)")
    #expect(stage.entries("queue").count == 1 && stage.entries("failed").count == 1)
    func isIt(_ message: String) -> Bool { message.contains("Subject: \(url)\n") }
    #expect(Stopwatch.wait(upTo: 10) { messages().contains(where: isIt) })
    let message = try #require(messages().first(where: isIt))
    #expect(message.hasSuffix("\n\n" + body), "\(message)")
    #expect(
      message.lowercased().contains("esmtpsa"),
      "encrypted and logged in: \(message)"
    )
    #expect(messages().count(where: isIt) == 1)
  }

  private func refusesAWrongPassword(_ url: String, trust: String) throws {
    let stage = try stage(url, trust: trust, password: "wrong")
    let outcome = try stage.send("Subject: a\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("queued: 535 "), "\(outcome)")
    #expect(outcome.errors.contains("hint: "), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }

  @Test(.enabled(if: Exim.isInstalled))
  func anExpiredCertificateIsNotTrusted() throws {
    let exim = try Exim(isExpired: true)
    for url in ["submission://localhost:\(exim.port)", "submissions://localhost:\(exim.tlsPort)"] {
      let stage = try stage(url, trust: exim.trustFile)
      let outcome = try stage.send("Subject: a\n\n", "a@x.test")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.contains("is not trusted: it expired on "), "\(outcome)")
      #expect(stage.entries("queue").count == 1)
    }
    #expect(exim.messages == [])
  }

  /// A server of others counts the octets, and says how the message came.
  @Test(.enabled("needs aiosmtpd (Tests/need aiosmtpd)") { Judge.isInstalled })
  func aStrictServerFindsNothingWrong() throws {
    let judge = try Judge()
    let urls = ["submission://localhost:\(judge.port)", "submissions://localhost:\(judge.tlsPort)"]
    let body =
      ".\n..\n.x\ntext \u{e4}\r\nmore\n\n" + String(repeating: "x", count: 998) + "\n.\nlast"
    for (number, url) in urls.enumerated() {
      let stage = try stage(url, trust: judge.trustFile)
      let outcome = try stage.send(
        "Subject: a\n\n" + body,
        "a@x.test",
        "t450@x.test",
        "p550@x.test"
      )
      #expect(outcome.code == 0, "\(outcome)")
      #expect(stage.entries("queue").count == 1 && stage.entries("failed").count == 1)
      let message = try #require(judge.messages.last)
      #expect(judge.messages.count == number + 1)
      let wire = body.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n") + "\r\n"
      #expect(message.octets.suffix(wire.utf8.count).elementsEqual(wire.utf8))
      #expect(message.facts["lone"]?.integer == 0 && message.facts["longest"]?.integer == 998)
      #expect(message.facts["tls"] == .boolean(true))
      #expect(message.facts["from"]?.text == "me@x.test")
      #expect(message.facts["login"]?.text == "me by password")
    }
  }

  /// Each failure in its place, and what becomes of the message; the token is the second one's that is asked for.
  @Test(.enabled("needs aiosmtpd (Tests/need aiosmtpd)") { Judge.isInstalled })
  func aServerThatFailsOnDemandGetsItsMailLater() throws {
    let judge = try Judge()
    let stage = try SendStage()
    let command = "if [ -e $HOME/asked ]; then echo good; else touch $HOME/asked; echo old; fi"
    try stage.configure(
      "smtp-user = \"me\"\ntoken-command = '\(command)'\ntls-ca-file = \"\(judge.trustFile)\"",
      server: "submission://localhost:\(judge.port)"
    )
    for (wish, code, words, count) in [
      ("none", 0, "", 1), ("data451", 0, "queued: 451 4.3.0 later", 1),
      ("data554", 0, "refused: 554 5.6.0 rejected", 1), ("drop-after-data", 0, "queued", 2),
    ] as [(String, Int32, String, Int)] {
      let outcome = try stage.send("Subject: \(wish)\nX-Judge: \(wish)\n\n", "a@x.test")
      #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome)")
      #expect(judge.messages.count == count, "\(wish)")
    }
    #expect(judge.messages.first?.facts["login"]?.text == "me by token")
    #expect(stage.entries("queue").count == 2 && stage.entries("failed").count == 1)
    let lost = try #require(stage.entries("queue").last)
    #expect(stage.log(of: lost).contains(" sending 1"), "\(stage.log(of: lost))")
    try stage.flush()
    // Whether a server has what it did not answer to is not known: it gets it again, by the same name.
    let identifiers = judge.messages.dropFirst().map { message in
      String(decoding: message.octets, as: UTF8.self).split(separator: "\r\n")
        .first { $0.hasPrefix("Message-ID: ") }
    }
    #expect(identifiers.count == 2 && identifiers[0] == identifiers[1], "\(identifiers)")
  }

  /// On the way replies are put behind the 220 to STARTTLS, in the clear, to be taken for the server's (CVE-2011-0411
  /// turned around); or STARTTLS is taken out of the list.
  @Test(arguments: [
    "220 go\r\n250-x\r\n250 AUTH PLAIN\r\n", "220 go\r\n2", "454 not now\r\n", "",
  ])
  func nothingGetsBetween(_ reply: String) throws {
    let liar = try Liar(Liar.Manner(answer: reply))
    let stage = try SendStage()
    try stage.configure(
      "smtp-user = \"me\"\npassword = \"secret\"",
      server: "submission://localhost:\(liar.port)"
    )
    let outcome = try stage.send("Subject: a\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("queued: "), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
    let heard = liar.heard
    #expect(
      !heard.contains("AUTH") && !heard.contains("MAIL") && !heard.contains("Subject"),
      "\(heard)"
    )
    #expect(heard.contains("EHLO"))
  }

  /// Servers that speak no TLS above 1.1: some say so by the alert protocol_version, as OpenSSL and GnuTLS do, and some
  /// only end the connection.
  @Test(
    arguments: [true, false],
    [
      (
        [21, 3, 2, 0, 2, 2, 70], "the server does not speak TLS 1.2 or later",
        "older versions are not safe and are not used: the server has to be updated"
      ),
      (
        [], "the server ended the connection before TLS was agreed on",
        "it may speak only TLS 1.1 or older, which is not used, or no TLS on this port"
      ),
    ] as [([UInt8], String, String)]
  )
  func aServerThatOnlyHasOldTLSIsNamed(
    _ isImplicit: Bool,
    _ expected: (tlsAnswer: [UInt8], what: String, hint: String)
  ) throws {
    var manner = Liar.Manner(answer: "220 go\r\n", isImplicit: isImplicit)
    manner.tlsAnswer = expected.tlsAnswer
    let stage = try SendStage()
    func configure(_ liar: Liar) throws {
      try stage.configure(
        "smtp-user = \"me\"\npassword = \"secret\"",
        server: "\(isImplicit ? "submissions" : "submission")://localhost:\(liar.port)"
      )
    }
    try configure(try Liar(manner))
    let outcome = try stage.send("Subject: a\n\n", "a@x.test")
    #expect(
      outcome.errorLines == [
        "magnum-send: work: queued: \(expected.what)", "hint: \(expected.hint)",
      ]
    )
    #expect(outcome.code == 0 && stage.entries("queue").count == 1)
    try configure(try Liar(manner))
    var test = stage.command("", ["accounts", "test"])
    test.program = "\(ProgramUnderTest.products)/magnum"
    let tested = try test.run()
    #expect(tested.errors.contains(expected.what), "\(tested)")
    #expect(tested.errors.contains("hint: \(expected.hint)"), "\(tested)")
  }
}
