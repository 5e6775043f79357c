import TestSupport
import Testing

/// What the program is to an authorization server, and where that has its endpoints.
@Suite struct OAuthClientTests {
  @Test func theProgramRegistersItselfOnce() throws {
    let stage = try OAuthStage()
    try stage.configure("issuer = \"\(stage.authority.issuer)\"")
    try stage.logIn()
    let client = try #require(stage.value("client-id"))
    #expect(client.hasPrefix("registered-"))
    try stage.logIn()
    #expect(stage.value("client-id") == client)
    #expect(stage.authority.requests.count { $0.hasPrefix("POST /register") } == 1)
    try stage.authority.set("{\"registration\": false}")
    _ = try stage.accounts("logout", "test")
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 78 && outcome.errors.contains("client-id"), "\(outcome)")
  }

  /// A client that the server has forgotten is registered anew by the next login.
  @Test func aForgottenClientIsRegisteredAnew() throws {
    let stage = try OAuthStage()
    try stage.configure("issuer = \"\(stage.authority.issuer)\"")
    try stage.logIn()
    let client = stage.value("client-id")
    try stage.authority.ask("/forget")
    try stage.age()
    let outcome = try stage.accounts("token", "test")
    #expect(outcome.code == 77 && outcome.errors.contains("invalid_client"), "\(outcome)")
    #expect(outcome.errors.contains("hint: magnum accounts login test"), "\(outcome)")
    try stage.logIn()
    #expect(stage.value("client-id") != client)
    #expect(try stage.mirror().code == 0)
  }

  @Test func aClientWithASecretAndEndpoints() throws {
    let stage = try OAuthStage()
    let issuer = stage.authority.issuer
    try stage.configure(
      """
      authorization-endpoint = "\(issuer)/authorize"
      token-endpoint = "\(issuer)/token"
      client-id = "client"
      client-secret-command = "echo hush"
      """
    )
    try stage.logIn()
    #expect(!stage.grant.contains("hush"))
    #expect(!stage.authority.requests.contains { $0.contains("well-known") })
    let logout = try stage.accounts("logout", "test")
    #expect(logout.code == 0 && logout.errors.contains("no way to revoke"), "\(logout)")
  }

  @Test func aPageForPeopleIsNoMetadata() throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"metadata\": \"html-oauth\"}")
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 0, "\(outcome)")
    let hosts = "log in at localhost; tokens come from localhost"
    #expect(outcome.errors.contains(hosts), "\(outcome)")
  }
}
