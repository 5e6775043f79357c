import Glibc
import TestSupport
import Testing

/// Servers that people use, and what somebody between them and us might try.
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
    // Nobody can know whether a server has what it did not answer to: it gets it again, by the same name.
    let identifiers = judge.messages.dropFirst().map { message in
      String(decoding: message.octets, as: UTF8.self).split(separator: "\r\n")
        .first { $0.hasPrefix("Message-ID: ") }
    }
    #expect(identifiers.count == 2 && identifiers[0] == identifiers[1], "\(identifiers)")
  }

  /// Somebody puts replies behind the 220 to STARTTLS, in the clear, to be taken for the server's (CVE-2011-0411 turned
  /// around); or takes STARTTLS out of the list.
  @Test(arguments: [
    "220 go\r\n250-x\r\n250 AUTH PLAIN\r\n", "220 go\r\n2", "454 not now\r\n", "",
  ])
  func nobodyGetsBetween(_ reply: String) throws {
    let liar = try Liar(reply)
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
}
