import TestSupport
import Testing

/// What becomes of a message on its way, and what the caller is told.
@Suite struct DeliveryTests {
  @Test func aMessageArrivesOctetForOctet() throws {
    let stage = try SendStage()
    let body = ".\n..\n.x\n\n\u{e4}\r\n.\r\nlast"
    let outcome = try stage.send("Subject: a\nBcc: b@x.test\n\n" + body, "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "" && outcome.output == "", "\(outcome)")
    let message = try #require(stage.sink.messages.first)
    #expect(message.from.hasPrefix("<me@x.test> SIZE=") && message.from.hasSuffix(" BODY=8BITMIME"))
    #expect(message.to == ["<a@x.test>"])
    let wire = String(decoding: message.octets, as: UTF8.self)
    #expect(wire.hasSuffix("\r\n\r\n..\r\n...\r\n..x\r\n\r\n\u{e4}\r\n..\r\nlast\r\n"), "\(wire)")
    #expect(!wire.contains("Bcc"))
    #expect(
      stage.entries("queue") == [] && stage.entries("log") == [] && stage.entries("tmp") == []
    )
    let log = try #require(Files.text(stage.program.home["deliveries"]))
    #expect(
      log.contains("from=<me@x.test> to=<a@x.test>")
        && log.contains("status=sent (250 2.0.0 taken)")
    )
  }

  /// No octets of a message end it early, for whatever a server takes as a line end.
  @Test func nothingInAMessageEndsIt() throws {
    let stage = try SendStage()
    let trick = "MAIL FROM:<evil@x.test>\nRCPT TO:<b@x.test>\nDATA\nSubject: evil\n\n"
    for end in ["\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r\n.\r", "\n.\r", "\r.\n", "\r\n\0.\r\n"]
    {
      let outcome = try stage.send("Subject: a\n\ntext\(end)\(trick)", "a@x.test")
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(stage.sink.messages.count == 8)
    for message in stage.sink.messages {
      #expect(message.to == ["<a@x.test>"])
      let octets = message.octets
      for index in octets.indices where octets[index] == 13 || octets[index] == 10 {
        let isPair =
          octets[index] == 13
          ? octets.indices.contains(index + 1) && octets[index + 1] == 10
          : index > 0 && octets[index - 1] == 13
        #expect(isPair)
      }
      #expect(!octets.contains(0))
    }
  }

  /// Old servers clear the eighth bit of what they get, or refuse it.
  @Test func aServerWithoutEightBitsGetsNone() throws {
    var options = SMTPSink.Options()
    options.extensions = ["PIPELINING"]
    let stage = try SendStage(options)
    let part =
      "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\u{e4}=\n"
    let whole = "Subject: a\nMIME-Version: 1.0\n"
    #expect(try stage.send(whole + part, "a@x.test").errors == "")
    let multipart = "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: 8bit\n\n"
    _ = try stage.send(whole + multipart + "--b\n\(part)--b\n\nplain\n--b--\n", "a@x.test")
    let texts = stage.sink.messages.map(\.text)
    #expect(texts.count == 2 && texts.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }, "\(texts)")
    #expect(
      texts[0].hasSuffix("Content-Transfer-Encoding: quoted-printable\n\n=C3=A4=3D\n")
        || texts[0].contains("=C3=A4=3D\n")
    )
    #expect(
      texts[1].contains("Content-Transfer-Encoding: 7bit\n")
        && texts[1].contains("--b\n\nplain\n--b--\n")
    )
    let signed = multipart.replacing("multipart/mixed", with: "multipart/signed")
    let outcome = try stage.send(
      whole + signed + "--b\n\(part)--b--\n",
      "-N",
      "success",
      "a@x.test"
    )
    #expect(
      outcome.errorLines.map { $0.prefix { $0 != "," } } == [
        "magnum-send: work: sent", "magnum-send: work: sent",
      ]
    )
    #expect(outcome.errors.contains("no 8BITMIME") && outcome.errors.contains("no DSN"))
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.sink.messages[2].text.contains("\u{e4}="), "under a signature nothing is changed")
    let log = try #require(Files.text(stage.program.home["deliveries"]))
    #expect(log.contains(" without=8BITMIME,DSN status=sent"), "\(log)")
  }

  /// A message within a message is encoded as one of its own, with its header; where that is signed, and keeps eight bits, that is
  /// not denied.
  @Test func messagesWithinMessagesAreEncodedToo() throws {
    var options = SMTPSink.Options()
    options.extensions = ["PIPELINING"]
    let stage = try SendStage(options)
    func send(_ type: String, _ inner: String) throws -> String {
      let whole =
        "Subject: a\nMIME-Version: 1.0\nContent-Type: message/\(type)\n"
        + "Content-Transfer-Encoding: 8bit\n\n\(inner)"
      #expect(try stage.send(whole, "a@x.test").code == 0)
      return stage.sink.messages.last?.text ?? ""
    }
    let signature = "DKIM-Signature: v=1\n"
    let texts = try ["Subject: a\n", "Subject: \u{e4}\n", "\(signature)Subject: \u{e4}\n"].map {
      try send("rfc822", "\($0)\n\u{e4}\n")
    }
    // Where nothing is encoded nothing is added, and what only looks like a header stays as it is.
    for (type, inner, sent) in [
      ("rfc822", "Subject: \u{e4}\n\na\n", "Subject: =?UTF-8?B?w6Q=?=\n\na\n"),
      ("rfc822", "\(signature)Subject: \u{e4}\n\na\n", "\(signature)Subject: \u{e4}\n\na\n"),
      (
        "delivery-status", "Reporting-MTA: dns; x\n\nDiagnostic-Code: smtp; \u{e4}\n",
        "Reporting-MTA: dns; x\n\nDiagnostic-Code: smtp; \u{e4}\n"
      ),
    ] {
      #expect(try send(type, inner).hasSuffix("\n\n\(sent)"))
    }
    #expect(texts.allSatisfy { $0.contains("\nMIME-Version: 1.0\n\n=C3=A4\n") }, "\(texts)")
    #expect(
      texts.map { $0.contains("\nContent-Transfer-Encoding: 7bit\n") } == [true, true, false],
      "\(texts)"
    )
  }

  /// Domains beyond ASCII are known to all servers by another form; what stands before the at sign is not.
  @Test func internationalDomainsNeedNoSMTPUTF8() throws {
    var options = SMTPSink.Options()
    options.extensions.removeAll { $0 == "SMTPUTF8" }
    let stage = try SendStage(options)
    let outcome = try stage.send(
      "Subject: a\n\n",
      "--account",
      "work",
      "-f",
      "me@M\u{fc}ller.test",
      "a@B\u{dc}CHER.test",
      "b@x.test",
      "\u{fc}@x.test",
      "c@\u{2603}.test"
    )
    #expect(outcome.code == 0, "\(outcome)")
    let message = try #require(stage.sink.messages.first)
    #expect(message.from.hasPrefix("<me@xn--mller-kva.test> "), "\(message)")
    #expect(message.to == ["<a@xn--bcher-kva.test>", "<b@x.test>"])
    #expect(stage.sink.messages.count == 1 && stage.entries("queue") == [])
    let failed = stage.entries("failed").map { stage.log(of: $0) }.joined()
    #expect(failed.contains("does not offer SMTPUTF8"), "\(failed)")
    stage.sink.change { $0.extensions.append("SMTPUTF8") }
    #expect(try stage.send("Subject: a\n\n", "a@b\u{fc}cher.test").code == 0)
    #expect(stage.sink.messages.last?.to == ["<a@b\u{fc}cher.test>"])
  }

  @Test(arguments: [["-N", "never"], ["-V", "id"], ["-R", "hdrs"]])
  func whatIsSaidOfReportsNeedsAServerThatHeedsIt(_ words: [String]) throws {
    var options = SMTPSink.Options()
    options.extensions = ["8BITMIME"]
    let stage = try SendStage(options)
    let outcome = try stage.command("Subject: a\n\n", words + ["a@x.test"]).run()
    #expect(outcome.code == 0 && outcome.errors.contains("offers no DSN"), "\(outcome)")
    #expect(try stage.send("Subject: b\n\n", "a@x.test").errors == "")
  }

  @Test func aQueueThatCannotBeReadIsNotCalledEmpty() throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: a\n\n", "--no-try", "a@x.test").code == 0)
    try Command.shell("rm -r \"$1/queue\"; echo > \"$1/queue\"", [stage.spool])
    let list = try stage.program.run("-bp")
    #expect(list.code == 73 && list.output == "", "\(list)")
    #expect(list.errors.contains("work: the queue cannot be read: "), "\(list)")
  }

  /// Callers that look at the status and whose command line is fixed say so in the environment.
  @Test func aStrictCallerSeesARefusal() throws {
    let stage = try SendStage()
    let outcome = try stage.send("Subject: a\n\n", "p550@x.test")
    #expect(outcome.code == 0 && outcome.errorLines.count == 2, "a caller learns it from the text")
    let strict = ["MAGNUM_SEND_STRICT": "1"]
    #expect(try stage.send("Subject: b\n\n", "p550@x.test", variables: strict).code == 65)
    #expect(try stage.send("Subject: b\n\n", "a@x.test", variables: strict).code == 0)
    #expect(try stage.send("Subject: b\n\n", "-odq", "p550@x.test", variables: strict).code == 0)
  }

  /// A server further on without SMTPUTF8 refuses the message for all of a transaction that needs it.
  @Test func nobodyNeedsSMTPUTF8ForTheSakeOfOthers() throws {
    let stage = try SendStage()
    let recipients = ["a@x.test", "\u{fc}@x.test", "b@x.test", "c@b\u{fc}cher.test"]
    #expect(try stage.command("Subject: a\n\n", recipients).run().errors == "")
    #expect(
      stage.sink.messages.map(\.to) == [
        ["<a@x.test>", "<b@x.test>"], ["<\u{fc}@x.test>", "<c@b\u{fc}cher.test>"],
      ]
    )
    #expect(stage.sink.messages.map { $0.from.contains("SMTPUTF8") } == [false, true])
    #expect(try stage.command("Subject: \u{e4}\n\n", recipients).run().errors == "")
    // Text in the header is no reason for it: an ASCII address gets its mail over any path.
    let last = stage.sink.messages.suffix(2)
    #expect(last.map { $0.from.contains("SMTPUTF8") } == [false, true])
    #expect(last.map { $0.text.contains("Subject: =?UTF-8?B?w6Q=?=\n") } == [true, false])
    #expect(last.last?.text.contains("Subject: \u{e4}\n") == true)
  }

  @Test func everyRecipientHasAnOutcomeOfItsOwn() throws {
    let stage = try SendStage()
    let outcome = try stage.send("Subject: a\n\n", "p550@x.test", "a@x.test", "t450@x.test")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("work: p550@x.test refused: 550 5.1.1 no such user (to RCPT)"))
    #expect(outcome.errors.contains("queued: 450 4.2.0 later (to RCPT)"))
    let list = try stage.program.run("-bp").output
    let reasons = list.split(separator: "\n").filter { $0.contains("(to RCPT)") }
    #expect(reasons.first?.contains("450 4.2.0 later") ?? false, "of who waits: \(list)")
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"]])
    let queued = try #require(stage.entries("queue").first)
    #expect(stage.entries("failed") == ["\(queued).1"])
    let failed = try #require(Files.text("\(stage.spool)/failed/\(queued).1"))
    #expect(failed.contains("Envelope-To: <p550@x.test>") && !failed.contains("<a@x.test>"))
    try stage.flush()
    #expect(stage.sink.messages.count == 1, "who has it does not get it again")
    #expect(stage.entries("queue") == [queued])
  }

  @Test func aMessageThatIsLateBlocksNoOther() throws {
    let stage = try SendStage()
    for (subject, recipient) in [("1", "t450@x.test"), ("2", "a@x.test")] {
      #expect(try stage.send("Subject: \(subject)\n\n", recipient).code == 0)
    }
    for judge in ["data451", "drop-in-data", "drop-after-data", "closing"] {
      let outcome = try stage.send("Subject: \(judge)\nX-Judge: \(judge)\n\n", "a@x.test")
      #expect(outcome.code == 0 && outcome.errors.contains("queued"), "\(outcome)")
    }
    let outcome = try stage.send("Subject: last\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(stage.subjects == ["2", "drop-after-data", "last"])
    #expect(stage.entries("queue").count == 5)
  }

  @Test func theAccountSaysWhenToTryAgain() throws {
    let stage = try SendStage()
    try stage.configure("retry-after = [\"1h\"]\nif-uncertain = \"hold\"")
    let clock = try stage.program.home.write("0", to: "clock")
    let variables = try Preload.variables(clock: clock)
    let attempts = { stage.sink.commands.count { $0.hasPrefix("RCPT TO:<t450") } }
    func send(_ subject: String, _ headers: String = "", to recipient: String = "a@x.test") throws {
      let message = "Subject: \(subject)\n\(headers)\n"
      #expect(try stage.send(message, recipient, variables: variables).code == 0)
    }
    try send("a", to: "t450@x.test")
    try send("b", "X-Judge: drop-after-data\n")
    #expect(attempts() == 1, "not before its time")
    try stage.program.home.write("3700", to: "clock")
    try send("c")
    #expect(attempts() == 2, "once when it has come")
    #expect(stage.subjects == ["b", "c"] && stage.entries("hold").count == 1)
    var list = stage.command("", ["queue", "list"])
    list.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try list.run().output.contains("the server may have it"))
    #expect(stage.entries("queue").count == 1)
  }

  @Test func whoWaitsIsToldAndTheMessageIsWithdrawn() throws {
    let stage = try SendStage()
    for (message, recipients, code) in [
      ("Subject: a\n\n", ["a@x.test"], 0), ("Subject: a\n\n", ["p550@x.test"], 65),
      ("Subject: a\nX-Judge: data554\n\n", ["a@x.test"], 65),
    ] as [(String, [String], Int32)] {
      for option in ["--wait", "-odi"] {
        let outcome = try stage.command(message, [option] + recipients).run()
        #expect(outcome.code == code, "\(outcome)")
        for state in ["queue", "failed", "log"] { #expect(stage.entries(state) == []) }
      }
    }
    let several = try stage.send("Subject: a\n\n", "--wait", "p550@x.test", "p554@x.test")
    #expect(several.errors.contains("p550@x.test and 1 more refused: 550 5.1.1"), "\(several)")
    let late = try stage.send("Subject: a\n\n", "--wait", "t450@x.test")
    #expect(late.code == 0 && late.errors.contains("queued"))
    #expect(stage.entries("queue").count == 1)
  }

  @Test func onlyTheQueueIsWanted() throws {
    let stage = try SendStage()
    for option in ["-odq", "--no-try"] { #expect(try stage.send("", option, "a@x.test").code == 0) }
    #expect(stage.sink.connectionCount == 0)
    #expect(stage.entries("queue").count == 2)
    let list = try stage.program.run("-bp")
    #expect(list.lines.count == 6 && list.output.contains("me@x.test"), "\(list.output)")
    try stage.flush()
    #expect(stage.sink.messages.count == 2 && stage.sink.connectionCount == 1)
    #expect(try stage.program.run("-bp").lines == ["Mail queue is empty"])
  }

  @Test func mailWrittenOfflineLeavesInItsOrder() throws {
    let stage = try SendStage()
    let port = try Loopback.freePort()
    try stage.configure(server: "smtp+plain://127.0.0.1:\(port)")
    for number in 1...3 {
      let outcome = try stage.send("Subject: \(number)\n\n", "a@x.test")
      #expect(outcome.code == 0 && outcome.errors.contains("queued: cannot connect"), "\(outcome)")
    }
    let block = try #require(Files.text("\(stage.spool)/state"))
    #expect(block.contains("Reason: unreachable\n") && block.contains("Failures: 1\n"))
    try stage.configure()
    try stage.flush()
    #expect(stage.subjects == ["1", "2", "3"])
    #expect(!Files.exists("\(stage.spool)/state"))
  }

  @Test func aRefusedPasswordStopsTheAccountAndNotItsMail() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN")
    options.authentication = "535 5.7.8 wrong"
    let stage = try SendStage(options)
    try stage.configure("password = \"secret\"")
    let first = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(first.code == 0 && first.errors.contains("queued: 535 5.7.8 wrong"), "\(first)")
    #expect(
      first.errors.contains(
        "hint: correct the user name or the password in the configuration, then: magnum queue flush work"
      )
    )
    let second = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(second.code == 0 && stage.sink.connectionCount == 1, "it is not offered again")
    stage.sink.change { $0.authentication = "235 2.7.0 ok" }
    try stage.configure("password = \"other\"")
    #expect(try stage.send("Subject: 3\n\n", "a@x.test").errors == "")
    #expect(stage.subjects == ["1", "2", "3"])
    #expect(stage.sink.commands.contains("AUTH PLAIN AG1lQHgudGVzdABvdGhlcg=="))
  }

  @Test func aTokenThatHasExpiredIsRenewedOnce() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH XOAUTH2 PLAIN")
    options.authentication = "535 5.7.8 expired"
    options.secondAuthentication = "235 2.7.0 ok"
    let stage = try SendStage(options)
    let command = "echo x >> $HOME/asked; echo token$(wc -l < $HOME/asked)"
    try stage.configure("token-command = '\(command)'")
    let outcome = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(stage.subjects == ["1"])
    let logins = stage.sink.commands.filter { $0.hasPrefix("AUTH XOAUTH2 ") }
    #expect(logins.count == 2 && logins[0] != logins[1])
    stage.sink.change { $0.secondAuthentication = nil }
    let refused = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(refused.code == 0 && refused.errors.contains("535 5.7.8 expired"), "\(refused)")
    #expect(stage.sink.commands.filter { $0.hasPrefix("AUTH") }.count == 4)
    #expect(!stage.sink.commands.contains { $0.contains("token") })
  }

  @Test func aServerThatCannotNowIsAskedLater() throws {
    for (greeting, words) in [("421 later", "421 later"), ("554 no", "554 no")] {
      var options = SMTPSink.Options()
      options.greeting = greeting
      let stage = try SendStage(options)
      let outcome = try stage.send("Subject: 1\n\n", "a@x.test")
      #expect(outcome.code == 0 && outcome.errors.contains(words), "\(outcome)")
      #expect(stage.entries("queue").count == 1)
      let block = Files.text("\(stage.spool)/state") ?? ""
      #expect(block.contains("Reason: unreachable\n"), "what a network may be to blame for passes")
      stage.sink.change { $0.greeting = "220 ok" }
      try stage.flush()
      #expect(stage.subjects == ["1"])
    }
  }

  @Test func withoutSTARTTLSNothingIsSaid() throws {
    let stage = try SendStage()
    try stage.configure(server: "submission://127.0.0.1:\(stage.sink.port)")
    let outcome = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("STARTTLS"), "\(outcome)")
    #expect(stage.sink.commands.filter { !$0.hasPrefix("EHLO") } == ["QUIT"])
  }

  @Test func whatTheServerCannotTakeIsRefusedBeforeItIsSent() throws {
    var options = SMTPSink.Options()
    options.extensions = ["SIZE 300"]
    let stage = try SendStage(options)
    let large = try stage.send("Subject: 1\n\n" + String(repeating: "x\n", count: 200), "a@x.test")
    #expect(
      large.errors.contains("takes 300"),
      "\(large)"
    )
    let foreign = try stage.send("Subject: 1\n\n", "\u{e4}@x.test", "a@x.test")
    #expect(foreign.errors.contains("SMTPUTF8"), "\(foreign)")
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"]])
    #expect(stage.entries("failed").count == 2 && stage.entries("queue") == [])
  }

  @Test func manyRecipientsAreServedInTurns() throws {
    var options = SMTPSink.Options()
    options.extensions = ["PIPELINING", "LIMITS RCPTMAX=3"]
    let stage = try SendStage(options)
    let all = (1...8).map { "a\($0)@x.test" }
    #expect(try stage.command("Subject: 1\n\n", all).run().code == 0)
    #expect(stage.sink.messages.map(\.to.count) == [3, 3, 2])
    #expect(stage.sink.messages.flatMap(\.to) == all.map { "<\($0)>" })
    #expect(Set(stage.sink.messages.map(\.connection)).count == 1)
  }
}
