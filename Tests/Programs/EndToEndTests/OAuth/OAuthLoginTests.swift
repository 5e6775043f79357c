import Glibc
import TestSupport
import Testing

/// Logging in at an authorization server in a browser, and logging out.
@Suite struct OAuthLoginTests {
  @Test func aLoginOpensTheMailbox() throws {
    let stage = try OAuthStage()
    let before = try stage.accounts("token", "test")
    #expect(before.code == 77, "\(before)")
    #expect(before.errors.contains("magnum accounts login test"), "\(before)")
    try RawIMAP(stage.server, user: stage.user).append(mail("hello"))
    try stage.logIn()

    var status = stat()
    #expect(stat(stage.grantFile, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(Files.text(stage.program.home["page"])?.contains("Return to the terminal") == true)
    let token = try stage.accounts("token", "test")
    #expect(token.code == 0 && token.lines == [stage.value("access-token")], "\(token)")
    let json = try ParsedJSON(try stage.accounts("token", "--json", "test").output)
    #expect(json["token"]?.text == stage.value("access-token"))
    let schema = try #require(Files.text(Fixtures.project("man/schemas/token.json")))
    #expect(try JSONSchema(schema).mistakes(in: json) == [])

    let sync = try stage.mirror("-v")
    #expect(sync.code == 0, "\(sync)")
    #expect(MaildirTree(stage.program.home["Mail/test"]).count == 1)
    #expect(stage.requests("refresh_token").isEmpty)
  }

  /// Certificates from a file and from a directory count, both, as they do for mail servers.
  @Test func bothVariablesForCertificatesCount() throws {
    let stage = try OAuthStage()
    let outcome = try stage.accounts(
      "login",
      "test",
      variables: ["SSL_CERT_DIR": stage.program.home.path]
    )
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// What the server or the browser gets wrong, the exit status, and what is said; nothing is kept then.
  @Test(
    arguments: [
      ("{\"authorize\": \"deny\"}", 77, "access_denied"),
      ("{\"authorize\": \"iss\"}", 77, "another authorization server"),
      ("{\"authorize\": \"no-iss\", \"announce\": true}", 77, "another authorization server"),
      ("{\"authorize\": \"used\"}", 77, "code used twice"),
      ("{\"issuer\": \"https://evil.example\"}", 78, "https://evil.example"),
      ("{\"metadata\": \"html\"}", 78, "no JSON"), ("{\"metadata\": 503}", 75, "503"),
      ("{\"token\": 503}", 75, "503"), ("{\"token\": \"html\"}", 75, "unexpected response"),
      ("{\"user\": \"other\"}", 77, "nothing is kept"),
    ] as [(String, Int32, String)]
  )
  func whatGoesWrong(switches: String, status: Int32, words: String) throws {
    let stage = try OAuthStage()
    try stage.authority.set(switches)
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == status && outcome.errors.contains(words), "\(outcome)")
    #expect(stage.grant.isEmpty)
  }

  /// Pictures, guesses and pages elsewhere do not end the wait; the right answer does.
  @Test func onlyTheAnswerEndsTheWait() throws {
    let stage = try OAuthStage()
    try stage.browse(
      """
      to=$(curl -sS --cacert "$CA" -o /dev/null -w '%{redirect_url}' "$1")
      base=${to%%\\?*}
      say() { curl -sS -o /dev/null -w '%{http_code}\\n' "$@" >> "$HOME/codes"; }
      say "${base}favicon.ico"
      say "${base}?code=x&state=wrong"
      say -H 'Host: evil.example' "$to"
      say -X POST "$to"
      say "${base}other?${to#*\\?}"
      say "$to"
      """
    )
    try stage.logIn()
    #expect(Files.text(stage.program.home["codes"]) == "404\n400\n400\n400\n404\n200\n")
  }

  /// Connections that browsers open in advance and do not use keep no answer waiting.
  @Test func idleConnectionsDoNotBlock() throws {
    let stage = try OAuthStage()
    try stage.browse(
      """
      to=$(curl -sS --cacert "$CA" -o /dev/null -w '%{redirect_url}' "$1")
      python3 -c '
      import socket, sys, urllib.parse, urllib.request
      port = urllib.parse.urlsplit(sys.argv[1]).port
      idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
      for part in idle[:5]: part.sendall(b"GET / HT")
      print(urllib.request.urlopen(sys.argv[1], timeout=60).status)
      ' "$to" > "$HOME/status"
      """
    )
    try stage.logIn()
    #expect(Stopwatch.wait(upTo: 60) { Files.text(stage.program.home["status"]) == "200\n" })
  }

  @Test func aFloodOfRequestsEndsTheLogin() throws {
    let stage = try OAuthStage()
    try stage.browse(
      """
      to=$(curl -sS --cacert "$CA" -o /dev/null -w '%{redirect_url}' "$1")
      curl -s -o /dev/null "${to%%\\?*}favicon.ico?[1-200]"
      """
    )
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 75 && outcome.errors.contains("too many requests"), "\(outcome)")
    #expect(stage.grant.isEmpty)
  }

  /// Who logs in is another than whose mailbox it is, as with one that several people share.
  @Test func aSharedMailboxIsOpenedByAPerson() throws {
    let stage = try OAuthStage()
    try stage.configure(person: "person@x.test")
    // The server says that the token is for that mailbox.
    try stage.authority.set("{\"user\": \"\(stage.user)\"}")
    let outcome = try stage.accounts("login", "test")
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("login_hint=person%40x.test"), "\(outcome)")
    let sync = try stage.mirror()
    #expect(sync.code == 0, "\(sync)")
  }

  /// Where a refresh token comes with the consent only, the browser is opened once more; where none comes at all, that is said.
  @Test func aRefreshTokenIsAskedFor() throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"refresh\": \"consent\"}")
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 0 && outcome.errors.contains("once more"), "\(outcome)")
    #expect(stage.value("refresh-token") != nil)
    #expect(stage.authority.requests.count { $0.hasPrefix("GET /authorize 302") } == 2)
    try stage.authority.set("{\"refresh\": false}")
    let none = try stage.accounts("login", "test")
    #expect(none.code == 0 && none.errors.contains("ends with the access token"), "\(none)")
    try stage.age()
    #expect(try stage.accounts("token", "test").code == 77)
  }

  @Test func aLogoutRevokes() throws {
    let stage = try OAuthStage()
    try stage.logIn()
    let outcome = try stage.accounts("logout", "test")
    #expect(outcome.code == 0 && outcome.errors.contains("logged out"), "\(outcome)")
    #expect(stage.authority.requests.contains("POST /revoke 200"))
    #expect(!Files.exists(stage.grantFile))
    #expect(try stage.accounts("token", "test").code == 77)
    #expect(try stage.accounts("logout", "test").errors.contains("not logged in"))
  }

  @Test func aLogoutWithoutNetworkForgets() throws {
    let stage = try OAuthStage()
    try stage.logIn()
    let outcome = try stage.accounts(
      "logout",
      "test",
      variables: ["https_proxy": "http://127.0.0.1:9"]
    )
    #expect(outcome.code == 0 && outcome.errors.contains("nothing was revoked"), "\(outcome)")
    #expect(!Files.exists(stage.grantFile))
  }

  /// Whatever curl and the browser are given, no secret is in it; nor in what a sync says of the conversation.
  @Test func noSecretIsSeen() throws {
    let stage = try OAuthStage()
    try stage.configure(
      "issuer = \"\(stage.authority.issuer)\"\nclient-id = \"client\"\nclient-secret-command = \"echo hush\""
    )
    let real = try Command.shell("command -v curl").split(separator: "\n").first.map { "\($0)" }
    try stage.program.home.write(
      """
      #!/bin/sh
      { echo "$0 $*"; tr '\\0' ' ' < /proc/$PPID/cmdline; tr '\\0' '\\n' < /proc/$PPID/environ; } \
        >> '\(stage.program.home["seen"])'
      [ "$1" != -q ] || env >> '\(stage.program.home["environment"])'
      exec '\(try #require(real))' "$@"

      """,
      to: "bin/curl",
      mode: 0o755
    )
    let path = stage.program.home["bin"] + ":" + (Command.ownEnvironment["PATH"] ?? "")
    let login = try stage.accounts(
      "login",
      "test",
      variables: ["PATH": path, "SECRET_X": "visible"]
    )
    #expect(login.code == 0, "\(login)")
    let first = stage.grant
    try stage.age()
    #expect(try stage.accounts("token", "test", variables: ["PATH": path]).code == 0)
    let trace = try stage.mirror("-v", "--trace")
    #expect(trace.code == 0, "\(trace)")
    let seen = Files.text(stage.program.home["seen"]) ?? ""
    #expect(seen.contains("--config -"))
    let lines = (first + stage.grant).split(separator: "\n")
    let tokens = lines.filter { $0.contains("-token ") }
      .compactMap { $0.split(separator: " ").last.map { "\($0)" } }
    #expect(Set(tokens).count == 4)
    for secret in tokens + ["hush", "code_verifier"] {
      for text in [seen, login.errors, login.output, trace.errors, trace.output] {
        #expect(!text.contains(secret), "\(secret)")
      }
    }
    let environment = Files.text(stage.program.home["environment"]) ?? ""
    let names = Set(environment.split(separator: "\n").map { $0.prefix { $0 != "=" } })
    // The shell that stands in curl's place adds the others.
    #expect(
      names.isSubset(of: ["PATH", "SSL_CERT_FILE", "PWD", "_", "SHLVL", "OLDPWD"]),
      "\(names)"
    )
    #expect(names.contains("SSL_CERT_FILE"))
  }
}
