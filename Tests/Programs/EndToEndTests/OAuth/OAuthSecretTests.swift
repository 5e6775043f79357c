import Glibc
import TestSupport
import Testing

/// What is secret about a login is seen by nobody but the server and the file that keeps it.
@Suite struct OAuthSecretTests {
  /// Words and environments of all programs that are started, traces, logs, states and what is printed.
  @Test func noSecretIsSeen() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH XOAUTH2")
    let sink = try SMTPSink(options)
    let stage = try OAuthStage()
    let issuer = stage.authority.issuer
    try stage.configure(
      """
      issuer = "\(issuer)"
      client-id = "client"
      client-secret-command = ["printf", "%s", "hush"]
      """,
      account: """
        address = "me@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        sent-copy = "never"
        """
    )
    let seen = stage.program.home["seen"]
    // Stands in for curl, notes what others see of it, and is it then.
    let path = try Command.shell("command -v curl", []).dropLast()
    try Files.makeDirectories(stage.program.home["bin"])
    try stage.program.home.write(
      "#!/bin/sh\n{ tr '\\0' ' ' < /proc/$$/cmdline; env; } >> '\(seen)'\nexec \(path) \"$@\"\n",
      to: "bin/curl",
      mode: 0o755
    )
    let own = stage.program.command([]).environment["PATH"] ?? "/usr/bin:/bin"
    let variables = ["PATH": "\(stage.program.home["bin"]):\(own)"]
    let all = stage.variables.merging(variables) { _, given in given }
    var said = ""
    func run(_ outcome: Outcome) throws {
      try #require(outcome.code == 0, "\(outcome)")
      said += outcome.output + outcome.errors
    }
    try run(try stage.accounts("login", "test", variables: variables))
    var secrets = [
      try #require(stage.value("refresh-token")), try #require(stage.value("access-token")),
    ]
    try stage.age()
    try run(try stage.accounts("test", "--trace", "test", variables: variables))
    try run(try stage.accounts("test", "--json", "test", variables: variables))
    try run(try stage.mirror("--trace", "-v", "test"))
    func renewed() throws {
      secrets += [
        try #require(stage.value("refresh-token")), try #require(stage.value("access-token")),
      ]
    }
    try renewed()
    try stage.age()
    var message = try ProgramUnderTest("magnum-send").command(["you@x.test"], all)
    message.environment["HOME"] = stage.program.home.path
    message.input = Array("Subject: sent\n\ntext\n".utf8)
    try run(try message.run())
    #expect(sink.messages.count == 1)
    try renewed()
    try stage.age()
    let watch = try stage.program.command(["watch", "-v"], all).start()
    try RawIMAP(stage.server, user: stage.user).append(mail("watched"))
    let tree = { MaildirTree(stage.program.home["Mail/test"]) }
    #expect(Stopwatch.wait(upTo: 60) { tree().count == 1 }, "\(watch.errorsSoFar)")
    watch.signal(SIGTERM)
    let watched = watch.wait()
    said += watched.output + watched.errors
    try renewed()
    #expect(Set(secrets).count == 8)
    let token = try stage.accounts("token", "test", variables: variables)
    #expect(token.output == secrets[7] + "\n" && token.errors == "", "this is what it is for")
    let others = try #require(Files.text(seen))
    #expect(others.contains("/curl -q"), "\(others)")
    for secret in secrets + ["hush"] {
      #expect(!said.contains(secret), "printed")
      #expect(secret == "hush" || !others.contains(secret), "words or environment")
      let files = try Command(
        "grep",
        ["-rlF", "--exclude=oauth", "--", secret, stage.program.home.path]
      )
      .run().output.split(separator: "\n").filter { !$0.hasSuffix("/config.toml") }
      #expect(files.isEmpty, "\(files)")
    }
    #expect(!others.contains("hush"))
  }
}
