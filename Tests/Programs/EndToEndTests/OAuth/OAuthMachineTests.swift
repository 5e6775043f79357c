import Glibc
import TestSupport
import Testing

/// Accounts without a person: tokens by client credentials and by statements about users.
@Suite struct OAuthMachineTests {
  private let stage: OAuthStage

  init() throws {
    stage = try OAuthStage()
    // Half of each pair is for the server.
    try Command.shell(
      """
      exec 2>&1; mkdir "$1/keys" "$2/keys"; cd "$1/keys"; umask 077
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out crt.key
      openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.key
      openssl req -x509 -key crt.key -days 2 -subj /CN=client -out crt.pem; cp crt.pem "$2/keys/crt.crt"
      for k in rsa crt ec; do openssl pkey -in $k.key -pubout -out $k.pub; cp $k.pub "$2/keys"; done
      """,
      [stage.program.home.path, stage.authority.folder]
    )
  }

  private func section(_ lines: String) -> String {
    "token-endpoint = \"\(stage.authority.issuer)/token\"\n\(lines)"
  }

  /// A client that signs, for the user of this stage.
  private func configure(_ more: String = "") throws {
    try stage.configure(
      section(
        """
        grant = "client-credentials"
        client-id = "ec"
        client-key-file = "~/keys/ec.key"
        scopes = ["mail"]
        \(more)
        """
      )
    )
    try set()
  }

  private func set(_ members: String = "") throws {
    try stage.authority.set("{\"user\": \"\(stage.user)\"\(members.isEmpty ? "" : ", ")\(members)}")
  }

  private var requests: [String] {
    stage.authority.requests.filter { $0.hasPrefix("POST /token ") }
  }

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
      try stage.configure(section(row.body))
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
    try configure()
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
    try configure()
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
    try configure()
    func token() throws -> String {
      let outcome = try stage.accounts("token", "test")
      #expect(outcome.code == 0, "\(outcome)")
      return outcome.output
    }
    let first = try token()
    try stage.move(["issued", "expires"], back: 3200)
    #expect(try token() == first)
    try stage.move(["issued", "expires"], back: 150)
    try set("\"token\": 503")
    #expect(try token() == first)
    #expect(stage.value("paused-until") != nil)
    try stage.passMinutes()
    try set()
    let second = try token()
    #expect(second != first && requests.count == 3)
    try stage.move(["issued", "expires"], back: 3590)
    try set("\"token\": 503")
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == 75 && outcome.output.isEmpty, "\(outcome)")
  }

  /// A refused client rests, for minutes at first, then for hours; `accounts test` asks at once, and so does another request.
  @Test func aRefusedClientRests() throws {
    try configure()
    try set("\"refuse\": \"invalid_client\"")
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
    try configure("client-key-id = \"new\"")
    try set("\"kid\": \"new\"")
    try run(0, asks: 1)
    try configure()
    try set("\"refuse\": \"invalid_client\"")
    try run(77, asks: 1)
    try set()
    try Command.shell("touch -d @7 \"$1/keys/ec.key\"", [stage.program.home.path])
    try run(0, asks: 1)
  }

  /// A token that the mail server refuses is replaced once.
  @Test func aTokenThatTheMailServerRefuses() throws {
    try configure()
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
    try configure()
    #expect(try stage.accounts("token", "test").code == 0)
    try configure("client-key-id = \"k\"")
    try set("\"kid\": \"k\"")
    #expect(try stage.accounts("token", "test").code == 0)
    #expect(requests.count == 2)
    try stage.configure(
      section("grant = \"client-credentials\"\nclient-id = \"client\"\nscopes = [\"a\"]\n")
        + "client-secret-command = \"echo hush\"",
      imap: stage.server.clearURL
    )
    #expect(try stage.accounts("token", "test").code == 0)
    #expect(requests.count == 3 && stage.value("host") == "127.0.0.1")
  }

  /// A kill at any point leaves what is kept whole, and costs a request at most.
  @Test func killedAnywhere() throws {
    try configure()
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

  /// The authorization server is reached through the proxy of the account, whatever the environment names, and not looked up.
  @Test(.enabled("strace cannot trace here") { Strace.canTrace }, arguments: ["socks5h", "http"])
  func aProxyLooksTheServerUp(scheme: String) throws {
    let (proxy, port) = (try ForwardProxy(), stage.authority.port)
    let endpoint = "https://\(Authority.name):\(port)/token"
    try stage.configure(
      """
      token-endpoint = "\(endpoint)"
      grant = "client-credentials"
      client-id = "ec"
      client-key-file = "~/keys/ec.key"
      scopes = ["mail"]
      """,
      account: "proxy = \"\(scheme)://127.0.0.1:\(proxy.port)\""
    )
    try set("\"audience\": \"\(endpoint)\"")
    var variables = stage.variables
    variables["https_proxy"] = "http://127.0.0.1:9"
    let log = stage.program.home["calls"]
    let command = stage.program.command(["accounts", "token", "test"], variables)
    let outcome = try Strace.tracing(command, "connect,openat", log: log).run()
    #expect(outcome.code == 0, "\(outcome)")
    let name = Authority.name
    #expect(
      proxy.requests == [scheme == "http" ? "connect \(name):\(port)" : "socks \(name) \(port)"]
    )
    let calls = try #require(Files.text(log))
    #expect(calls.contains("htons(\(proxy.port))"))
    #expect(!calls.contains("htons(53)") && !calls.contains("\"/etc/hosts\""))
  }

  /// Neither words nor environments of programs that are started, nor what is printed, hold a secret, a statement or a token.
  @Test(arguments: [false, true]) func noSecretIsSeen(isSigned: Bool) throws {
    let proof =
      isSigned
      ? "client-id = \"ec\"\nclient-key-file = \"~/keys/ec.key\""
      : "client-id = \"client\"\nclient-secret-command = [\"printf\", \"%s\", \"hush\"]"
    try stage.configure(
      section("grant = \"client-credentials\"\nscopes = [\"mail\"]\n\(proof)")
    )
    try set()
    let home = stage.program.home
    let path = try Command.shell("command -v curl", []).dropLast()
    try Files.makeDirectories(home["bin"])
    try home.write(
      "#!/bin/sh\n{ tr '\\0' ' ' < /proc/$$/cmdline; env; } >> '\(home["seen"])'\n"
        + "tee -a '\(home["sent"])' | \(path) \"$@\"\n",
      to: "bin/curl",
      mode: 0o755
    )
    let own = stage.program.command([]).environment["PATH"] ?? "/usr/bin:/bin"
    let variables = ["PATH": "\(home["bin"]):\(own)"]
    var said = ""
    for words in [["test", "--trace", "test"], ["test", "--json", "test"]] {
      let all = stage.variables.merging(variables) { _, given in given }
      let outcome = try stage.program.command(["accounts"] + words, all).run()
      #expect(outcome.code == 0, "\(outcome)")
      said += outcome.output + outcome.errors
    }
    try set("\"refuse\": \"invalid_client\"")
    try stage.age()
    let refused = try stage.accounts("token", "test", variables: variables)
    #expect(refused.code == 77, "\(refused)")
    said += refused.errors
    let sent = try #require(Files.text(home["sent"]))
    let key = isSigned ? "client_assertion=" : "client_secret="
    let secrets = sent.split(separator: "&").filter { $0.hasPrefix(key) }
      .map { $0.dropFirst(key.utf8.count).prefix { $0 != "\"" && $0 != "\n" } }
    #expect(secrets.count == 2 && Set(secrets).count == (isSigned ? 2 : 1), "\(sent)")
    let seen = try #require(Files.text(home["seen"]))
    #expect(seen.contains("/curl -q"))
    for secret in secrets {
      #expect(!said.contains(secret) && !seen.contains(secret) && !stage.grant.contains(secret))
    }
    #expect(!said.contains("access-") && !seen.contains("access-"))
  }
}
