internal import Octets
internal import Platform

/// Reads the value of `imap`: a scheme, a host and perhaps a port.
enum ServerAddress {
  /// The server that an address such as `imaps://imap.example.org:993` names.
  ///
  /// - Throws: when the scheme is unknown, the host or port is none, anything else follows, or
  ///   clear text is asked for on a host that is not this machine.
  static func parse(_ text: String) throws(Mistake) -> Server {
    guard let separator = text.firstPlace(of: "://") else { throw withoutScheme(text) }
    let scheme = String(text[..<separator.lowerBound])
    guard ["imaps", "imap", "imap+plain"].contains(scheme) else { throw unknownScheme(scheme) }
    let (host, port) = try hostAndPort(of: text[separator.upperBound...])
    switch scheme {
    case "imaps": return .imaps(host: host, port: port ?? 993)
    case "imap": return .startTLS(host: host, port: port ?? 143)
    default:
      guard isLoopback(host) else { throw clearText(host) }
      return .plain(host: host, port: port ?? 143)
    }
  }

  // MARK: - Parts

  static func hostAndPort(
    of text: Substring
  ) throws(Mistake) -> (host: String, port: UInt16?) {
    if text.contains("@") {
      throw .badValue("an address holds no user", remedy: "set user = \"…\" beside it")
    }
    let authority = text.hasSuffix("/") ? text.dropLast() : text
    let (host, rest) = try splitHost(authority)
    guard !rest.isEmpty else { return (host, nil) }
    guard let port = UInt16(rest.dropFirst()), port > 0,
      rest.utf8.dropFirst().allSatisfy(ASCII.isDigit)
    else { throw .badValue("the port must be 1 to 65535") }
    return (host, port)
  }

  /// The host, without the brackets of an IPv6 address, and the rest from the colon on.
  private static func splitHost(
    _ authority: Substring
  ) throws(Mistake) -> (host: String, rest: Substring) {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      let host = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard isIPv6(host), rest.isEmpty || rest.hasPrefix(":") else { throw badHost(authority) }
      return (String(host), rest)
    }
    guard authority.count(where: { $0 == ":" }) < 2 else {
      throw badHost(authority, remedy: "write an IPv6 address in brackets: imaps://[2001:db8::1]")
    }
    let end = authority.firstIndex(of: ":") ?? authority.endIndex
    let host = asciiForm(authority[..<end])
    guard isHostName(host[...]) else { throw badHost(authority[..<end]) }
    return (host, authority[end...])
  }

  /// An international name as the network and certificates know it, where that can be found out.
  private static func asciiForm(_ host: Substring) -> String {
    guard host.utf8.contains(where: { $0 > 0x7f }),
      let form = InternationalDomain.asciiForm(Array(host.utf8))
    else { return String(host) }
    return String(decoding: form, as: UTF8.self)
  }

  private static func isHostName(_ host: Substring) -> Bool {
    !host.isEmpty && host.utf8.count <= 253 && host.utf8.first != ASCII.minus
      && host.utf8.allSatisfy { KeyName.isBare($0) || $0 == ASCII.dot }
      && host.utf8.contains { $0 != ASCII.dot }
  }

  private static func isIPv6(_ host: Substring) -> Bool {
    host.utf8.contains(ASCII.colon)
      && host.utf8.allSatisfy {
        Hex.nibble($0) != nil || $0 == ASCII.colon || $0 == ASCII.dot
      }
  }

  /// Whether the host can only be this machine: `localhost`, 127.0.0.0/8 or ::1.
  static func isLoopback(_ host: String) -> Bool {
    if host.utf8.equalsCaseless("localhost") || host == "::1" { return true }
    let parts = host.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy(ASCII.isDigit) ? UInt8(String(decoding: part, as: UTF8.self)) : nil
    }
    return parts.count == 4 && numbers.count == 4 && numbers[0] == 127
  }

  // MARK: - Mistakes

  private static func withoutScheme(_ text: String) -> Mistake {
    .badValue(
      "\"\(Printable.text(text.utf8, limit: 100))\" is no address of a server",
      remedy: "write imaps://HOST (TLS), or imap://HOST (STARTTLS)"
    )
  }

  private static func unknownScheme(_ scheme: String) -> Mistake {
    .badValue(
      "\"\(Printable.text(scheme.utf8, limit: 60))://\" is not one of \"imaps://\", \"imap://\", "
        + "\"imap+plain://\"",
      remedy: "write imaps://HOST (TLS), or imap://HOST (STARTTLS)"
    )
  }

  private static func badHost(_ host: Substring, remedy: String? = nil) -> Mistake {
    let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
    return .badValue(
      "\"\(Printable.text(host.utf8, limit: 100))\" is no host name",
      remedy: isASCII ? remedy : "write an international name in its ASCII form, xn--…"
    )
  }

  private static func clearText(_ host: String) -> Mistake {
    .badValue(
      "clear text is for this machine only (localhost, 127.0.0.1, [::1]), not for \(host)",
      remedy: "write imaps://\(host) (TLS), or imap://\(host) (STARTTLS)"
    )
  }
}

/// Where an account's mailboxes live.
package enum Server: Hashable, Sendable {
  /// TLS from the first octet (RFC 8314 §3.2); port 993 by default.
  case imaps(host: String, port: UInt16)

  /// TLS after STARTTLS, which must succeed (RFC 9051 §6.2.1); port 143 by default.
  case startTLS(host: String, port: UInt16)

  /// No TLS; only ever `localhost`, 127.0.0.0/8 or ::1; port 143 by default.
  case plain(host: String, port: UInt16)

  /// A program whose standard input and output speak IMAP; first the program, then its arguments.
  case command([String])
}
