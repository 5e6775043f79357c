internal import OAuth
internal import Octets
internal import Web

extension ConfigurationKey {
  /// The keys of `[account.NAME.oauth]`.
  static let oauth: [ConfigurationKey] =
    authorizationServer + endpoints + client + machine
    + store

  private static let authorizationServer: [ConfigurationKey] = [
    login("provider", .string, group: .authorizationServer) { value, oauth throws(Mistake) in
      oauth.provider = try value.choice(OAuthProvider.self)
    },
    login("tenant", .string) { value, oauth throws(Mistake) in
      oauth.tenant = try value.tenant()
    },
    login("issuer", .string, group: .authorizationServer) { value, oauth throws(Mistake) in
      oauth.issuer = (try value.webAddress(), Array(try value.text().utf8))
    },
  ]

  private static let endpoints: [ConfigurationKey] = [
    endpoint("authorization-endpoint") { $1.authorization = $0 },
    endpoint("token-endpoint") { $1.token = $0 },
    endpoint("device-endpoint") { $1.device = $0 },
    endpoint("revocation-endpoint") { $1.revocation = $0 },
  ]

  private static let client: [ConfigurationKey] = [
    login("client-id", .string) { value, oauth throws(Mistake) in
      oauth.clientID = Array(try value.text().utf8)
    },
    login("client-secret-command", .command) { value, oauth throws(Mistake) in
      oauth.clientSecret = try value.command()
    },
    login("scopes", .strings) { value, oauth throws(Mistake) in
      oauth.scopes = try value.scopes()
    },
    login("login-hint", .string) { value, oauth throws(Mistake) in
      oauth.loginHint = Array(try value.text().utf8)
    },
  ]

  private static let machine: [ConfigurationKey] = [
    login("grant", .string) { value, oauth throws(Mistake) in
      oauth.machine.grant = try value.choice(MachineDraft.Kind.self)
    },
    login("client-key-file", .string) { value, oauth throws(Mistake) in
      oauth.machine.keyFile = try value.path()
    },
    login("client-key-id", .string) { value, oauth throws(Mistake) in
      oauth.machine.keyID = Array(try value.text().utf8)
    },
    login("client-certificate-file", .string) { value, oauth throws(Mistake) in
      oauth.machine.certificate = try value.path()
    },
    login("subject", .string) { value, oauth throws(Mistake) in
      oauth.machine.subject = Array(try value.text().utf8)
    },
  ]

  private static let store: [ConfigurationKey] = [
    login("read", .command, in: .store) { value, oauth throws(Mistake) in
      oauth.read = try value.command()
    },
    login("write", .command, in: .store) { value, oauth throws(Mistake) in
      oauth.write = try value.command()
    },
  ]

  private static func endpoint(
    _ name: String,
    put: @escaping @Sendable (WebAddress, inout OAuthEndpoints) -> Void
  ) -> ConfigurationKey {
    login(name, .string) { value, oauth throws(Mistake) in
      put(try value.webAddress(), &oauth.endpoints)
    }
  }

  private static func login(
    _ name: String,
    _ kind: KeyKind,
    in section: KeySection = .oauth,
    group: KeyGroup? = nil,
    read: @escaping @Sendable (KeyValue, inout OAuthDraft) throws(Mistake) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: section, kind, group: group, needsServer: true) {
      value,
      draft throws(Mistake) in
      var oauth = draft.oauth ?? OAuthDraft()
      try read(value, &oauth)
      draft.oauth = oauth
    }
  }

  /// Whether the key says which authorization server it is.
  var isAuthorizationServer: Bool { group == .authorizationServer || isEndpoint }

  /// Whether the key names an endpoint, which provider and issuer do for themselves.
  var isEndpoint: Bool { section == .oauth && name.hasSuffix("-endpoint") }
}

extension KeyValue {
  /// An address that secrets can be sent to.
  func webAddress() throws(Mistake) -> WebAddress {
    let text = try text()
    do {
      return try WebAddress(text.utf8)
    } catch {
      let shown = Printable.text(text.utf8, limit: 100)
      throw .badValue("\"\(shown)\" \(Self.words(error))", remedy: "write https://HOST/PATH")
    }
  }

  private static func words(_ problem: WebAddress.Problem) -> String {
    switch problem {
    case .notHTTPS: "does not begin with https://"
    case .hasUser: "holds a user name"
    case .badHost: "has no proper host and port"
    case .hasFragment: "holds a #"
    case .badOctet: "holds a character that no address may hold"
    case .tooLong: "is too long"
    }
  }

  /// The value of `tenant`: a word, a domain or an identifier.
  func tenant() throws(Mistake) -> [UInt8] {
    let tenant = Array(try text().utf8)
    guard tenant.first != ASCII.dot,
      tenant.allSatisfy({ KeyName.isBare($0) || $0 == ASCII.dot })
    else {
      throw .badValue(
        "\"\(Printable.text(tenant, limit: 60))\" is no tenant",
        remedy: "write common, organizations, consumers, a domain, or the identifier of the tenant"
      )
    }
    return tenant
  }

  /// The value of `scopes`.
  func scopes() throws(Mistake) -> [[UInt8]] {
    let scopes = try strings().map { Array($0.utf8) }
    for scope in scopes where !Scopes.isScope(scope) {
      throw .badValue("\"\(Printable.text(scope, limit: 60))\" is no scope")
    }
    return scopes
  }
}
