import TestSupport
import Testing

/// The command line as callers use it, and the promise that a status other than 0 means: not in the queue.
@Suite struct CallerTests {
  @Test func argumentsOfRealCallers() throws {
    let stage = try SendStage()
    try stage.program.home.write("root: ops@x.test\n", to: ".config/magnum/aliases")
    let message = "From: me@x.test\nTo: t@x.test\nSubject: a\n\ntext\n"
    for (arguments, to) in [
      ("-oem -oi -- a@x.test b@x.test", "a@x.test b@x.test"),
      ("-oem -oi -B8BITMIME -f me@x.test -N failure -R hdrs -- a@x.test", "a@x.test"),
      ("-i -f me@x.test -m -- a@x.test", "a@x.test"), ("-i -t", "t@x.test"),
      ("-t -i -fme@x.test", "t@x.test"), ("-FCronDaemon -i -B8BITMIME -oem root", "ops@x.test"),
      ("-i root", "ops@x.test"), ("-odi root", "ops@x.test"), ("-t", "t@x.test"),
      ("-oi -f me@x.test -oAfile -oep -odi -t", "t@x.test"), ("-ti", "t@x.test"),
      ("-oi -oem a@x.test", "a@x.test"), ("-t a@x.test", "a@x.test t@x.test"),
    ] {
      stage.sink.clear()
      let outcome = try stage.command(message, arguments.split(separator: " ").map { "\($0)" })
        .run()
      #expect(
        outcome.code == 0 && outcome.output == "" && outcome.errors == "",
        "\(arguments): \(outcome)"
      )
      let recipients = stage.sink.messages.first?.to.map { $0.split(separator: ">")[0].dropFirst() }
      #expect(recipients?.joined(separator: " ") == to, "\(arguments)")
      #expect(stage.sink.messages.count == 1)
    }
  }

  @Test func blanksAroundAnAddressAreNoSlip() throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: a\n\n", " a@x.test ").code == 0)
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"]])
  }

  /// The caller may have closed what the program would write to: that must not become the connection.
  @Test func closedDescriptorsAreNotUsedForConnections() throws {
    let stage = try SendStage()
    let message = try stage.program.home.write("Subject: a\n\ntext\n", to: "message")
    func run(_ redirections: String) throws -> Outcome {
      var command = stage.command("", ["-c", "exec \"$1\" -v a@x.test \(redirections)", "sh"])
      command.arguments.append(stage.program.path)
      command.program = "/bin/sh"
      return try command.run()
    }
    #expect(try run("<\(message) >&- 2>&-").code == 0)
    #expect(stage.sink.messages.count == 1)
    #expect(stage.sink.commands.allSatisfy { "EHLO MAIL RCPT DATA QUIT".contains($0.prefix(4)) })
    let closed = try run("<&-")
    #expect(closed.code == 66 && stage.entries("queue") == [], "\(closed)")
  }

  @Test func reportsAreAskedForWhereTheServerMakesThem() throws {
    let stage = try SendStage()
    _ = try stage.send("Subject: a\n\n", "-N", "never", "-R", "hdrs", "-V", "id+1", "a@x.test")
    let message = try #require(stage.sink.messages.first)
    #expect(
      message.from.hasSuffix(" RET=HDRS ENVID=id+2B1") && message.to == ["<a@x.test> NOTIFY=NEVER"]
    )
  }

  @Test func mistakesAreToldAndNothingIsQueued() throws {
    let stage = try SendStage()
    for (arguments, message, code, words) in [
      (["-z"], "x", 64, "unknown option -z"), (["-bd"], "x", 64, "-bd is not supported"),
      (["-bs"], "x", 64, "-bs is not supported"), ([], "Subject: a\n\n", 64, "no recipients"),
      (["a@x.test\r\nRCPT TO:<b@x.test>"], "Subject: a\n\n", 65, "is no address"),
      (["-f", "a\n@x.test", "a@x.test"], "Subject: a\n\n", 65, "is no address"),
      (["a@x.test"], "Subject: a\rBcc: b@x.test\n\n", 65, "line 1 of the header holds a CR"),
      (["a@x.test"], "Content-Type: multipart/mixed\n\n\0", 65, "line 3 holds"),
      (["a@"], "Subject: a\n\n", 65, "\"a@\" is no address"),
      (["@x.test"], "Subject: a\n\n", 65, "\"@x.test\" is no address"),
      (["a b@x.test"], "Subject: a\n\n", 65, "\"a b@x.test\" is no address"),
      (["a@x..test"], "Subject: a\n\n", 65, "\"a@x..test\" is no address"),
      (["-t"], "To: b@x.test, @x.test\n\n", 65, "is no address"),
      (["-t"], "Subject: a\n\n", 64, "no recipients"),
      (["unheard-of"], "Subject: a\n\n", 67, "no alias for unheard-of"),
      (["--account", "home", "a@x.test"], "Subject: a\n\n", 67, "no account home"),
      (["--config", "/nonexistent", "a@x.test"], "Subject: a\n\n", 78, "/nonexistent"),
    ] as [([String], String, Int32, String)] {
      let outcome = try stage.command(message, arguments).run()
      #expect(outcome.code == code && outcome.errors.contains(words), "\(arguments): \(outcome)")
      #expect(stage.entries("queue") == [])
    }
    let large = String(repeating: "0123456789abcde\n", count: 50 << 16 + 1)
    let tooLong = try stage.send("Subject: a\n\n" + large, "a@x.test")
    #expect(tooLong.code == 65 && tooLong.errors.contains("longer than 50 MiB"), "\(tooLong)")
    #expect(stage.entries("queue") == [] && stage.sink.connectionCount == 0)
  }

  /// The library takes as long to load as all else.
  @Test func aMessageIsHandedInWithoutOpenSSL() throws {
    let stage = try SendStage()
    let loads = ["LD_DEBUG": "files"]
    let outcome = try stage.command("Subject: a\n\n", ["--no-try", "a@x.test"], loads).run()
    #expect(outcome.code == 0 && outcome.errors.contains("libc.so"), "\(outcome)")
    #expect(!outcome.errors.contains("libcrypto"), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }

  @Test func theSizeOfAMessageIsLimitedByTheConfiguration() throws {
    let stage = try SendStage()
    let file = stage.program.home[".config/magnum/config.toml"]
    let settings = try #require(Files.text(file))
    try Files.write("message-size-limit = \"100K\"\n" + settings, to: file)
    let fits = "Subject: a\n\n" + String(repeating: "a", count: (100 << 10) - 13) + "\n"
    #expect(try stage.send(fits, "--no-try", "a@x.test").code == 0)
    let outcome = try stage.send(fits + "\n", "a@x.test")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(
      outcome.errorLines == [
        "magnum-send: the message is longer than 100 KiB",
        "hint: message-size-limit in \(file) sets the limit",
      ],
      "\(outcome)"
    )
    var edit = stage.command(
      fits + "\n",
      ["queue", "edit", "--message", "-"] + stage.entries("queue")
    )
    edit.program = "\(ProgramUnderTest.products)/magnum"
    let edited = try edit.run()
    #expect(edited.code == 65 && edited.errors.contains("longer than 100 KiB"), "\(edited)")
    #expect(stage.entries("queue").count == 1)
  }

  @Test func theAccountIsThatOfTheSender() throws {
    let stage = try SendStage()
    let other = try SMTPSink()
    try stage.program.configure(
      """
      [account.work]
      address = "me@x.test"
      smtp = "smtp+plain://127.0.0.1:\(stage.sink.port)"
      [account.home]
      addresses = ["me@y.test", "Other@y.test"]
      smtp = "smtp+plain://127.0.0.1:\(other.port)"
      """
    )
    for (sender, count) in [
      ("me@y.test", 1), ("other@Y.test", 2), ("me+list@y.test", 3), ("me@x.test", 3),
    ] {
      #expect(try stage.send("Subject: a\n\n", "-f", sender, "a@x.test").code == 0)
      #expect(other.messages.count == count, "\(sender)")
    }
    #expect(try stage.send("From: me@y.test\n\n", "a@x.test").code == 0)
    #expect(try stage.send("From: me@x.test\n\n", "--account=home", "a@x.test").code == 0)
    #expect(other.messages.count == 5)
    let unknown = try stage.send("From: me@z.test\n\n", "a@x.test")
    #expect(unknown.code == 67 && unknown.errors.contains("no account for me@z.test"), "\(unknown)")
  }

  @Test func habitsOfCallersOfMsmtp() throws {
    let stage = try SendStage()
    let message = "From: other@x.test\nTo: a@x.test\nSubject: a\n\n"
    _ = try stage.send(message, "-a", "work", "--read-envelope-from", "-f", "me@x.test", "-t")
    _ = try stage.send(message, "--host", "127.0.0.1", "--from=me@x.test", "b@x.test")
    let messages = stage.sink.messages
    #expect(messages.map { $0.from.prefix { $0 != " " } } == ["<other@x.test>", "<me@x.test>"])
    #expect(messages.map(\.to) == [["<a@x.test>"], ["<b@x.test>"]])
    let info = try stage.send("", "--serverinfo", "-a", "work")
    #expect(info.code == 0 && info.lines.contains("    PIPELINING"), "\(info)")
    #expect(try stage.send(message, "--pretend", "-t").lines.last == "to <a@x.test>")
    let unknown = try stage.send(message, "--host", "smtp.elsewhere.test", "-t")
    #expect(unknown.code == 67 && unknown.errors.contains("no account sends through"), "\(unknown)")
    #expect(stage.sink.messages.count == 2 && stage.entries("queue") == [])
  }

  @Test func aDryRunSendsNothing() throws {
    let stage = try SendStage()
    let outcome = try stage.send("To: a@x.test\n\n", "--dry-run", "-t")
    #expect(
      outcome.lines == [
        "account work through smtp+plain://127.0.0.1:\(stage.sink.port)", "from <me@x.test>",
        "to <a@x.test>",
      ]
    )
    #expect(stage.entries("queue") == [] && stage.sink.connectionCount == 0)
  }

  @Test func namesOfTheProgram() throws {
    let stage = try SendStage()
    let folder = stage.program.home.path
    try Command.shell(
      "for name in sendmail mailq newaliases; do ln -s \"$1\" \"$2/$name\"; done",
      [stage.program.path, folder]
    )
    func run(_ name: String, _ arguments: [String]) throws -> Outcome {
      var command = stage.command("Subject: a\n\n", arguments)
      command.program = "\(folder)/\(name)"
      return try command.run()
    }
    #expect(try run("sendmail", ["a@x.test"]).code == 0 && stage.sink.messages.count == 1)
    #expect(try run("mailq", []).lines == ["Mail queue is empty"])
    #expect(try run("newaliases", []).code == 0)
  }

  @Test func aSpoolThatOthersCanWriteIntoIsRefused() throws {
    let stage = try SendStage()
    #expect(try stage.send("", "--no-try", "a@x.test").code == 0)
    try Command.shell("chmod 777 \"$1\"", [stage.spool])
    let outcome = try stage.send("", "a@x.test")
    #expect(outcome.code == 73 && outcome.errors.contains("others can write into"), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }
}
