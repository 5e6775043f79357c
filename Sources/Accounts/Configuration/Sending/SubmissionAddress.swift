internal import Octets

/// Reads the value of `smtp`: a scheme, a host and perhaps a port.
enum SubmissionAddress {
  /// The server that an address such as `submissions://smtp.example.org` names.
  ///
  /// - Throws: when the scheme is unknown, the host or port is none, anything else follows, or
  ///   clear text is asked for on a host that is not this machine.
  static func parse(_ text: String) throws(Mistake) -> SubmissionServer {
    guard let separator = text.firstRange(of: "://") else {
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
