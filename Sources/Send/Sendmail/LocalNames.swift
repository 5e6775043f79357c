internal import Octets
internal import SMTP

/// Who is meant by names on this machine that no alias is there for.
package struct LocalNames: Sendable {
  /// The names that count; `nil` for all.
  private let names: Set<[UInt8]>?

  /// The address that they mean; `nil` for none.
  private let address: EnvelopeAddress?

  /// The names of the machine that say no more about an address than that it is here.
  private let hosts: [[UInt8]]

  /// No names.
  package init() {
    (names, address, hosts) = ([], nil, [])
  }

  /// All names, or only some, mean one address; none where it is `nil` or no address.
  ///
  /// An address at one of the hosts is such a name, unless the address that they mean is there, too.
  package init(_ names: [[UInt8]]?, mean address: [UInt8]?, at hosts: [[UInt8]] = []) {
    self.names = names.map { Set($0.map { $0.map(ASCII.lowercased) }) }
    self.address = address.flatMap { try? EnvelopeAddress($0) }
    let domain = self.address?.parts?.domain ?? []
    self.hosts = hosts.filter { !$0.equalsCaseless(domain) }
  }

  /// The name without a domain that an address is; `nil` for one that leads away from the machine.
  func name(in address: EnvelopeAddress) -> EnvelopeAddress? {
    guard let (name, domain) = address.parts else { return address }
    guard hosts.contains(where: { $0.equalsCaseless(domain) }) else { return nil }
    return try? EnvelopeAddress([UInt8](name))
  }

  /// Whether the name is one of those that are named.
  func isNamed(_ name: [UInt8]) -> Bool { names?.contains(name.map(ASCII.lowercased)) ?? false }

  func address(of name: EnvelopeAddress) -> EnvelopeAddress? {
    guard names?.contains(name.octets.map(ASCII.lowercased)) ?? true else { return nil }
    return address
  }
}

/// Which senders become the address of the account that sends.
package enum SenderRewriting: Hashable, Sendable {
  /// None.
  case never

  /// Those at names that only the machine knows: these hosts, `localhost`, and all without a dot; none of the own addresses.
  case local(hosts: [[UInt8]], own: [[UInt8]])

  /// All but these.
  case others([[UInt8]])

  /// Whether an address becomes the account's, which is the other one.
  func applies(to address: [UInt8], of account: [UInt8]) -> Bool {
    guard !address.equalsCaseless(account) else { return false }
    switch self {
    case .never: return false
    case .others(let own): return !own.contains { $0.equalsCaseless(address) }
    case .local(let hosts, let own):
      let domain = Self.domain(of: address)
      guard !domain.isEmpty, !domain.equalsCaseless(Self.domain(of: account)),
        !own.contains(where: { $0.equalsCaseless(address) })
      else { return false }
      return !domain.contains(ASCII.dot) && domain.first != ASCII.openBracket
        || domain.equalsCaseless("localhost.localdomain")
        || hosts.contains { $0.equalsCaseless(domain) }
    }
  }

  private static func domain(of address: [UInt8]) -> ArraySlice<UInt8> {
    address.lastIndex(of: ASCII.at).map { address[($0 + 1)...] } ?? []
  }
}
