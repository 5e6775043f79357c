import Octets
import Platform
import Proxies
import Transport

/// Errors as the one line that fixtures compare them with.
enum Facts {
  static func text(_ error: TransportError) -> String {
    switch error {
    case .nameNotFound(_, _, let isTemporary): "name not found\(isTemporary ? " for now" : "")"
    case .connect(_, _, let attempts): "connect: \(attempts.map(\.reason).joined(separator: ", "))"
    case .timedOut(let phase): "timed out: \(phase)"
    case .noAnswer(let phase, let host, let port, let seconds):
      "no answer: \(phase) \(host) \(port) \(seconds)"
    case .closed: "closed"
    case .closedInHandshake: "closed in the handshake"
    case .tls(let failure): text(failure)
    case .damagedCompression: "damaged compression"
    case .interrupted: "interrupted"
    case .proxy(let proxy, let refusal): "proxy \(proxy): \(refusal)"
    case .proxyUnreachable(let error): "proxy: \(text(error))"
    case .system(let error): "\(error.operation): \(error.reason)"
    case .tunnel(.start(let error)): "cannot start: \(error.reason)"
    case .tunnel(.ended(let status, let line)):
      "ended: \(status)" + (line.map { ": " + String(decoding: $0, as: UTF8.self) } ?? "")
    }
  }

  private static func text(_ failure: TLSFailure) -> String {
    switch failure {
    case .certificate(let host, let reason, let presented):
      "certificate of \(host): \(reason): \(presented.subject)"
    case .expired(let host, let presented):
      "certificate of \(host): certificate has expired: \(presented.subject)"
    case .hostName(let host, let presented) where presented.names.isEmpty:
      "\(host) is none of nothing, though its subject is \(presented.commonName ?? "unknown")"
    case .hostName(let host, let presented):
      "\(host) is none of \(presented.names.joined(separator: " "))"
    case .fingerprint(_, let expected, let presented):
      "fingerprint \(digits(presented.fingerprint)) is not \(digits(expected))"
    case .version: "version"
    case .notTLS: "not TLS"
    case .trust(let path, let reason):
      "trust \(String(decoding: path.lastComponent, as: UTF8.self)): \(reason)"
    case .clientCertificate(let alert): "client certificate: \(alert)"
    case .handshake(let text): "handshake: \(text)"
    }
  }

  private static func digits(_ octets: [UInt8]) -> String {
    String(decoding: Hex.encode(octets).prefix(8), as: UTF8.self)
  }
}
