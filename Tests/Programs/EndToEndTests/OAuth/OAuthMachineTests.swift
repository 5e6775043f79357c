import Glibc
import TestSupport
import Testing

/// Accounts without a person: tokens by client credentials and by statements about users.
@Suite struct OAuthMachineTests {
  private let machine: OAuthMachineStage
  private var stage: OAuthStage { machine.stage }
  private var requests: [String] { machine.requests }

  init() throws { machine = try OAuthMachineStage() }

  /// One after the other, at one server: its switches are for all.
  @Test func rows() throws {
    for row in try Fixtures.load("Fixtures/machines.txt") {
      let before = requests.count
      Files.removeTree(stage.program.home[".local/state"])
      if let script = row["given"] {
        try Command.shell(
          "exec 2>&1; umask 077; cd \"$1/keys\"; \(script)",
          [stage.program.home.path]
        )
      }
      try stage.authority.set(row["switches"] ?? "{}")
      try stage.configure(machine.section(row.body))
      let outcome = try stage.accounts("token", "test")
      let status = Int32(row["ends"] ?? "0")
      #expect(outcome.code == status, "\(row): \(outcome)")
      #expect(outcome.output.isEmpty == (status != 0), "\(row): \(outcome)")
      let says = (row["says"] ?? "").replacing("~", with: stage.program.home.path)
      #expect(outcome.errors.contains(says) || says.isEmpty, "\(row): \(outcome)")
      #expect(Array(requests.dropFirst(before)) == row.lines("asks"), "\(row)")
      #expect((stage.value("access-token") == nil) == (status != 0), "\(row)")
      #expect(stage.value("refresh-token") == nil, "\(row)")
    }
  }

  @Test func mailIsFetchedWithoutALogin() throws {
    try machine.configure()
    try RawIMAP(stage.server, user: stage.user).append(mail("first"))
    let outcome = try stage.mirror()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(MaildirTree(stage.program.home["Mail/test"]).count == 1)
    #expect(try stage.mirror().code == 0)
    #expect(requests == ["POST /token client_credentials 200"])
    let login = try stage.accounts("login", "test")
    #expect(login.code == 64 && login.errors.contains("no login is needed"), "\(login)")
    let logout = try stage.accounts("logout", "test")
    #expect(logout.code == 0 && logout.errors.contains("token deleted"), "\(logout)")
    #expect(stage.grant.isEmpty)
    #expect(try stage.accounts("test", "--accept", "test").code == 0)
    #expect(requests.count == 2)
  }

  @Test func twentyProgramsGetOneToken() throws {
    try machine.configure()
    for _ in 0..<2 {
      let before = requests.count
      let runs = try (0..<20).map { _ in
        try stage.program.command(["accounts", "token", "test"], stage.variables).start()
      }
      let outcomes = runs.map { $0.wait() }
      #expect(outcomes.allSatisfy { $0.code == 0 }, "\(outcomes[0])")
      #expect(Set(outcomes.map(\.output)).count == 1)
      #expect(requests.count == before + 1)
      try stage.age()
    }
  }

  /// With less than five minutes left a token is renewed; where the server cannot answer, what is left is used.
  @Test func aTokenNearItsEnd() throws {
    try machine.configure()
    func token() throws -> String {
      let outcome = try stage.accounts("token", "test")
      #expect(outcome.code == 0, "\(outcome)")
      return outcome.output
    }
    let first = try token()
    try stage.move(["issued", "expires"], back: 3200)
    #expect(try token() == first)
    try stage.move(["issued", "expires"], back: 150)
    try machine.set("\"token\": 503")
    #expect(try token() == first)
    #expect(stage.value("paused-until") != nil)
    try stage.passMinutes()
    try machine.set()
    let second = try token()
    #expect(second != first && requests.count == 3)
    try stage.move(["issued", "expires"], back: 3590)
    try machine.set("\"token\": 503")
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == 75 && outcome.output.isEmpty, "\(outcome)")
  }

  /// A refused client rests, for minutes at first, then for hours; `accounts test` asks at once, and so does another request.
  @Test func aRefusedClientRests() throws {
    try machine.configure()
    try machine.set("\"refuse\": \"invalid_client\"")
    func run(_ status: Int32, asks: Int, _ words: String...) throws {
      let before = requests.count
      let outcome =
        try words.isEmpty
        ? stage.mirror() : stage.program.command(["accounts"] + words, stage.variables).run()
      #expect(outcome.code == status && requests.count == before + asks, "\(outcome)")
    }
    try run(77, asks: 1)
    try run(77, asks: 0)
    try run(77, asks: 0, "token", "test")
    let status = try stage.program.command(["status"], stage.variables).run()
    #expect(status.output.contains("refused the client (invalid_client)"), "\(status)")
    #expect(status.output.contains("magnum accounts test test"), "\(status)")
    try stage.passMinutes()
    try run(77, asks: 1)
    try stage.passMinutes()
    try run(77, asks: 0)
    try run(77, asks: 1, "test", "test")
    try machine.configure("client-key-id = \"new\"")
    try machine.set("\"kid\": \"new\"")
    try run(0, asks: 1)
    try machine.configure()
    try machine.set("\"refuse\": \"invalid_client\"")
    try run(77, asks: 1)
    try machine.set()
    try Command.shell("touch -d @7 \"$1/keys/ec.key\"", [stage.program.home.path])
    try run(0, asks: 1)
  }

  /// What is sent waits while the client is refused, and goes out after a test that passes.
  @Test func sendingStopsAndGoesOn() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH XOAUTH2")
    let sink = try SMTPSink(options)
    try machine.configure(
      account: """
        address = "me@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        sent-copy = "never"
        """
    )
    try machine.set("\"refuse\": \"invalid_client\"")
    for subject in ["1", "2"] {
      let outcome = try stage.send(subject)
      #expect(outcome.code == 0 && requests.count == 1, "\(outcome)")
    }
    let status = stage.program.command(["status"], stage.variables)
    #expect(try status.run().output.contains("sending stopped"))
    try machine.set()
    let tested = try stage.accounts("test", "test")
    #expect(tested.code == 0 && sink.messages.isEmpty, "\(tested)")
    #expect(try !status.run().output.contains("sending stopped"))
    #expect(try stage.mirror().code == 0)
    #expect(sink.messages.count == 2 && requests.count == 2)
  }

  /// A watch asks the server once while the client rests, and goes on by itself when it is taken again.
  @Test func aWatchGoesOnByItself() throws {
    try machine.configure()
    try machine.set("\"refuse\": \"invalid_client\"")
    let watch = try stage.program.command(["watch", "--json", "test"], stage.variables).start()
    defer {
      watch.signal(SIGINT)
      _ = watch.wait()
    }
    func has(_ event: String) -> Bool { watch.outputSoFar.contains("\"event\":\"\(event)\"") }
    #expect(Stopwatch.wait(upTo: 60) { has("waiting") }, "\(watch.outputSoFar)")
    #expect(requests.count == 1)
    try machine.set()
    try stage.passMinutes()
    #expect(Stopwatch.wait(upTo: 60) { has("listening") }, "\(watch.outputSoFar)")
    #expect(requests.count == 2, "\(requests)")
  }

  /// The certificate of a client ends too.
  @Test func anEndOfItsCertificateIsTold() throws {
    try machine.configure("client-certificate-file = \"~/keys/crt.pem\"")
    let status = try stage.program.command(["status"], stage.variables).run()
    #expect(status.output.contains("the client certificate expires in "), "\(status)")
    #expect(status.output.contains("keys/crt.pem"), "\(status)")
  }

  /// Commands that keep logins keep such a token too; a refusal stays in the file.
  @Test func commandsKeepTheToken() throws {
    let file = stage.program.home["kept"]
    try machine.configure("store.read = \"cat \(file)\"\nstore.write = \"cat > \(file)\"")
    let first = try stage.accounts("token", "test")
    #expect(first.code == 0 && first.output.count > 10, "\(first)")
    #expect(stage.grant.hasPrefix("magnum-oauth 1 store "), "\(stage.grant)")
    #expect(try stage.accounts("token", "test").output == first.output)
    #expect(requests.count == 1)
    try stage.authority.set("{\"refuse\": \"invalid_client\"}")
    try Files.write("", to: file)
    let damaged = try stage.accounts("token", "test")
    #expect(damaged.code == 77 && requests.count == 2, "\(damaged)")
    #expect(stage.grant.hasPrefix("magnum-oauth 1 refused\n"), "\(stage.grant)")
  }

  /// A token that the mail server refuses is replaced once.
  @Test func aTokenThatTheMailServerRefuses() throws {
    try machine.configure()
    #expect(try stage.mirror().code == 0)
    try stage.authority.ask("/expire")
    let outcome = try stage.mirror()
    #expect(outcome.code == 0 && requests.count == 2, "\(outcome)")
    try stage.authority.ask("/expire")
    let refused = try stage.mirror()
    #expect(refused.code == 77 && requests.count == 2, "\(refused)")
    #expect(refused.errors.contains("let the client open the mailbox of"), "\(refused)")
  }

  /// Another host, scope or client gets a token of its own, at once.
  @Test func whatATokenIsForCounts() throws {
    try machine.configure()
    #expect(try stage.accounts("token", "test").code == 0)
    try machine.configure("client-key-id = \"k\"")
    try machine.set("\"kid\": \"k\"")
    #expect(try stage.accounts("token", "test").code == 0)
    #expect(requests.count == 2)
    try stage.configure(
      machine.section("grant = \"client-credentials\"\nclient-id = \"client\"\nscopes = [\"a\"]\n")
        + "client-secret-command = \"echo hush\"",
      imap: stage.server.clearURL
    )
    #expect(try stage.accounts("token", "test").code == 0)
    #expect(requests.count == 3 && stage.value("host") == "127.0.0.1")
  }

  /// A kill at any point leaves what is kept whole, and costs a request at most.
  @Test func killedAnywhere() throws {
    try machine.configure()
    var point = 1
    while point < 60 {
      if point > 1 { try stage.age() }
      let killed = try stage.accounts("token", "test", variables: ["MAGNUM_FAULT": "\(point)"])
      guard killed.code != 0 else { break }
      #expect(killed.code == 137 && killed.output.isEmpty, "\(point): \(killed)")
      let next = try stage.accounts("token", "test")
      #expect(next.code == 0, "\(point): \(next)")
      point += 1
    }
    #expect(point > 4 && point < 60)
  }
}
