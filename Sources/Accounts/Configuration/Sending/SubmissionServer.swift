/// Where an account's mail is handed in to be sent (RFC 6409).
package enum SubmissionServer: Hashable, Sendable {
  /// TLS from the first octet (RFC 8314 §3.3); port 465 by default.
  case implicitTLS(host: String, port: UInt16)

  /// TLS after STARTTLS, which must succeed (RFC 3207); port 587 by default.
  case startTLS(host: String, port: UInt16)

  /// No TLS; only ever `localhost`, 127.0.0.0/8 or ::1; port 25 by default.
  case plain(host: String, port: UInt16)

  /// The name of the server, and what its certificate has to name.
  package var host: String {
    switch self {
    case .implicitTLS(let host, _), .startTLS(let host, _), .plain(let host, _): host
    }
  }

  /// The TCP port.
  package var port: UInt16 {
    switch self {
    case .implicitTLS(_, let port), .startTLS(_, let port), .plain(_, let port): port
    }
  }
}

extension SubmissionServer: CustomStringConvertible {
  /// The value of `smtp` that names the server, the port always given.
  package var description: String {
    let scheme =
      switch self {
      case .implicitTLS: "submissions"
      case .startTLS: "submission"
      case .plain: "smtp+plain"
      }
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
