import Glibc
import TestSupport
import Testing

/// Tokens that are renewed: once, durably, and never twice at the same time.
@Suite struct OAuthRenewalTests {
  @Test func twentyProgramsRenewItOnce() throws {
    let stage = try OAuthStage.expired()
    let runs = try (0..<20).map { _ in
      try stage.program.command(["accounts", "token", "test"], stage.variables).start()
    }
    let outcomes = runs.map { $0.wait() }
    #expect(
      outcomes.allSatisfy { $0.code == 0 },
      "\(outcomes.first { $0.code != 0 }.map { "\($0)" } ?? "")"
    )
    #expect(Set(outcomes.map(\.output)).count == 1)
    #expect(stage.requests("refresh_token") == ["POST /token refresh_token 200"])
  }

  @Test func theNewRefreshTokenIsKept() throws {
    let stage = try OAuthStage.expired()
    let old = stage.value("refresh-token")
    #expect(try stage.mirror().code == 0)
    #expect(stage.value("refresh-token") != old)
    #expect(stage.requests("refresh_token").count == 1)
  }

  /// Servers refuse good refresh tokens for a while: the second refusal, minutes later, ends the login, and is the last.
  @Test func aLoginEndsWithTheSecondRefusal() throws {
    let stage = try OAuthStage.expired()
    try stage.revoke()
    for _ in 0..<2 {
      let outcome = try stage.accounts("token", "test")
      #expect(outcome.code == 75, "\(outcome)")
      #expect(outcome.errors.contains("it is asked again in a few minutes"), "\(outcome)")
      #expect(stage.requests("refresh_token").count == 1)
    }
    try stage.passMinutes()
    for _ in 0..<2 {
      let outcome = try stage.accounts("token", "test")
      #expect(outcome.code == 77, "\(outcome)")
      #expect(outcome.errors.contains("invalid_grant"), "\(outcome)")
      #expect(outcome.errors.contains("magnum accounts login test"), "\(outcome)")
    }
    let sync = try stage.mirror()
    #expect(sync.code == 77 && sync.errors.contains("magnum accounts login test"), "\(sync)")
    #expect(stage.requests("refresh_token").count == 2)
    let status = try stage.program.command(["status"], stage.variables).run()
    #expect(status.output.contains("magnum accounts login test"), "\(status)")
    try stage.logIn()
    #expect(try stage.mirror().code == 0)
  }

  /// What the server answers, and the exit status; the login is kept, and works when the server does again.
  @Test(
    arguments: [
      ("{\"token\": 503}", 75), ("{\"token\": 429}", 75), ("{\"token\": \"html\"}", 75),
      ("{\"token\": \"redirect\"}", 75), ("{\"token\": \"missing\"}", 78),
      ("{\"token\": \"huge\"}", 78),
    ] as [(String, Int32)]
  )
  func aServerThatDoesNotAnswer(switches: String, status: Int32) throws {
    let stage = try OAuthStage.expired()
    let grant = stage.grant
    try stage.authority.set(switches)
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == status && outcome.output.isEmpty, "\(outcome)")
    let lines = stage.grant.split(separator: "\n").filter { !$0.hasPrefix("paused-until ") }
    #expect(lines == grant.split(separator: "\n"))
    #expect(!stage.authority.requests.contains { $0.contains("elsewhere") })
    try stage.authority.set("{}")
    try stage.passMinutes()
    #expect(try stage.accounts("token", "test").code == 0)
  }

  @Test func withoutNetworkAndWithoutCurl() throws {
    let stage = try OAuthStage.expired()
    let proxy = try stage.accounts(
      "token",
      "test",
      variables: ["https_proxy": "http://127.0.0.1:9"]
    )
    #expect(proxy.code == 75, "\(proxy)")
    let untrusted = try stage.accounts("token", "test", variables: ["SSL_CERT_FILE": "/dev/null"])
    #expect(untrusted.code == 78, "\(untrusted)")
    let none = try stage.accounts("token", "test", variables: ["PATH": "/nonexistent"])
    #expect(none.code == 78 && none.errors.contains("curl is not in PATH"), "\(none)")
    #expect(try stage.accounts("token", "test").code == 0)
  }

  @Test func aTokenThatTheMailServerRefusesIsRenewedOnce() throws {
    let stage = try OAuthStage()
    try stage.logIn()
    try stage.authority.ask("/expire")
    let outcome = try stage.mirror()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.requests("refresh_token").count == 1)
    try stage.authority.ask("/expire")
    let second = try stage.mirror()
    #expect(second.code == 77, "\(second)")
    #expect(stage.requests("refresh_token").count == 1)
    // Programs that run since before the login know it by the file alone.
    let refused = stage.program.home[".local/state/magnum/accounts/test/refused"]
    #expect(Files.exists(refused))
    try stage.logIn()
    #expect(!Files.exists(refused))
    #expect(try stage.mirror().code == 0)
  }

  /// A mail server that refuses good tokens for a while bars no run that comes minutes later.
  @Test func aRefusedTokenIsNoPassword() throws {
    let stage = try OAuthStage()
    try stage.logIn()
    try stage.authority.ask("/expire")
    #expect(try stage.mirror().code == 0)
    try stage.authority.ask("/expire")
    let refused = try stage.mirror()
    #expect(refused.code == 77, "\(refused)")
    #expect(refused.errors.contains("the server refused the access token"), "\(refused)")
    #expect(refused.errors.contains("magnum accounts login test"), "\(refused)")
    #expect(try stage.mirror().code == 77)
    try stage.passMinutes()
    let outcome = try stage.mirror()
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func anotherHostGetsNoToken() throws {
    let stage = try OAuthStage()
    try stage.logIn()
    try stage.configure(imap: stage.server.clearURL)
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == 78 && outcome.errors.contains("127.0.0.1"), "\(outcome)")
    #expect(try stage.mirror().code == 78)
    let accepted = try stage.accounts("test", "--accept", "test")
    #expect(accepted.code == 0 && stage.value("host") == "127.0.0.1", "\(accepted)")
    #expect(try stage.mirror().code == 0)
    try stage.configure()
    #expect(try stage.accounts("token", "test").code == 78)
    #expect(try stage.accounts("test", "--accept", "test").code == 0)
    try stage.configure("issuer = \"\(stage.authority.issuer)\"\nclient-id = \"client\"")
    #expect(try stage.accounts("token", "test").code == 78)
    try stage.configure()
    #expect(try stage.accounts("token", "test").code == 0)
  }

  /// A kill at any point leaves a login that is whole.
  ///
  /// It works again, or the server has ended it for a token that was used twice, which is said with what to do. A server that
  /// takes a token twice ends none.
  @Test(arguments: [true, false]) func killedAnywhere(takesATokenOnce: Bool) throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"rotation\": \(takesATokenOnce)}")
    var ends: [Int32] = []
    // All fault points are played once, in the long tier until 200 runs were killed.
    repeat { try killEverywhere(stage, &ends) } while ends.count < (Turn.givenStride == 1 ? 200 : 8)
    #expect(Set(ends) == (takesATokenOnce ? [0, 75] : [0]), "\(ends)")
    print("\(ends.count) renewals killed, \(ends.count { $0 != 0 }) logins ended by the server")
  }

  private func killEverywhere(_ stage: OAuthStage, _ ends: inout [Int32]) throws {
    var point = 1
    var count = 0
    while point < 60 {
      if ends.last != 0 { try stage.logIn() }
      try stage.age()
      let killed = try stage.accounts("token", "test", variables: ["MAGNUM_FAULT": "\(point)"])
      guard killed.code != 0 else { break }
      #expect(killed.code == 137 && killed.output.isEmpty, "\(point): \(killed)")
      let next = try stage.accounts("token", "test")
      #expect([0, 75].contains(next.code), "\(point): \(next)")
      if next.code == 75 {
        #expect(next.errors.contains("magnum accounts login test"), "\(point): \(next)")
      }
      let leftovers = Files.names(in: stage.program.home[".local/state/magnum/accounts/test"])
        .map { String(decoding: $0, as: UTF8.self) }.filter { $0.contains(".tmp-") }
      #expect(leftovers.isEmpty, "\(point): \(leftovers)")
      ends.append(next.code)
      count += 1
      point += 1
    }
    try #require(count >= 8, "\(ends)")
  }

  /// A watch renews the token when it has ended, and fetches what comes.
  @Test func aWatchRenewsItsToken() throws {
    let stage = try OAuthStage.expired()
    let watch = try stage.program.command(["watch", "test"], stage.variables).start()
    defer {
      watch.signal(SIGINT)
      _ = watch.wait()
    }
    let imap = try RawIMAP(stage.server, user: stage.user)
    try imap.append(mail("first"))
    let maildir = stage.program.home["Mail/test"]
    #expect(Stopwatch.wait(upTo: 120) { MaildirTree(maildir).count == 1 }, "\(watch.errorsSoFar)")
    try imap.append(mail("second"))
    #expect(Stopwatch.wait(upTo: 120) { MaildirTree(maildir).count == 2 }, "\(watch.errorsSoFar)")
    #expect(stage.requests("refresh_token") == ["POST /token refresh_token 200"])
  }

  /// A watch that waits for a login uses it at once, not only when it looks again; also where the server has ended the one before.
  @Test(arguments: [false, true]) func aWatchUsesANewLoginAtOnce(hasEnded: Bool) throws {
    let stage = hasEnded ? try OAuthStage.expired() : try OAuthStage()
    if hasEnded { try stage.revoke() }
    let watch = try stage.program.command(["watch", "--json", "test"], stage.variables).start()
    defer {
      watch.signal(SIGINT)
      _ = watch.wait()
    }
    func count(_ event: String) -> Int {
      watch.outputSoFar.ranges(of: "\"event\":\"\(event)\"").count
    }
    #expect(Stopwatch.wait(upTo: 60) { count("waiting") > 0 }, "\(watch.outputSoFar)")
    try stage.logIn()
    #expect(Stopwatch.wait(upTo: 60) { count("listening") == 1 }, "\(watch.outputSoFar)")
    #expect(stage.requests("refresh_token").count == (hasEnded ? 1 : 0))
    // The end of a login is kept by the watch itself, which wakes it once.
    #expect(count("failed") <= 4, "\(watch.outputSoFar)")
  }

  /// Where new tokens could not be kept, the server is not asked for them, whatever change on disk is the first that fails.
  @Test(arguments: [false, true], 1...5)
  func aFullDiskLosesNoLogin(isKeptByCommands: Bool, change: Int) throws {
    let stage = try OAuthStage.expired()
    if isKeptByCommands {
      try stage.configure(stage.store)
      try stage.handOver()
    }
    let grant = stage.grant
    let outcome = try stage.accounts(
      "token",
      "test",
      variables: ["MAGNUM_FAULT_ERROR": "\(change)+:ENOSPC"]
    )
    #expect(outcome.code == 75 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("cannot be kept"), "\(outcome)")
    #expect(stage.requests("refresh_token").isEmpty && stage.grant == grant)
    #expect(try stage.accounts("token", "test").code == 0)
  }

  /// What is wrong with the answer, and the exit status; the new refresh token is kept all the same.
  @Test(
    arguments: [
      ("\"scope\": [\"a\"]", 0), ("\"expires_in\": 0", 0), ("\"token_type\": null", 78),
      ("\"access_token\": 7", 78),
    ] as [(String, Int32)]
  )
  func anOddAnswerLosesNoLogin(member: String, status: Int32) throws {
    let stage = try OAuthStage.expired()
    try stage.authority.set("{\"answer\": {\(member)}}")
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == status, "\(outcome)")
    try stage.authority.set("{}")
    let next = try stage.accounts("token", "test")
    #expect(next.code == 0, "\(next)")
  }
}
