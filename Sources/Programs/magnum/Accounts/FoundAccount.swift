internal import AccountImport
internal import Configuration
internal import Discovery
internal import OAuth
internal import Platform

/// The servers of an address, from somewhere, and what they make of an account.
struct FoundAccount {
  /// A server, and what people have to know of it before they agree.
  struct Server {
    let service: FoundServer.Service
    let address: String
    let user: String
    /// Whether its host lies outside of the domain of the address.
    let isForeign: Bool
  }

  let address: String
  let options: AddOptions
  /// What was found; nil where the user named the servers.
  let settings: FoundSettings?

  /// The domain of the address as servers know it, where it is written in another way; nil where it is not.
  let asciiDomain: String?

  /// The domain of the address as a registry gave it out, or the whole one.
  let domain: String

  init(_ address: String, _ options: AddOptions, _ settings: FoundSettings?, domain: HostName?) {
    self.address = address
    self.options = options
    self.settings = settings
    let whole = domain?.text ?? address.split(separator: "@").last.map(String.init) ?? ""
    self.domain = DomainNames.registered(whole) ?? whole
    asciiDomain = domain.flatMap { address.lowercased().hasSuffix("@\($0.text)") ? nil : $0.text }
  }

  var servers: [Server] {
    guard let settings else {
      let given: [(FoundServer.Service, String?)] = [(.imap, options.imap), (.smtp, options.smtp)]
      return given.compactMap { service, text in
        text.map {
          Server(
            service: service,
            address: $0,
            user: options.user ?? address,
            isForeign: false
          )
        }
      }
    }
    return settings.servers.map { server in
      let isInside = HostName(server.host.utf8)?.isIn(domain) ?? false
      return Server(
        service: server.service,
        address: server.address,
        user: options.user ?? server.user,
        isForeign: settings.source != .provider && !isInside
      )
    }
  }

  /// Whether to log in at an authorization server: where an option says so, or there is no other way.
  var usesOAuth: Bool {
    guard let settings, options.secret == nil else { return options.isOAuth }
    return options.isOAuth || !settings.imap.ways.contains(.password)
  }

  /// The authorization server; nil where none is known.
  var authorizationServer: ImportedAccount.OAuth.Server? {
    switch settings?.provider {
    case .google: .provider(OAuthProvider.google.rawValue)
    case .outlook, .microsoft365: .provider(OAuthProvider.microsoft.rawValue)
    case .fastmail: .provider(OAuthProvider.fastmail.rawValue)
    case .yahoo: .provider(OAuthProvider.yahoo.rawValue)
    case .aol: .provider(OAuthProvider.aol.rawValue)
    case .icloud, .proton: nil
    case nil: settings?.issuer.map { Self.server(issuer: $0.address) }
    }
  }

  /// Providers that are known have endpoints of their own, whatever a file says of them.
  private static func server(issuer: String) -> ImportedAccount.OAuth.Server {
    switch issuer {
    case "https://accounts.google.com": .provider(OAuthProvider.google.rawValue)
    case "https://login.microsoftonline.com": .provider(OAuthProvider.microsoft.rawValue)
    default: .issuer(issuer)
    }
  }

  // MARK: - The account

  /// The first label of the domain, such as `example`.
  var suggestedName: String {
    let label = domain.split(separator: ".").first.map(String.init) ?? ""
    return label.isEmpty ? "mail" : label
  }

  /// The account as it is written.
  ///
  /// - Parameters:
  ///   - name: a name that no other account has.
  ///   - secret: where the password comes from.
  ///   - oauth: the login at an authorization server, in place of one.
  /// - Returns: the account.
  func account(
    _ name: String,
    _ secret: ImportedSecret,
    oauth: ImportedAccount.OAuth? = nil
  ) -> ImportedAccount {
    var account = ImportedAccount(name: name, origins: [])
    account.address = address
    account.maildir = options.maildir.map(Self.absolute) ?? "~/Mail/\(name)"
    account.oauth = oauth
    for server in servers {
      var access = ImportedAccount.Access()
      access.address = server.address
      access.user = server.user
      access.secret = secret
      access.fingerprint = options.fingerprint
      access.trustFile = options.trustFile.map(AddOptions.absolute)
      switch server.service {
      case .imap: account.imap = access
      case .smtp: account.smtp = access
      }
    }
    return account
  }

  /// The directory as the configuration takes it: absolute, or with `~` for the home directory.
  private static func absolute(_ directory: String) -> String {
    guard !directory.hasPrefix("/"), !directory.hasPrefix("~") else { return directory }
    guard let here = try? FileSystem.realPath(Path(".")) else { return directory }
    return String(decoding: here.appending(directory).octets, as: UTF8.self)
  }
}
