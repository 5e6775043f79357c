import TestSupport
import Testing

/// Accounts behind a proxy: names that this machine does not know reach their servers.
@Suite(.enabled("Exim is not installed") { Exim.isInstalled }) struct AccountProxyTests {
  private let program: ProgramUnderTest

  init() throws { program = try ProgramUnderTest("magnum") }

  private func configure(_ proxy: String, imap: Dovecot? = nil, smtp: Exim) throws {
    let reading = imap.map { dovecot in
      """
      maildir = "~/Mail"
      imap = "imap://imap.x.test:\(dovecot.ports.clear)"
      tls-ca-file = "\(dovecot.trustFile)"
      """
    }
    try program.configure(
      """
      delivery-log = "none"
      [defaults]
      \(proxy)
      [account.work]
      address = "me"
      password = "pass"
      smtp = "submissions://smtp.x.test:\(smtp.tlsPort)"
      smtp-tls-ca-file = "\(smtp.trustFile)"
      \(reading ?? "")
      """.replacing("address = \"me\"", with: "address = \"me@x.test\"\nuser = \"me\"")
    )
  }

  @Test(arguments: ["socks5h", "http"]) func bothServersAreReached(_ scheme: String) throws {
    let proxy = try ForwardProxy(login: "me:word")
    let (dovecot, exim) = (try Dovecot.shared(), try Exim(names: ["smtp.x.test"]))
    let url = "\(scheme)://127.0.0.1:\(proxy.port)"
    try configure(
      "proxy = \"\(url)\"\nproxy-user = \"me\"\nproxy-password-command = \"echo word\"",
      imap: dovecot,
      smtp: exim
    )
    let tested = try program.run("accounts", "test")
    #expect(tested.code == 0, "\(tested)")
    #expect(
      tested.lines.count { $0.contains("  through \(url), logged in as me, TLS") } == 2,
      "\(tested)"
    )
    let names = proxy.requests.map { $0.contains("imap.x.test") ? "imap" : "smtp" }
    #expect(names == ["imap", "smtp"], "\(proxy.requests)")
  }

  /// Connections through a proxy ask no resolver: neither DNS nor the file of hosts.
  @Test(.enabled("strace cannot trace here") { Strace.canTrace }, arguments: ["socks5h", "http"])
  func nothingIsLookedUp(_ scheme: String) throws {
    let (proxy, dovecot) = (try ForwardProxy(), try Dovecot.shared())
    let exim = try Exim(names: ["smtp.x.test"])
    try configure("proxy = \"\(scheme)://127.0.0.1:\(proxy.port)\"", imap: dovecot, smtp: exim)
    let log = program.home["calls"]
    let command = program.command(["accounts", "test"])
    let outcome = try Strace.tracing(command, "connect,openat", log: log).run()
    #expect(outcome.code == 0, "\(outcome)")
    let calls = try #require(Files.text(log))
    #expect(calls.contains("htons(\(proxy.port))") && proxy.requests.count == 2)
    #expect(!calls.contains("htons(53)") && !calls.contains("\"/etc/hosts\""), "\(calls)")
  }

  /// What a proxy refuses, by the status: the login, the server, for now.
  @Test(arguments: [
    ("socks5h", "", 77), ("http", "", 77), ("socks5h", "deny", 69), ("http", "deny", 69),
  ])
  func refusalsHaveAStatus(_ scheme: String, _ switched: String, _ status: Int32) throws {
    let proxy = try ForwardProxy(login: switched.isEmpty ? "me:word" : "")
    try proxy.set(switched)
    let url = "\(scheme)://127.0.0.1:\(proxy.port)"
    try configure("proxy = \"\(url)\"", smtp: try Exim())
    let tested = try program.run("accounts", "test")
    #expect(tested.code == status && tested.errors.contains("the proxy \(url): "), "\(tested)")
  }

  @Test func aProxyThatIsNotThereIsTriedAgain() throws {
    let port = try Loopback.freePort()
    try configure("proxy = \"http://127.0.0.1:\(port)\"", smtp: try Exim())
    let tested = try program.run("accounts", "test")
    #expect(
      tested.code == 75 && tested.errors.contains("the proxy: cannot connect to 127.0.0.1"),
      "\(tested)"
    )
  }

  /// The search for servers asks the proxy alone, and says which questions it leaves out.
  @Test(.enabled("strace cannot trace here") { Strace.canTrace })
  func theSearchGoesThroughTheProxy() throws {
    let proxy = try ForwardProxy()
    try program.configure("[defaults]\nproxy = \"socks5h://127.0.0.1:\(proxy.port)\"\n")
    let log = program.home["calls"]
    let command = program.command(["accounts", "add", "--print", "me@nowhere.test"])
    let outcome = try Strace.tracing(command, "connect,openat", log: log).run()
    let calls = try #require(Files.text(log))
    #expect(!calls.contains("htons(53)") && !calls.contains("\"/etc/hosts\""))
    #expect(outcome.code != 0 && outcome.errors.contains("DNS is not asked"), "\(outcome)")
    #expect(proxy.requests.contains("socks autoconfig.nowhere.test 443"), "\(proxy.requests)")
    #expect(proxy.requests.allSatisfy { $0.hasPrefix("socks ") && $0.hasSuffix(" 443") })
  }
}
