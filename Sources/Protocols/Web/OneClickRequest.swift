internal import Octets

/// The request by which a list is left with one click (RFC 8058): a stranger named the address, so it is checked before.
package struct OneClickRequest: Hashable, Sendable {
  /// Why an address is refused.
  package enum Refusal: Error, Hashable, Sendable {
    /// It is no address of the web that is used.
    case malformed(WebAddress.Problem)
    /// Its host is a number, not a name.
    case hostIsAddress
    /// Its host is a name without a dot, which means a machine nearby.
    case hostIsShort
    /// It names a port other than that of https.
    case port(UInt16)
    /// Its host has an address that is not of the public Internet.
    case notPublic(NetworkAddress, NetworkAddress.Kind)
  }

  /// What is allowed; only tests have other rules than ``strict``.
  package struct Rules: Sendable {
    let port: UInt16?
    let refused: @Sendable (NetworkAddress) -> NetworkAddress.Kind?

    package init(
      port: UInt16?,
      refused: @escaping @Sendable (NetworkAddress) -> NetworkAddress.Kind?
    ) {
      (self.port, self.refused) = (port, refused)
    }

    /// Port 443, and addresses of the public Internet.
    package static let strict = Rules(port: nil) { $0.refused }
  }

  package let address: WebAddress

  /// Reads an address, and checks all of it that needs no resolver.
  ///
  /// - Throws: why it is refused.
  package init(_ text: [UInt8], by rules: Rules = .strict) throws(Refusal) {
    let address: WebAddress
    do throws(WebAddress.Problem) {
      address = try WebAddress(text)
    } catch {
      throw .malformed(error)
    }
    let labels = address.host.split(separator: ASCII.dot)
    guard address.host.first != ASCII.openBracket, let last = labels.last, !Self.isNumber(last)
    else { throw .hostIsAddress }
    guard labels.count > 1 else { throw .hostIsShort }
    guard address.port == rules.port else { throw .port(address.port ?? 443) }
    self.address = address
  }

  /// The request to a host that has these addresses, to which it is bound: a name that means another one a moment later
  /// leads nowhere else.
  ///
  /// - Throws: that one of them is refused.
  package func bound(
    to addresses: [NetworkAddress],
    by rules: Rules = .strict
  ) throws(Refusal) -> WebRequest {
    for found in addresses {
      if let kind = rules.refused(found) { throw .notPublic(found, kind) }
    }
    return .oneClick(at: address, of: addresses)
  }

  /// The request where a proxy looks the name up: nothing is known of the addresses then, and they are those of its network.
  package var unbound: WebRequest { .oneClick(at: address, of: []) }

  /// What systems read as a number of an address, decimal or hexadecimal.
  private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
    label.allSatisfy(ASCII.isDigit)
      || label.starts(with: [UInt8](ascii: "0x"))
        && label.dropFirst(2).allSatisfy {
          Hex.nibble($0) != nil
        }
  }
}
