internal import AccountImport
internal import MailModel
internal import Configuration
internal import Discovery
internal import Octets
internal import Platform
internal import Terminal

/// What `magnum accounts add` shows of the servers of an address, and of what it has written.
struct AddReport {
  let found: FoundAccount

  /// The servers, where they come from, and what is unusual about them.
  func tell(_ console: Console) {
    let domain = found.asciiDomain.map { " (\($0))" } ?? ""
    console.writeNote("servers of \(found.address)\(domain), \(origin):")
    for server in found.servers {
      var line = "  \(server.service.rawValue)  \(server.address)  log in as \(server.user)"
      if server.isForeign { line += "  (not in \(found.domain))" }
      console.writeNote(line)
    }
    if found.usesOAuth, let issuer = found.settings?.issuer {
      console.writeNote("  log in at \(issuer.address)")
    }
    if found.settings != nil, found.servers.count == 1 {
      console.writeNote("  no server for sending is known")
    }
    if let guide { console.writeNote(guide) }
  }

  private var origin: String {
    guard let settings = found.settings else { return "as given" }
    let provider = settings.provider?.title ?? ""
    switch settings.source {
    case .provider: return "built in for \(provider)"
    case .pacc: return "by a file of its domain (PACC)"
    case .autoconfig: return "by a file of its domain (autoconfig)"
    case .wellKnown: return "by a file of its domain (/.well-known/autoconfig)"
    case .database: return "by Mozilla's database"
    case .mailProvider: return "since its mail goes to \(provider) (MX, which can be forged)"
    case .mailAutoconfig:
      return "by a file of the domain that its mail goes to (MX, which can be forged)"
    case .mailDatabase:
      return "by Mozilla's database, for the domain that its mail goes to (MX, which can be forged)"
    case .namedFile: return "by a file that DNS names (TXT, which can be forged)"
    case .serviceRecords: return "by DNS (SRV, which can be forged)"
    case .guess: return "which are guessed"
    }
  }

  /// What the provider wants, before anything is asked.
  private var guide: String? {
    if found.usesOAuth {
      guard case .provider? = found.authorizationServer else { return nil }
      return "this takes a client id of your own: the steps are in magnum-oauth(7)"
    }
    return switch found.settings?.provider {
    case .google:
      "Google takes an app password: https://myaccount.google.com/apppasswords"
    case .icloud: "iCloud takes an app-specific password: https://account.apple.com"
    case .yahoo, .aol:
      "Yahoo and AOL take an app password, from the account's security settings"
    case .fastmail: "Fastmail takes an app password, from its settings"
    case .proton:
      "Proton Bridge has to run on this machine; it shows the password, which is not that of Proton"
    case .outlook, .microsoft365: "Microsoft takes no passwords, but OAuth: --oauth"
    case nil: nil
    }
  }

  /// The object for a program.
  func json(
    _ block: AccountBlock,
    _ addition: ConfigurationAddition,
    isWritten: Bool,
    sendingProblem: Explanation? = nil
  ) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", block.account.name)
    line.add("address", found.address)
    line.add("config", addition.path.display)
    line.add("written", isWritten)
    line.add("sendingProblem", ifPresent: sendingProblem?.what)
    line.add("source", found.settings?.source.word ?? "given")
    line.add("provider", ifPresent: found.settings?.provider?.rawValue)
    line.add("servers", found.servers.map(Self.line))
    line.add("block", block.text)
    return line
  }

  private static func line(_ server: FoundAccount.Server) -> JSONLine {
    var line = JSONLine()
    line.add("service", server.service.rawValue)
    line.add("server", server.address)
    line.add("user", server.user)
    line.add("foreign", server.isForeign)
    return line
  }
}

extension KnownProvider {
  /// The name that people know.
  fileprivate var title: String {
    switch self {
    case .google: "Google"
    case .outlook, .microsoft365: "Microsoft"
    case .icloud: "iCloud"
    case .yahoo: "Yahoo"
    case .aol: "AOL"
    case .fastmail: "Fastmail"
    case .proton: "Proton"
    }
  }
}
