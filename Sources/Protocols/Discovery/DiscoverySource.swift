/// Where settings come from, the stronger before the weaker.
///
/// What the domain itself says over https, and what is known of it by its name, comes before all that rests on DNS alone, which
/// a stranger in the network can forge.
package enum DiscoverySource: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The domain is one of a provider whose servers are known here.
  case provider
  /// A file of the domain whose digest stands in DNS (draft-ietf-mailmaint-pacc).
  case pacc
  /// A file at `autoconfig.` of the domain (draft-ietf-mailmaint-autoconfig).
  case autoconfig
  /// A file below `/.well-known/autoconfig` of the domain.
  case wellKnown
  /// Mozilla's database, by the domain.
  case database
  /// The domain's mail goes to a provider whose servers are known here.
  case mailProvider
  /// A file at `autoconfig.` of the domain that the mail goes to.
  case mailAutoconfig
  /// Mozilla's database, by the domain that the mail goes to.
  case mailDatabase
  /// A file whose address stands in DNS: a text `mailconf=` and an address at the domain.
  case namedFile
  /// Records in DNS (RFC 6186, 8314).
  case serviceRecords
  /// Names that many have, which nothing says that this domain has.
  case guess

  /// Whether the domain of the address alone leads there, by a name or over https: then no forged answer of DNS can change
  /// what is found.
  package var isKeyedByDomain: Bool {
    switch self {
    case .provider, .pacc, .autoconfig, .wellKnown, .database: true
    case .mailProvider, .mailAutoconfig, .mailDatabase, .namedFile, .serviceRecords, .guess: false
    }
  }

  /// The word for programs.
  package var word: String {
    switch self {
    case .provider: "provider"
    case .pacc: "pacc"
    case .autoconfig: "autoconfig"
    case .wellKnown: "well-known"
    case .database: "ispdb"
    case .mailProvider: "mx-provider"
    case .mailAutoconfig: "mx-autoconfig"
    case .mailDatabase: "mx-ispdb"
    case .namedFile: "txt"
    case .serviceRecords: "srv"
    case .guess: "guess"
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Why a source that describes servers names none that can be used for reading.
package enum UnusableSource: Error, Hashable, Sendable {
  /// It is no description of servers.
  case notAFile
  /// The system has no expat (libexpat.so.1), which such descriptions are read with.
  case noExpat
  /// It names no server for IMAP.
  case noIMAP
  /// The server is reached without TLS only.
  case noTLS(host: String)
  /// The host is no name of a server on the Internet.
  case badHost(String)
  /// No way to log in is supported; those that the source names.
  case noLogin([String])
  /// Port or user name make no sense.
  case malformed
}
