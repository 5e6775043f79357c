internal import Octets
internal import SMTP

/// Who is meant by names on this machine that no alias is there for.
package struct LocalNames: Sendable {
  /// The names that count; `nil` for all.
  private let names: Set<[UInt8]>?

  /// The address that they mean; `nil` for none.
  private let address: SMTP.Address?

  /// No names.
  package init() {
    (names, address) = ([], nil)
  }

  /// All names, or only some, mean one address; none where it is `nil` or no address.
  package init(_ names: [[UInt8]]?, mean address: [UInt8]?) {
    self.names = names.map { Set($0.map { $0.map(ASCII.lowercased) }) }
    self.address = address.flatMap { try? SMTP.Address($0) }
  }

  /// Whether the name is one of those that are named.
  func isNamed(_ name: [UInt8]) -> Bool { names?.contains(name.map(ASCII.lowercased)) ?? false }

  func address(of name: SMTP.Address) -> SMTP.Address? {
    guard names?.contains(name.octets.map(ASCII.lowercased)) ?? true else { return nil }
    return address
  }
}
