/// A provider whose servers are known without asking, and by what it is told.
package enum KnownProvider: String, Hashable, Sendable, CaseIterable {
  case google
  /// Personal accounts of Microsoft.
  case outlook
  /// Microsoft's service for organisations.
  case microsoft365 = "microsoft-365"
  case icloud
  case yahoo
  case aol
  case fastmail
  /// Proton, by its Bridge, a program that runs on this machine.
  case proton

  /// The provider of addresses in that domain; nil where it is none of them.
  package static func of(domain: HostName) -> KnownProvider? {
    if let provider = domains[domain.text] { return provider }
    let labels = domain.labels
    guard let first = labels.first, isCountry(labels.dropFirst()) else { return nil }
    switch first {
    case "outlook", "hotmail": return .outlook
    // Yahoo Japan is another company.
    case "yahoo": return domain.text == "yahoo.co.jp" ? nil : .yahoo
    default: return nil
    }
  }

  /// The provider whose server takes the mail of a domain; nil where it is none of them.
  package static func of(mailHost host: HostName) -> KnownProvider? {
    mailHosts.first { host.isIn($0.domain) }?.provider
  }

  /// Domains of very many addresses, for what is spelt almost like one of them.
  package static let popularDomains = [
    "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "icloud.com", "yahoo.com",
    "aol.com",
    "fastmail.com", "protonmail.com", "gmx.net", "gmx.de", "web.de",
  ]

  private static let domains: [String: KnownProvider] = [
    "gmail.com": .google, "googlemail.com": .google,
    "msn.com": .outlook, "live.com": .outlook, "live.co.uk": .outlook, "live.de": .outlook,
    "live.fr": .outlook, "live.nl": .outlook, "live.it": .outlook, "live.be": .outlook,
    "live.se": .outlook, "live.dk": .outlook, "live.no": .outlook, "live.ca": .outlook,
    "live.at": .outlook, "live.ie": .outlook, "live.jp": .outlook, "live.cn": .outlook,
    "live.com.au": .outlook, "live.com.mx": .outlook, "live.com.ar": .outlook,
    "live.com.pt": .outlook, "passport.com": .outlook, "windowslive.com": .outlook,
    "icloud.com": .icloud, "me.com": .icloud, "mac.com": .icloud,
    "ymail.com": .yahoo, "rocketmail.com": .yahoo, "myyahoo.com": .yahoo,
    "aol.com": .aol, "aim.com": .aol,
    "fastmail.com": .fastmail, "fastmail.fm": .fastmail,
    "proton.me": .proton, "protonmail.com": .proton, "protonmail.ch": .proton, "pm.me": .proton,
  ]

  private static let mailHosts: [(domain: String, provider: KnownProvider)] = [
    ("google.com", .google), ("googlemail.com", .google),
    ("olc.protection.outlook.com", .outlook), ("mail.protection.outlook.com", .microsoft365),
    ("mx.microsoft", .microsoft365),
    ("mail.icloud.com", .icloud), ("messagingengine.com", .fastmail),
    ("protonmail.ch", .proton),
  ]

  /// Whether a domain's end is that of a country, such as `de`, `co.uk` or `com.br`, or `com`.
  private static func isCountry(_ labels: ArraySlice<Substring>) -> Bool {
    guard let last = labels.last else { return false }
    let isPlain = labels.count == 1 && (last == "com" || last.utf8.count == 2)
    let isSecond =
      labels.count == 2 && last.utf8.count == 2 && (labels.first == "co" || labels.first == "com")
    return isPlain || isSecond
  }
}

extension KnownProvider {
  /// The servers of an address there.
  ///
  /// - Parameters:
  ///   - address: the address, which is the name to log in with, except for IMAP at iCloud.
  ///   - source: by what the provider was told.
  /// - Returns: both servers.
  package func settings(of address: SoughtAddress, source: DiscoverySource) -> FoundSettings {
    let (imap, smtp) = servers
    let user = address.text
    return FoundSettings(
      source: source,
      provider: self,
      imap: server(.imap, imap, user: self == .icloud ? address.localPart : user),
      smtp: server(.smtp, smtp, user: user),
      issuer: nil
    )
  }

  private typealias Place = (host: String, port: UInt16, security: FoundServer.Security)

  private var servers: (imap: Place, smtp: Place) {
    switch self {
    case .google: (("imap.gmail.com", 993, .implicit), ("smtp.gmail.com", 465, .implicit))
    case .outlook:
      (
        ("outlook.office365.com", 993, .implicit), ("smtp-mail.outlook.com", 587, .startTLS)
      )
    case .microsoft365:
      (("outlook.office365.com", 993, .implicit), ("smtp.office365.com", 587, .startTLS))
    case .icloud: (("imap.mail.me.com", 993, .implicit), ("smtp.mail.me.com", 587, .startTLS))
    case .yahoo:
      (("imap.mail.yahoo.com", 993, .implicit), ("smtp.mail.yahoo.com", 465, .implicit))
    case .aol: (("imap.aol.com", 993, .implicit), ("smtp.aol.com", 465, .implicit))
    case .fastmail: (("imap.fastmail.com", 993, .implicit), ("smtp.fastmail.com", 465, .implicit))
    case .proton: (("127.0.0.1", 1143, .startTLS), ("127.0.0.1", 1025, .startTLS))
    }
  }

  /// How to log in there, the simplest first.
  private var ways: [LoginWay] {
    switch self {
    case .google: [.password, .oauth]
    case .outlook, .microsoft365: [.oauth]
    case .icloud, .yahoo, .aol, .proton: [.password]
    case .fastmail: [.password, .oauth]
    }
  }

  private func server(
    _ service: FoundServer.Service,
    _ place: Place,
    user: String
  ) -> FoundServer {
    FoundServer(
      service: service,
      host: place.host,
      port: place.port,
      security: place.security,
      user: user,
      ways: ways
    )
  }
}
