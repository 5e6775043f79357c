import TestSupport
import Testing

/// What is said about servers and secrets names what is wrong, where, and what to do.
@Suite struct MessageTests {
  /// What is configured, with what comes of it; PORT is a port on which nothing listens.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var url = "imaps://localhost:PORT"
    var lines = "password = \"x\""
    var code: Int32 = 75
    let words: [String]

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "nothing listens",
      words: ["cannot connect to localhost port PORT", "hint: nothing listens there: check host"]
    ),
    Case(
      name: "no such command",
      lines: "password-command = [\"no-such-program\"]",
      code: 78,
      words: ["password-command: \"no-such-program\" is not in PATH (", "hint: cron and systemd"]
    ),
    Case(
      name: "no such file",
      lines: "password-file = \"~/missing\"",
      code: 78,
      words: ["password-file: ", "missing: No such file", "hint: its first line is to be"]
    ),
  ]

  @Test(arguments: cases)
  func whatIsWrongIsNamed(_ example: Case) throws {
    let stage = try Stage()
    let port = "\(try Loopback.freePort())"
    let url = example.lines.hasPrefix("password =") ? example.url : stage.server.clearURL
    try stage.configure(url: url.replacing("PORT", with: port), secret: example.lines)
    try expect(example.code, example.words.map { $0.replacing("PORT", with: port) }, stage)
  }

  @Test func aMissingFileOfAuthoritiesIsAMistake() throws {
    let stage = try Stage()
    let account = "tls-ca-file = \"/no/such/ca.pem\""
    let text = Files.text(stage.program.home[".config/magnum/config.toml"]) ?? ""
    let lines = text.split(separator: "\n").map { $0.hasPrefix("tls-ca") ? account : String($0) }
    try stage.program.configure(lines.joined(separator: "\n"))
    try expect(78, ["tls-ca-file /no/such/ca.pem: No such file", "hint: correct it"], stage)
  }

  @Test func aServerOfAnotherProtocolSaysWhatItSays() throws {
    let stage = try Stage()
    let web = try ScriptedServer(greeting: [.send("HTTP/1.1 400 Bad Request\r\n")]) { _ in [] }
    try stage.configure(url: web.clearURL)
    try expect(
      69,
      ["this is not an IMAP server; its greeting: HTTP/1.1 400", "hint: check host"],
      stage
    )
  }

  @Test(.enabled(if: Exim.isInstalled)) func anExpiredCertificateSaysSinceWhen() throws {
    let peer = try Exim(isExpired: true)
    let stage = try Stage()
    try stage.configure(url: "imaps://localhost:\(peer.tlsPort)")
    let path = stage.program.home[".config/magnum/config.toml"]
    let text = (Files.text(path) ?? "").replacing(stage.server.trustFile, with: peer.trustFile)
    try stage.program.configure(text)
    try expect(69, ["is not trusted: it expired on 20", "operator has to renew it"], stage)
  }

  private func expect(_ code: Int32, _ words: [String], _ stage: Stage) throws {
    let outcome = try stage.sync()
    #expect(outcome.code == code, "\(outcome)")
    for word in words { #expect(outcome.errors.contains(word), "\(word): \(outcome)") }
  }
}
