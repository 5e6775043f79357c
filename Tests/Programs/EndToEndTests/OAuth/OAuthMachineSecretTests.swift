import TestSupport
import Testing

/// Where the requests of accounts without a person go, and what others see of them.
@Suite struct OAuthMachineSecretTests {
  private let machine: OAuthMachineStage
  private var stage: OAuthStage { machine.stage }

  init() throws { machine = try OAuthMachineStage() }

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
    try machine.set("\"audience\": \"\(endpoint)\"")
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
      machine.section("grant = \"client-credentials\"\nscopes = [\"mail\"]\n\(proof)")
    )
    try machine.set()
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
    try machine.set("\"refuse\": \"invalid_client\"")
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
