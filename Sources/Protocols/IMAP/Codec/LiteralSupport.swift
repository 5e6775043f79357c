internal import Octets

/// How large a literal may be that is sent without waiting for leave (RFC 7888).
enum LiteralSupport: Hashable, Sendable {
  /// Every literal waits for the server's `+`.
  case synchronizing
  /// `LITERAL-`, also part of IMAP4rev2: up to 4096 octets need not wait.
  case upTo4096
  /// `LITERAL+`: none needs to wait.
  case unlimited

  init(_ capabilities: Capabilities) {
    self =
      if capabilities.contains("LITERAL+") {
        .unlimited
      } else if capabilities.contains("LITERAL-") || capabilities.contains("IMAP4REV2") {
        .upTo4096
      } else {
        .synchronizing
      }
  }

  /// Whether a literal of that many octets may follow at once.
  func permits(_ size: UInt64) -> Bool {
    switch self {
    case .synchronizing: false
    case .upTo4096: size <= 4096
    case .unlimited: true
    }
  }
}
