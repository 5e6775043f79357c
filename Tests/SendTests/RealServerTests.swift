import Glibc
import TestSupport
import Testing

/// Servers that people use, and what somebody between them and us might try.
@Suite struct RealServerTests {
  private func stage(_ url: String, _ exim: Exim) throws -> SendStage {
    let stage = try SendStage()
    try stage.configure(
      "smtp-user = \"me\"\npassword = \"pass\"\ntls-ca-file = \"\(exim.trustFile)\"",
      server: url
    )
    return stage
  }

  @Test(.enabled(if: Exim.isInstalled))
  func eximTakesWhatIsSent() throws {
    let exim = try Exim()
    for (number, url) in [
      "submission://localhost:\(exim.port)", "submissions://localhost:\(exim.tlsPort)",
    ].enumerated() {
      let stage = try stage(url, exim)
      let body = ".\n..\ntext \u{e4}\n"
      let outcome = try stage.send(
        "Subject: \(number)\n\n" + body,
        "a@x.test",
        "nobody@x.test",
        "late@x.test"
      )
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.contains("550 no such user (to RCPT)"), "\(outcome)")
      #expect(stage.entries("queue").count == 1 && stage.entries("failed").count == 1)
      #expect(Stopwatch.wait(upTo: 10) { exim.messages.count == number + 1 })
      let message = try #require(exim.messages.first { $0.contains("Subject: \(number)\n") })
      #expect(message.hasSuffix("\n\n" + body), "\(message)")
      #expect(message.contains("esmtpsa"), "encrypted and logged in: \(message)")
    }
  }

  @Test(.enabled(if: Exim.isInstalled))
  func anExpiredCertificateIsNotTrusted() throws {
    let exim = try Exim(isExpired: true)
    for url in ["submission://localhost:\(exim.port)", "submissions://localhost:\(exim.tlsPort)"] {
      let stage = try stage(url, exim)
      let outcome = try stage.send("Subject: a\n\n", "a@x.test")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.contains("is not trusted: certificate has expired"), "\(outcome)")
      #expect(stage.entries("queue").count == 1)
    }
    #expect(exim.messages == [])
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
