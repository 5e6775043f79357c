import Configuration
import MailModel
import OAuth
import Octets
import Platform
import TestSupport
import Testing

/// What a right configuration means.
@Suite struct AccountTests {
  @Test(arguments: try Fixtures.load("Fixtures/accounts.txt"))
  func accounts(_ fixture: Fixture) throws {
    let home = try ConfigurationHome()
    try home.write(fixture.body)
    if let words = fixture["says"] {
      #expect(home.complaint() == words)
    } else {
      let lines = try home.load().accounts.flatMap { Self.lines($0, home: home) }
      #expect(lines == fixture.lines("accounts"))
    }
  }

  @Test func accountsAreFoundByName() throws {
    let home = try ConfigurationHome()
    try home.write("account.a.maildir = \"/a\"\naccount.\"\u{E9}\".maildir = \"/b\"\n")
    let configuration = try home.load()
    #expect(configuration.account(named: "a")?.maildir == Path("/a"))
    #expect(configuration.account(named: "\u{E9}")?.maildir == Path("/b"))
    #expect(configuration.account(named: "e\u{301}") == nil)
    #expect(configuration.account(named: "b") == nil)
  }

  @Test(arguments: [
    ("imaps://localhost", "", EarlyLoginRule.afterCleanRuns),
    ("imaps://localhost", "early-login = true", .asked),
    ("imaps://localhost", "early-login = false", .never),
    ("imap+plain://127.0.0.1", "", .never),
    ("imap+plain://127.0.0.1", "early-login = true", .asked),
    ("imap://localhost", "", .never),
  ])
  func earlyLogin(url: String, setting: String, rule: EarlyLoginRule) throws {
    let home = try ConfigurationHome()
    try home.write(
      "[account.a]\nmaildir = \"/a\"\nuser = \"me\"\npassword-command = \"pass\"\n"
        + "imap = \"\(url)\"\n\(setting)\n"
    )
    #expect(try home.load().account(named: "a")?.earlyLogin == rule)
  }

  private static func lines(_ account: Account, home: ConfigurationHome) -> [String] {
    let lines = [
      "\(text(account.maildir, home)) \(account.layout.rawValue)",
      account.address.map { "address \($0)" },
      account.server.map { "\(text($0)) as \(account.user)" },
      text(account.secret, home),
      account.trustFile.map { "trusts \(text($0, home))" },
      account.fingerprint.map { "pinned \(String(decoding: Hex.encode($0), as: UTF8.self))" },
      account.clientCertificate.map { "shows \(text($0, home))" },
      account.roles.isEmpty ? nil : text(account.roles),
      account.server == nil ? nil : text(account.sync),
    ]
    return lines.compactMap { $0 }.map { "\(account.name): \($0)" }
  }

  private static func text(_ path: Path, _ home: ConfigurationHome) -> String {
    path.display.replacing(home.directory.path, with: "~")
  }

  private static func text(_ certificate: ClientCertificate, _ home: ConfigurationHome) -> String {
    "\(text(certificate.certificate, home)) with \(text(certificate.keyFile, home))"
      + (certificate.passphrase == nil ? "" : " and a passphrase")
  }

  private static func text(_ server: Server) -> String {
    switch server {
    case .imaps(let host, let port): "imaps \(host) \(port)"
    case .startTLS(let host, let port): "imap \(host) \(port)"
    case .plain(let host, let port): "imap+plain \(host) \(port)"
    case .command(let words): "command \(words.joined(separator: "|"))"
    }
  }

  private static func text(_ secret: SecretSource, _ home: ConfigurationHome) -> String? {
    guard let key = secret.key else { return nil }
    switch secret {
    case .passwordCommand(let command), .tokenCommand(let command):
      return "\(key) \(text(command))"
    case .passwordFile(let path, _): return "\(key) \(text(path, home))"
    case .withheld(let error): return "\(key) \(error.message)"
    case .inline(let octets): return "\(key) \(String(decoding: octets, as: UTF8.self))"
    case .credential(let name): return "\(key) \(name)"
    case .oauth(let settings): return text(settings)
    case .accessToken, .none: return nil
    }
  }

  private static func text(_ settings: OAuthSettings) -> String {
    func text(_ octets: [UInt8]?) -> String {
      octets.map { String(decoding: $0, as: UTF8.self) } ?? "-"
    }
    let hosts = settings.binding.hosts.map(text).joined(separator: " ")
    let scopes = (settings.scopes ?? []).map(text).joined(separator: " ")
    let secret = settings.clientSecret.map { " secret \(Self.text($0))" } ?? ""
    let server = text(settings.binding.server).replacing("\n", with: "|")
    return "oauth \(server) for \(hosts) client \(text(settings.clientID))"
      + "\(secret) hint \(text(settings.loginHint)) scopes [\(scopes)]"
      + (settings.machine?.key.map {
        " signs by \($0.file.display.split(separator: "/").last ?? "")"
      } ?? "")
  }

  private static func text(_ command: ChildProcess.Command) -> String {
    switch command {
    case .arguments(let words): words.joined(separator: "|")
    case .shell(let line): "sh: \(line)"
    }
  }

  private static func text(_ roles: [MailboxRole: [UInt8]]) -> String {
    MailboxRole.allCases.compactMap { role in
      roles[role].map { "\(role.rawValue) is \(String(decoding: $0, as: UTF8.self))" }
    }.joined(separator: ", ")
  }

  private static func text(_ sync: SyncSettings) -> String {
    let window =
      switch sync.window {
      case .all: "all"
      case .days(let days): "\(days)d"
      }
    return "\(sync.direction.rawValue) \(text(sync.include)) but \(text(sync.exclude)) \(window) "
      + "\(sync.connections)" + (sync.dailyLimit.map { " \($0) a day" } ?? "")
      + (sync.sizeLimit.map { " whole to \($0)" } ?? "")
      + (sync.cacheLimit == 500_000_000 ? "" : " keeps \(sync.cacheLimit)")
      + (sync.allMail ? " all-mail" : "")
      + (sync.namespace.map { " \($0.rawValue)" } ?? "") + text(sync.folders)
      + text(sync.mailboxes)
  }

  private static func text(_ patterns: OrderedPatterns) -> String {
    patterns.entries.map {
      ($0.admits ? "" : "!") + String(decoding: $0.pattern.octets, as: UTF8.self)
    }.joined(separator: "|")
  }

  private static func text(_ mailboxes: [MailboxSettings]) -> String {
    mailboxes.map { mailbox in
      let words = [
        mailbox.direction?.rawValue, mailbox.localDeletion?.rawValue,
        mailbox.remoteDeletion?.rawValue, mailbox.expunge?.rawValue, mailbox.create?.rawValue,
        mailbox.remove?.rawValue,
      ]
      let pattern = String(decoding: mailbox.pattern.octets, as: UTF8.self)
      return " [\(pattern): \(words.map { $0 ?? "-" }.joined(separator: " "))]"
    }.joined()
  }

  private static func text(_ folders: [[UInt8]: [UInt8]]) -> String {
    guard !folders.isEmpty else { return "" }
    return " "
      + folders.map { mailbox, folder in
        "\(String(decoding: mailbox, as: UTF8.self)) as \(String(decoding: folder, as: UTF8.self))"
      }.sorted().joined(separator: ", ")
  }

  private static func text(_ patterns: [MailboxPattern]) -> String {
    patterns.map { String(decoding: $0.octets, as: UTF8.self) }.joined(separator: "|")
  }
}
