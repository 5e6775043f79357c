internal import Octets

/// The hash function of a SCRAM mechanism.
package enum ScramHash: Hashable, Sendable {
  /// SHA-1 (RFC 5802).
  case sha1
  /// SHA-256 (RFC 7677).
  case sha256

  var name: [UInt8] {
    switch self {
    case .sha1: [UInt8](ascii: "SCRAM-SHA-1")
    case .sha256: [UInt8](ascii: "SCRAM-SHA-256")
    }
  }

  func functions(_ cryptography: Cryptography) -> HashFunctions {
    switch self {
    case .sha1: cryptography.sha1
    case .sha256: cryptography.sha256
    }
  }
}
