/// How to log in to a server.
package enum LoginWay: String, Hashable, Sendable {
  /// With a password, whatever mechanism the server has for it.
  case password
  /// With a token of an authorization server.
  case oauth
}

/// A server for reading or sending mail, as a source names it.
package struct FoundServer: Hashable, Sendable {
  /// What is spoken there.
  package enum Service: String, Hashable, Sendable {
    case imap
    case smtp
  }

  /// How the connection gets its TLS; there is none without.
  package enum Security: Hashable, Sendable {
    /// From the first octet.
    case implicit
    /// After STARTTLS.
    case startTLS
  }

  /// What is spoken there.
  package let service: Service
  /// The host: a name, or an IPv4 address of this machine where a program on it is the server.
  package let host: String
  /// The TCP port.
  package let port: UInt16
  /// How the connection gets its TLS.
  package let security: Security
  /// The name to log in with.
  package let user: String
  /// How to log in, the best first; never empty.
  package let ways: [LoginWay]

  /// The address as the configuration has it, with the port where it is not the usual one.
  package var address: String {
    let (scheme, usual): (String, UInt16) =
      switch (service, security) {
      case (.imap, .implicit): ("imaps", 993)
      case (.imap, .startTLS): ("imap", 143)
      case (.smtp, .implicit): ("submissions", 465)
      case (.smtp, .startTLS): ("submission", 587)
      }
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }
}

/// The authorization server that a source names.
package struct FoundIssuer: Hashable, Sendable {
  /// What it calls itself: an address that begins with `https://`.
  package let address: String
  /// The client id that any program may use there; nil where none is named.
  package let clientID: String?

  /// The host of the address.
  package var host: String {
    String(address.dropFirst("https://".count).prefix { $0 != "/" && $0 != ":" })
  }
}

/// The servers of an address, from one source.
package struct FoundSettings: Hashable, Sendable {
  /// Where they come from.
  package let source: DiscoverySource
  /// The provider, where it is one whose servers are known here.
  package let provider: KnownProvider?
  /// The server for reading.
  package let imap: FoundServer
  /// The server for sending; nil where the source names none.
  package let smtp: FoundServer?
  /// The authorization server; nil where the source names none.
  package let issuer: FoundIssuer?

  /// What may be tried where no source knows anything, if a person agrees: `imap.`, `smtp.` and `mail.` of the domain.
  ///
  /// - Parameters:
  ///   - address: the address.
  ///   - exists: whether a host has an address; asked for the likelier names first.
  /// - Returns: nil where none of the hosts for reading exists.
  package static func guess(
    for address: SoughtAddress,
    exists: (String) -> Bool
  ) -> FoundSettings? {
    func server(_ service: FoundServer.Service, _ port: UInt16) -> FoundServer? {
      let hosts = [service.rawValue, "mail"].compactMap {
        HostName("\($0).\(address.domain.text)".utf8)
      }
      return hosts.first { exists($0.text) }.map { host in
        FoundServer(
          service: service,
          host: host.text,
          port: port,
          security: .implicit,
          user: address.text,
          ways: [.password]
        )
      }
    }
    guard let imap = server(.imap, 993) else { return nil }
    return FoundSettings(
      source: .guess,
      provider: nil,
      imap: imap,
      smtp: server(.smtp, 465),
      issuer: nil
    )
  }

  /// Both servers.
  package var servers: [FoundServer] { [imap, smtp].compactMap { $0 } }

  /// Their hosts, each once.
  package var hosts: [String] {
    servers.reduce(into: []) { if !$0.contains($1.host) { $0.append($1.host) } }
  }
}

/// Who has agreed to log in to servers that were found.
package struct Acceptance: Hashable, Sendable {
  /// Whether all is agreed to that the address's own domain leads to.
  package let isGeneral: Bool
  /// Hosts that are agreed to by name.
  package let hosts: [String]

  /// An agreement that was given with the command.
  package init(isGeneral: Bool, hosts: [String]) {
    self.isGeneral = isGeneral
    self.hosts = hosts.map { $0.lowercased() }
  }

  /// The hosts that a person has to agree to still; none where no question is left.
  ///
  /// A general agreement is none for what rests on DNS alone: an answer can be forged on the way, and the secret would go to
  /// the forger.
  ///
  /// - Parameters:
  ///   - settings: what was found.
  ///   - usesIssuer: whether the person is to log in at the authorization server that was found.
  /// - Returns: the hosts, those of the servers first.
  package func missing(for settings: FoundSettings, usesIssuer: Bool) -> [String] {
    if isGeneral, settings.source.isKeyedByDomain { return [] }
    let issuer = usesIssuer ? settings.issuer.map { [$0.host] } ?? [] : []
    return (settings.hosts + issuer).filter { !hosts.contains($0) }
  }
}
