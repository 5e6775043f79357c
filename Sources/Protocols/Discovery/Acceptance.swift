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
