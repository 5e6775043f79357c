import TestSupport
import Testing

/// Logins in a real browser: Chromium shows the page that asks for consent, sends its form, follows to the program, and asks
/// for what else browsers ask for.
///
/// Where there is no Chromium nothing is tested, and no other test needs it, so it is not installed with the others:
/// `Tests/need chromium && Tests/run --filter OAuthChromiumTests` runs this.
@Suite(.enabled(if: ManualTests.isInstalled("chromium"))) struct OAuthChromiumTests {
  private let stage: OAuthStage

  init() throws {
    stage = try OAuthStage()
    // The certificate of the tests is not in the browser's own list; as root it has no sandbox.
    try stage.browse(
      """
      exec timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$HOME/chromium" --ignore-certificate-errors --virtual-time-budget=30000 --dump-dom "$1" > "$HOME/page"
      """
    )
  }

  @Test func aPageAsksForConsent() throws {
    try stage.authority.set("{\"authorize\": \"page\"}")
    try RawIMAP(stage.server, user: stage.user).append(mail("hello"))
    try stage.logIn()
    #expect(
      stage.authority.requests.filter { $0.contains("/authorize") } == [
        "GET /authorize 200", "POST /authorize 302",
      ]
    )
    let page = { Files.text(stage.program.home["page"]) ?? "" }
    #expect(Stopwatch.wait(upTo: 60) { page().contains("Return to the terminal") }, "\(page())")
    let sync = try stage.mirror("-v")
    #expect(sync.code == 0, "\(sync)")
    #expect(MaildirTree(stage.program.home["Mail/test"]).count == 1)
  }

  /// What the program says of a refusal is what the browser shows, too.
  @Test func aRefusalIsShown() throws {
    try stage.authority.set("{\"authorize\": \"deny\"}")
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 77 && outcome.errors.contains("access_denied"), "\(outcome)")
    let page = { Files.text(stage.program.home["page"]) ?? "" }
    #expect(Stopwatch.wait(upTo: 60) { page().contains("Return to the terminal") }, "\(page())")
    #expect(stage.grant.isEmpty)
  }
}
