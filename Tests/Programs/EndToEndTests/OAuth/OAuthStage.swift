import Glibc
import TestSupport
import Testing

/// An account that logs in at an authorization server of its own, a Dovecot that asks that server whose a token is, and a
/// script in place of a browser.
final class OAuthStage {
  let authority: Authority
  let server: Dovecot
  let user = Dovecot.freshUser()
  let program: ProgramUnderTest
  private let sync: ProgramUnderTest

  /// What the Dovecot asks that all of these share; it asks the server that gave the token.
  private static let dispatcher = Result { try Authority() }

  /// The file with the tokens.
  var grantFile: String { program.home[".local/state/magnum/accounts/test/oauth"] }

  /// What is kept, as text; empty where there is no login.
  var grant: String { Files.text(grantFile) ?? "" }

  /// Starts the servers, and configures an account at the issuer.
  ///
  /// - Throws: `HarnessError` when one does not start.
  init(login: String? = nil) throws {
    authority = try Authority()
    var options = DovecotOptions()
    options.introspection = try Self.dispatcher.get().introspection
    server = try Dovecot.shared(options)
    program = try ProgramUnderTest("magnum")
    sync = try ProgramUnderTest("magnum-sync")
    try configure(login)
    try browse("curl -sS --cacert \"$CA\" -L -o \"$HOME/page\" \"$1\"")
  }

  /// Writes the configuration anew.
  ///
  /// - Parameters:
  ///   - login: the lines of the section for OAuth; nil for the issuer and a public client.
  ///   - imap: the server; nil for this stage's.
  ///   - account: more lines of the account.
  ///   - person: who logs in; nil for the user.
  /// - Throws: `HarnessError` when it cannot be written.
  func configure(
    _ login: String? = nil,
    imap: String? = nil,
    account: String = "",
    person: String? = nil
  ) throws {
    let url = imap ?? server.tlsURL
    let isOfPerson = login?.contains("grant = ") != true
    let trust = url.hasPrefix("imap+plain") ? "" : "tls-ca-file = \"\(server.trustFile)\""
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(url)"
      user = "\(user)"
      \(trust)
      index = false
      \(account)
      [account.test.oauth]
      \(login ?? "issuer = \"\(authority.issuer)\"\nclient-id = \"public\"")
      \(isOfPerson ? "login-hint = \"\(person ?? user)\"" : "")

      """
    )
  }

  /// Has the browser do this with the address, which is `$1`; `$CA` is the certificate to trust.
  ///
  /// - Throws: `HarnessError` when it cannot be written.
  func browse(_ lines: String) throws {
    let script = "#!/bin/sh\nexec 2>> \"$HOME/browser\"\nCA='\(authority.trustFile)'\n\(lines)\n"
    try program.home.write(script, to: "browser.sh", mode: 0o755)
  }

  /// The environment in which the programs find the browser and trust the authorization server.
  var variables: [String: String] {
    ["BROWSER": program.home["browser.sh"], "SSL_CERT_FILE": authority.trustFile]
  }

  /// Runs `magnum accounts` with these words.
  func accounts(_ words: String..., variables more: [String: String] = [:]) throws -> Outcome {
    let all = variables.merging(more) { _, given in given }
    return try program.command(["accounts"] + words, all).run()
  }

  /// Runs magnum-sync in the same home.
  func mirror(_ words: String...) throws -> Outcome {
    let all = variables.merging(["HOME": program.home.path]) { _, given in given }
    return try sync.command(words, all).run()
  }

  /// Hands a message of that subject to magnum-send in the same home.
  func send(_ subject: String) throws -> Outcome {
    var command = try ProgramUnderTest("magnum-send").command(["you@x.test"], variables)
    command.environment["HOME"] = program.home.path
    command.input = Array("Subject: \(subject)\n\ntext\n".utf8)
    return try command.run()
  }

  /// Has the authorization server end the login.
  func revoke() throws {
    try Command.shell(
      "curl -sS --cacert \"$1\" -d token=\"$2\" \"$3/revoke\"",
      [authority.trustFile, value("refresh-token") ?? "", authority.issuer]
    )
  }

  /// Logs in, and expects that all is well.
  func logIn(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try accounts("login", "test")
    try #require(
      outcome.code == 0,
      "\(outcome) \(Files.text(program.home["browser"]) ?? "")",
      sourceLocation: sourceLocation
    )
  }

  /// A stage whose access token has ended.
  ///
  /// - Throws: `HarnessError` when a server does not start.
  static func expired() throws -> OAuthStage {
    let stage = try OAuthStage()
    try stage.logIn()
    try stage.age()
    return stage
  }

  /// The section for OAuth with commands that keep the login: reading writes a line to the file `reads`, and waits while the file
  /// `slow` is there; writing fails while `broken` is.
  var store: String {
    """
    issuer = "\(authority.issuer)"
    client-id = "public"
    store.read = "cd; echo >> reads; [ ! -e slow ] || { : > waits; sleep 60; }; cat $MAGNUM_ACCOUNT"
    store.write = "cd; [ ! -e broken ] && cat > $MAGNUM_ACCOUNT"
    """
  }

  /// Has the login that is in the file be with the commands, as these would have it.
  ///
  /// - Throws: `HarnessError` when a file cannot be written.
  func handOver() throws {
    let time = value("logged-in") ?? ""
    try program.home.write(grant, to: "test")
    try Files.write("magnum-oauth 1 store \(time)\n", to: grantFile, mode: 0o600)
  }

  /// Has two hours pass for the access token that is kept.
  ///
  /// - Throws: `HarnessError` when the file cannot be written.
  func age() throws { try move(["issued", "expires"], back: 7200) }

  /// Has five minutes pass for what was refused.
  ///
  /// - Throws: `HarnessError` when a file cannot be written.
  func passMinutes() throws {
    try move(["paused-until", "renewed-after-refusal", "time"], back: 300)
    let refused = program.home[".local/state/magnum/accounts/test/refused"]
    guard let words = Files.text(refused)?.split(separator: " "), let time = Int(words[0]) else {
      return
    }
    try Files.write("\(time - 300) \(words[1])", to: refused, mode: 0o600)
  }

  func move(_ names: [String], back seconds: Int) throws {
    let lines = grant.split(separator: "\n").map { line -> String in
      let words = line.split(separator: " ")
      guard names.contains(String(words[0])), let time = Int(words[1]) else { return String(line) }
      return "\(words[0]) \(time - seconds)"
    }
    try Files.write(lines.joined(separator: "\n") + "\n", to: grantFile, mode: 0o600)
  }

  /// The token requests of this kind.
  func requests(_ kind: String) -> [String] {
    authority.requests.filter { $0.hasPrefix("POST /token \(kind) ") }
  }

  /// The value of a line of the grant.
  func value(_ name: String) -> String? {
    grant.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      .map { String($0.dropFirst(name.utf8.count + 1)) }
  }
}
