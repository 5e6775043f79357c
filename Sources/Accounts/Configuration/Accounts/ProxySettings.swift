internal import Octets
package import Platform
package import Proxies

/// A proxy with the login there: `proxy` and the keys that belong to it.
package struct ProxySettings: Hashable, Sendable {
  package let address: ProxyAddress
  /// The name for the login; nil for none.
  package let user: String?
  /// What prints the password of the login.
  package let password: ChildProcess.Command?
}

/// How requests go to servers of the web.
package enum ProxyRule: Hashable, Sendable {
  /// As the environment says.
  case environment
  /// Directly.
  case none
  /// Through this.
  case through(ProxySettings)
}

/// What the keys say about a proxy, while they are read.
struct ProxyDraft {
  enum Choice {
    case unset
    case none
    case through(ProxyAddress)
  }

  var choice = Choice.unset
  var user: String?
  var password: ChildProcess.Command?

  /// The proxy; nil where there is none.
  var settings: ProxySettings? {
    guard case .through(let address) = choice else { return nil }
    return ProxySettings(address: address, user: user, password: user == nil ? nil : password)
  }

  /// The proxy for connections to a host; this machine is never reached through one.
  func settings(for host: String?) -> ProxySettings? {
    guard let host, !ServerAddress.isLoopback(host) else { return nil }
    return settings
  }

  var rule: ProxyRule {
    switch choice {
    case .unset: .environment
    case .none: .none
    case .through: settings.map { .through($0) } ?? .none
    }
  }

  /// What is missing for the login; nil where nothing is.
  var missing: (key: String, remedy: String)? {
    guard case .through = choice, user != nil, password == nil else { return nil }
    return ("proxy-password-command", "it prints the password for proxy-user")
  }
}

extension ConfigurationKey {
  /// The keys of an account for a proxy.
  static let proxy: [ConfigurationKey] = [
    ConfigurationKey("proxy", in: .account, .string, group: .proxy) {
      value,
      draft throws(Mistake) in
      draft.proxy.choice = try value.proxy()
    },
    ConfigurationKey("proxy-user", in: .account, .string, group: .proxyUser) {
      value,
      draft throws(Mistake) in
      draft.proxy.user = try value.user()
    },
    ConfigurationKey("proxy-password-command", in: .account, .command, group: .proxyPassword) {
      value,
      draft throws(Mistake) in
      draft.proxy.password = try value.command()
    },
  ]
}

extension KeyValue {
  /// The value of `proxy`: a scheme, a host and perhaps a port; or `none`.
  func proxy() throws(Mistake) -> ProxyDraft.Choice {
    let text = try text()
    if text == "none" { return .none }
    let remedy = "write socks5h://HOST, http://HOST or none"
    guard let separator = text.firstPlace(of: "://") else {
      throw .badValue(
        "\"\(Printable.text(text.utf8, limit: 100))\" is no address of a proxy",
        remedy: remedy
      )
    }
    let scheme = String(text[..<separator.lowerBound])
    guard let kind = ProxyProtocol(rawValue: scheme) else {
      let shown = Printable.text(scheme.utf8, limit: 60)
      throw .badValue(
        "\"\(shown)://\" is not one of \"socks5h://\", \"http://\"",
        remedy: scheme.hasPrefix("socks5")
          ? "write socks5h://HOST: the proxy looks up the names" : remedy
      )
    }
    let rest = text[separator.upperBound...]
    guard !rest.contains("@") else {
      throw .badValue("an address holds no user", remedy: "set proxy-user = \"…\" beside it")
    }
    let (host, port) = try ServerAddress.hostAndPort(of: rest)
    return .through(ProxyAddress(kind, host: host, port: port ?? kind.port))
  }
}
