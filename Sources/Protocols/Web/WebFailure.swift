internal import Octets

/// Why there was no answer to a request.
package enum WebFailure: Error, Hashable, Sendable {
  /// curl(1) is in no directory of PATH.
  case noCurl
  /// curl cannot be started; the system's reason.
  case notStarted(String)
  /// The name of the server cannot be resolved.
  case unresolved
  /// The server cannot be reached; curl's words.
  case unreachable([UInt8])
  /// Nothing secure can be agreed upon; curl's words.
  case insecure([UInt8])
  /// The certificate of the server is not trusted; curl's words.
  case untrusted([UInt8])
  /// It took longer than it was given.
  case timedOut
  /// The answer is longer than that many octets.
  case tooLong(limit: Int)
  /// The program was asked to end.
  case interrupted
  /// curl ended with this status; its words.
  case other(status: Int32, [UInt8])

  /// What an exit status of curl stands for (curl(1), "EXIT CODES").
  package init(curlStatus status: Int32, words: [UInt8]) {
    self =
      switch status {
      case 5, 6: .unresolved
      case 7, 52, 55, 56: .unreachable(words)
      case 28: .timedOut
      case 35: .insecure(words)
      case 60, 51, 77: .untrusted(words)
      default: .other(status: status, words)
      }
  }

  /// Whether trying again later may help by itself.
  package var isTemporary: Bool {
    switch self {
    case .unresolved, .unreachable, .insecure, .timedOut, .interrupted: true
    // A protocol that is not allowed, as after a redirect to http; what this curl does not know; redirects without end.
    case .other(let status, _): ![1, 2, 3, 4, 47, 48].contains(status)
    case .noCurl, .notStarted, .untrusted, .tooLong: false
    }
  }

  /// What happened, in one line.
  package var text: String {
    switch self {
    case .noCurl: "curl is not in PATH"
    case .notStarted(let reason): "curl cannot be started: \(reason)"
    case .unresolved: "its name, or that of the proxy, cannot be resolved"
    case .unreachable(let words): "it cannot be reached\(Self.behind(words))"
    case .insecure(let words): "no TLS connection\(Self.behind(words))"
    case .untrusted(let words): "its certificate is not trusted\(Self.behind(words))"
    case .timedOut: "it does not answer"
    case .tooLong(let limit): "its answer is longer than \(limit) octets"
    case .interrupted: "interrupted"
    case .other(let status, let words): "curl ended with status \(status)\(Self.behind(words))"
    }
  }

  /// What to do about it; nil where nothing can be advised.
  package var hint: String? {
    switch self {
    case .noCurl: "install curl; apt-get install curl"
    case .untrusted: "SSL_CERT_FILE names a file with further authorities"
    case .notStarted, .unresolved, .unreachable, .insecure, .timedOut, .tooLong, .interrupted,
      .other:
      nil
    }
  }

  private static func behind(_ words: [UInt8]) -> String {
    words.isEmpty ? "" : ": \(Printable.text(words, limit: 300))"
  }
}
