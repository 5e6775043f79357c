/// A service whose servers a domain can name in DNS (RFC 6186, RFC 8314 §5.1).
package enum NamedService: String, Hashable, Sendable, CaseIterable {
  case imaps = "_imaps._tcp"
  case imap = "_imap._tcp"
  case submissions = "_submissions._tcp"
  case submission = "_submission._tcp"
}

/// What a domain's records for services come to.
enum ServiceRecords {
  /// The servers of an address; TLS from the first octet before STARTTLS, since RFC 8314 wants it so.
  ///
  /// - Returns: nil where no server for reading is named that can be used.
  static func settings(
    _ records: [NamedService: [DNSRecord]],
    of address: SoughtAddress
  ) -> FoundSettings? {
    func server(_ service: NamedService) -> FoundServer? {
      best(records[service] ?? []).map { service.server($0.host, $0.port, address) }
    }
    guard let imap = server(.imaps) ?? server(.imap) else { return nil }
    return FoundSettings(
      source: .serviceRecords,
      provider: nil,
      imap: imap,
      smtp: server(.submissions) ?? server(.submission),
      issuer: nil
    )
  }

  /// The best target that is a host; an empty one says that the service is not offered.
  private static func best(_ records: [DNSRecord]) -> (host: HostName, port: UInt16)? {
    var found: (host: HostName, port: UInt16, rank: (UInt16, UInt16))?
    for record in records {
      guard case .srv(let priority, let weight, let port, let target) = record, port > 0,
        let host = HostName(target)
      else { continue }
      let rank = (priority, UInt16.max - weight)
      if let found, found.rank <= rank { continue }
      found = (host, port, rank)
    }
    return found.map { ($0.host, $0.port) }
  }
}

extension NamedService {
  fileprivate func server(
    _ host: HostName,
    _ port: UInt16,
    _ address: SoughtAddress
  ) -> FoundServer {
    let (service, security): (FoundServer.Service, FoundServer.Security) =
      switch self {
      case .imaps: (.imap, .implicit)
      case .imap: (.imap, .startTLS)
      case .submissions: (.smtp, .implicit)
      case .submission: (.smtp, .startTLS)
      }
    return FoundServer(
      service: service,
      host: host.text,
      port: port,
      security: security,
      user: address.text,
      ways: [.password]
    )
  }
}
