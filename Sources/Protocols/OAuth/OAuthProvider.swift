internal import Octets
package import Web

/// A provider whose endpoints are known without asking it.
package enum OAuthProvider: String, CaseIterable, Hashable, Sendable {
  case google
  case microsoft
  case fastmail
  case yahoo
  case aol
  case yandex
  case mailru = "mail.ru"
  case seznam
  case comcast

  /// The endpoints; Google has no login on another device for mail.
  ///
  /// - Parameter tenant: the organisation, at Microsoft only; nil for `common`, users of any.
  /// - Returns: authorization and token endpoint at least.
  package func endpoints(tenant: [UInt8]? = nil) -> OAuthEndpoints {
    switch self {
    case .google:
      Self.endpoints(
        "https://accounts.google.com/o/oauth2/v2/auth",
        "https://oauth2.googleapis.com/token",
        revocation: "https://oauth2.googleapis.com/revoke",
        issuer: "https://accounts.google.com"
      )
    case .microsoft: Self.microsoft(tenant ?? [UInt8](ascii: "common"))
    case .fastmail:
      Self.endpoints(
        "https://api.fastmail.com/oauth/authorize",
        "https://api.fastmail.com/oauth/refresh"
      )
    case .yahoo:
      Self.endpoints(
        "https://api.login.yahoo.com/oauth2/request_auth",
        "https://api.login.yahoo.com/oauth2/get_token"
      )
    case .aol:
      Self.endpoints(
        "https://api.login.aol.com/oauth2/request_auth",
        "https://api.login.aol.com/oauth2/get_token"
      )
    case .yandex:
      Self.endpoints("https://oauth.yandex.com/authorize", "https://oauth.yandex.com/token")
    case .mailru: Self.endpoints("https://o2.mail.ru/login", "https://o2.mail.ru/token")
    case .seznam:
      Self.endpoints(
        "https://login.seznam.cz/api/v1/oauth/auth",
        "https://login.seznam.cz/api/v1/oauth/token"
      )
    case .comcast:
      Self.endpoints(
        "https://oauth.xfinity.com/oauth/authorize",
        "https://oauth.xfinity.com/oauth/token"
      )
    }
  }

  /// The scopes that reading and sending mail need, separated by spaces.
  package var scopes: [[UInt8]] {
    let text =
      switch self {
      case .google: "https://mail.google.com/"
      case .microsoft:
        "https://outlook.office.com/IMAP.AccessAsUser.All "
          + "https://outlook.office.com/SMTP.Send offline_access"
      case .fastmail:
        "https://www.fastmail.com/dev/protocol-imap https://www.fastmail.com/dev/protocol-smtp"
      case .yahoo, .aol: "mail-w"
      case .yandex: "mail:imap_full mail:smtp"
      case .mailru: "mail.imap"
      case .seznam: "identity email"
      case .comcast: "https://email.comcast.net/ profile openid"
      }
    return text.utf8.split(separator: ASCII.space).map { [UInt8]($0) }
  }

  /// The host of the address that the browser is sent back to, as the provider has it registered.
  package var redirectHost: RedirectHost {
    switch self {
    case .microsoft: .localhost
    case .google, .fastmail, .yahoo, .aol, .yandex, .mailru, .seznam, .comcast: .address
    }
  }

  /// What the request for a refresh token needs besides the usual.
  ///
  /// Microsoft gets no `prompt`: with `consent` it refuses users whom an administrator has given consent for.
  package var extraParameters: WebForm {
    var form = WebForm()
    if self == .google { form.add("access_type", [UInt8](ascii: "offline")) }
    return form
  }

  /// Whether the user is asked for consent again where no refresh token came: Google gives one with the consent only.
  package var asksConsentAgain: Bool {
    switch self {
    case .google: true
    case .microsoft, .fastmail, .yahoo, .aol, .yandex, .mailru, .seznam, .comcast: false
    }
  }

  private static func microsoft(_ tenant: [UInt8]) -> OAuthEndpoints {
    let base = [UInt8](ascii: "https://login.microsoftonline.com/") + tenant
    func address(_ name: StaticString) -> WebAddress? {
      try? WebAddress(base + [UInt8](ascii: "/oauth2/v2.0/") + [UInt8](ascii: name))
    }
    return OAuthEndpoints(
      authorization: address("authorize"),
      token: address("token"),
      device: address("devicecode")
    )
  }

  private static func endpoints(
    _ authorization: StaticString,
    _ token: StaticString,
    revocation: StaticString? = nil,
    issuer: StaticString? = nil
  ) -> OAuthEndpoints {
    OAuthEndpoints(
      issuer: issuer.map { [UInt8](ascii: $0) },
      authorization: try? WebAddress([UInt8](ascii: authorization)),
      token: try? WebAddress([UInt8](ascii: token)),
      revocation: revocation.flatMap { try? WebAddress([UInt8](ascii: $0)) }
    )
  }
}

/// The host in the address that the browser is sent back to; what listens is this machine either way.
package enum RedirectHost: Hashable, Sendable {
  /// `127.0.0.1` (RFC 8252 §7.3).
  case address
  case localhost
}

/// The addresses of an authorization server, as far as they are known.
package struct OAuthEndpoints: Hashable, Sendable {
  /// What it calls itself (RFC 8414); nil where that is not known.
  package var issuer: [UInt8]?
  /// Where people log in with a browser.
  package var authorization: WebAddress?
  /// Where tokens are got.
  package var token: WebAddress?
  /// Where a login on another device begins (RFC 8628).
  package var device: WebAddress?
  /// Where tokens are revoked (RFC 7009).
  package var revocation: WebAddress?
  /// Where programs are registered (RFC 7591).
  package var registration: WebAddress?
  /// Whether each answer to the browser names the issuer (RFC 9207).
  package var namesIssuer = false
  /// The scopes that the server offers and that mail needs; empty where it does not list them.
  package var mailScopes: [[UInt8]] = []

  package init(
    issuer: [UInt8]? = nil,
    authorization: WebAddress? = nil,
    token: WebAddress? = nil,
    device: WebAddress? = nil,
    revocation: WebAddress? = nil,
    registration: WebAddress? = nil
  ) {
    self.issuer = issuer
    self.authorization = authorization
    self.token = token
    self.device = device
    self.revocation = revocation
    self.registration = registration
  }
}
