internal import Octets
package import Web

/// A question to another party in the search for servers.
package struct DiscoveryQuestion: Hashable, Sendable {
  /// What is asked for.
  package enum Matter: Hashable, Sendable {
    case document(WebAddress)
    /// The records of a name, of one type.
    case records(name: String, DNSRecordType)
  }

  /// The strongest source that the answer may be for.
  package let source: DiscoverySource
  /// What is asked for.
  package let matter: Matter
}

/// What came of a question.
package enum DiscoveryAnswer: Hashable, Sendable {
  /// A document, or a record of what the server said in its place: any status but 200 is none.
  case document(status: Int, [UInt8])
  /// The records; none where there are none.
  case records([DNSRecord])
  /// There is no server of that name, or there is no way to find it.
  case noServer
  /// It could not be asked: the network, or the server behind it, is in the way.
  case unreachable
}

extension DiscoveryQuestion {
  /// Where Mozilla's database is asked.
  private static let database = "https://autoconfig.thunderbird.net/v1.1/"

  /// What is asked at once about an address.
  ///
  /// Servers of its domain get the address, Mozilla's database the domain alone.
  static func first(_ address: SoughtAddress) -> [DiscoveryQuestion] {
    let domain = address.domain.text
    var form = WebForm()
    form.add("emailaddress", [UInt8](address.text.utf8))
    return [
      document(.pacc, "https://ua-auto-config.\(domain)/.well-known/user-agent-configuration.json"),
      records(.pacc, "_ua-auto-config.\(domain)", .txt),
      document(.autoconfig, "https://autoconfig.\(domain)/mail/config-v1.1.xml", form),
      document(.wellKnown, "https://\(domain)/.well-known/autoconfig/mail/config-v1.1.xml", form),
      document(.database, database + domain),
      records(.mailProvider, domain, .mx),
      records(.namedFile, domain, .txt),
    ].compactMap { $0 }
      + NamedService.allCases.map {
        DiscoveryQuestion(
          source: .serviceRecords,
          matter: .records(name: "\($0.rawValue).\(domain)", .srv)
        )
      }
  }

  /// What is asked about the domain that the mail of an address goes to, of which servers get nothing but the question.
  static func second(mailDomain domain: String) -> [DiscoveryQuestion] {
    [
      document(.mailAutoconfig, "https://autoconfig.\(domain)/mail/config-v1.1.xml"),
      document(.mailDatabase, database + domain),
    ].compactMap { $0 }
  }

  /// What is asked where a text of the domain names a file; it gets nothing but the question, and lies at a host that others
  /// can have too.
  static func named(in text: [UInt8]) -> DiscoveryQuestion? {
    let mark = [UInt8](ascii: "mailconf=")
    guard text.starts(with: mark), let address = try? WebAddress(text.dropFirst(mark.count)),
      HostName(address.host) != nil, address.port == nil, address.query == nil
    else { return nil }
    return DiscoveryQuestion(source: .namedFile, matter: .document(address))
  }

  private static func document(
    _ source: DiscoverySource,
    _ address: String,
    _ form: WebForm = WebForm()
  ) -> DiscoveryQuestion? {
    guard let address = try? WebAddress(address.utf8) else { return nil }
    return DiscoveryQuestion(source: source, matter: .document(address.adding(form)))
  }

  private static func records(
    _ source: DiscoverySource,
    _ name: String,
    _ type: DNSRecordType
  ) -> DiscoveryQuestion {
    DiscoveryQuestion(source: source, matter: .records(name: name, type))
  }
}
