internal import Octets

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
