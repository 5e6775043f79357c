internal import Octets

/// Where an account's mail is handed in to be sent (RFC 6409).
package enum SubmissionServer: Hashable, Sendable {
  /// TLS from the first octet (RFC 8314 §3.3); port 465 by default.
  case implicitTLS(host: String, port: UInt16)

  /// TLS after STARTTLS, which must succeed (RFC 3207); port 587 by default.
  case startTLS(host: String, port: UInt16)

  /// No TLS; only ever `localhost`, 127.0.0.0/8 or ::1; port 25 by default.
  case plain(host: String, port: UInt16)

  /// A command that speaks SMTP on its standard input and output; no TLS.
  case command([String])

  /// A program that takes each message over by itself, as sendmail does.
  case program(SendProgram)

  /// The name of the server, which its certificate has to show, and its TCP port; nil for a command or a program.
  package var address: (host: String, port: UInt16)? {
    switch self {
    case .implicitTLS(let host, let port), .startTLS(let host, let port),
      .plain(let host, let port):
      (host, port)
    case .command, .program: nil
    }
  }

  /// The name of the server; nil for a command or a program.
  package var host: String? { address?.host }

  /// Whether the connection is encrypted by TLS of ours.
  var hasTLS: Bool {
    switch self {
    case .implicitTLS, .startTLS: true
    case .plain, .command, .program: false
    }
  }

  /// Whether what is sent leaves the machine as it is; a command sees to that itself.
  package var isOfThisMachine: Bool {
    switch self {
    case .plain, .command, .program: true
    case .implicitTLS, .startTLS: false
    }
  }
}

extension SubmissionServer: CustomStringConvertible {
  /// The value of `smtp` that names the server, the port always given; the words of a command or a program.
  package var description: String {
    switch self {
    case .implicitTLS(let host, let port): Self.text("submissions", host, port)
    case .startTLS(let host, let port): Self.text("submission", host, port)
    case .plain(let host, let port): Self.text("smtp+plain", host, port)
    case .command(let words): words.joined(separator: " ")
    case .program(let program): program.words.joined(separator: " ")
    }
  }

  private static func text(_ scheme: String, _ host: String, _ port: UInt16) -> String {
    "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}

/// Reads the value of `smtp`: a scheme, a host and perhaps a port.
enum SubmissionAddress {
  /// The server that an address such as `submissions://smtp.example.org` names.
  ///
  /// - Throws: when the scheme is unknown, the host or port is none, anything else follows, or
  ///   clear text is asked for on a host that is not this machine.
  static func parse(_ text: String) throws(Mistake) -> SubmissionServer {
    guard let separator = text.firstPlace(of: "://") else {
      throw .badValue(
        "\"\(Printable.text(text.utf8, limit: 100))\" is no address of a server",
        remedy: "write submissions://HOST (TLS), or submission://HOST (STARTTLS)"
      )
    }
    let scheme = String(text[..<separator.lowerBound])
    guard ["submissions", "submission", "smtp+plain"].contains(scheme) else {
      throw unknownScheme(scheme)
    }
    let (host, port) = try ServerAddress.hostAndPort(of: text[separator.upperBound...])
    switch scheme {
    case "submissions": return .implicitTLS(host: host, port: port ?? 465)
    case "submission": return .startTLS(host: host, port: port ?? 587)
    default:
      guard ServerAddress.isLoopback(host) else { throw clearText(host) }
      return .plain(host: host, port: port ?? 25)
    }
  }

  private static func unknownScheme(_ scheme: String) -> Mistake {
    .badValue(
      "\"\(Printable.text(scheme.utf8, limit: 60))://\" is not one of \"submissions://\", "
        + "\"submission://\", \"smtp+plain://\"",
      remedy: "write submissions://HOST (TLS), or submission://HOST (STARTTLS)"
    )
  }

  private static func clearText(_ host: String) -> Mistake {
    .badValue(
      "clear text is for this machine only (localhost, 127.0.0.1, [::1]), not for \(host)",
      remedy: "write submissions://\(host) (TLS), or submission://\(host) (STARTTLS)"
    )
  }
}
