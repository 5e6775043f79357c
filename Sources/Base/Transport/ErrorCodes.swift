internal import Glibc

extension TransportError {
  static let refused = ECONNREFUSED

  /// The machine has no address of the family.
  static let missingFamily: [Int32] = [EADDRNOTAVAIL, EAFNOSUPPORT]

  /// EADDRNOTAVAIL: the machine has no address of the family (IPv6 without network).
  static let unreachable: Set<Int32> = [
    ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT,
  ]

  /// The error numbers that only say that the peer is gone.
  static func isEnd(_ code: Int32) -> Bool {
    code == ECONNRESET || code == EPIPE || code == ENOTCONN
  }
}
