/// Why octets are no address that may go on the wire.
package enum AddressError: Error, Hashable, Sendable {
  /// Nothing stands before the `@`, or nothing at all.
  case noLocalPart

  /// Nothing stands behind the `@`.
  case noDomain

  /// An octet that is not allowed in its place; `offset` counts from 0.
  ///
  /// CR, LF, NUL and all other controls are allowed nowhere.
  case forbiddenOctet(UInt8, offset: Int)

  /// A quoted local part or an address literal does not end.
  case unbalanced

  /// Octets above 127 that are not UTF-8.
  case notUTF8

  /// Longer than `Address.lengthLimit`, in octets.
  case tooLong(limit: Int)
}
