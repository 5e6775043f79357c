internal import Octets

/// An address of the web that secrets may be sent to: `https`, a host, perhaps a port, a path and a query (RFC 3986).
///
/// It is taken apart and put together again here, so that no program that gets it can read it in another way.
package struct WebAddress: Hashable, Sendable {
  /// The longest text that is read, in octets.
  package static let lengthLimit = 8192

  /// The host as a name in lower case or an IPv4 address; an IPv6 address in brackets.
  package let host: [UInt8]
  /// The port, where the address names one.
  package let port: UInt16?
  /// The path, which begins with a slash.
  package let path: [UInt8]
  /// What stands behind the question mark; nil without one.
  package let query: [UInt8]?

  /// Why a text is no such address.
  package enum Problem: Error, Hashable, Sendable {
    /// It does not begin with `https://`.
    case notHTTPS
    /// It holds a user name, before an `@`.
    case hasUser
    /// Its host or port is none.
    case badHost
    /// It holds a fragment, behind a `#`.
    case hasFragment
    /// It holds a quote, a backslash, a space, a control character or an octet beyond ASCII.
    case badOctet
    /// It is longer than ``WebAddress/lengthLimit``.
    case tooLong
  }

  /// Reads an address.
  ///
  /// - Throws: what is wrong with it.
  package init(_ text: some Collection<UInt8>) throws(Problem) {
    let text = [UInt8](text)
    guard text.count <= Self.lengthLimit else { throw .tooLong }
    guard text.startsCaseless(with: "https://") else { throw .notHTTPS }
    guard text.allSatisfy(Self.isAllowed) else { throw .badOctet }
    guard !text.contains(ASCII.hash) else { throw .hasFragment }
    let rest = text.dropFirst(8)
    let end = rest.firstIndex { $0 == ASCII.slash || $0 == ASCII.questionMark } ?? rest.endIndex
    (host, port) = try Self.authority(rest[..<end])
    let halves = rest[end...].split(
      separator: ASCII.questionMark,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let path = [UInt8](halves.first ?? [])
    self.path = path.isEmpty ? [ASCII.slash] : path
    query = halves.count > 1 ? [UInt8](halves[1]) : nil
  }

  /// An address of the same server.
  package func with(path: [UInt8], query: [UInt8]? = nil) -> WebAddress {
    WebAddress(host: host, port: port, path: path, query: query)
  }

  /// The same address with more in its query.
  package func adding(_ form: WebForm) -> WebAddress {
    guard !form.fields.isEmpty else { return self }
    let query = (query.map { $0.isEmpty ? [] : $0 + [ASCII.ampersand] } ?? []) + form.encoded
    return WebAddress(host: host, port: port, path: path, query: query)
  }

  private init(host: [UInt8], port: UInt16?, path: [UInt8], query: [UInt8]?) {
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// The address as a text.
  package var octets: [UInt8] {
    origin + path + (query.map { [ASCII.questionMark] + $0 } ?? [])
  }

  /// Scheme, host and port.
  package var origin: [UInt8] {
    [UInt8](ascii: "https://") + host
      + (port.map { [ASCII.colon] + [UInt8](decimal: $0) } ?? [])
  }

  // MARK: - Parts

  /// What can stand in a text of curl's configuration and in a terminal without harm.
  private static func isAllowed(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.quote, ASCII.backslash, ASCII.lessThan, ASCII.greaterThan, ASCII.apostrophe,
      UInt8(ascii: "`"), UInt8(ascii: "^"), UInt8(ascii: "|"), ASCII.openBrace, ASCII.closeBrace:
      false
    default: octet > ASCII.space && octet < ASCII.delete
    }
  }

  private static func authority(
    _ text: ArraySlice<UInt8>
  ) throws(Problem) -> (host: [UInt8], port: UInt16?) {
    guard !text.contains(ASCII.at) else { throw .hasUser }
    let end =
      text.first == ASCII.openBracket
      ? text.firstIndex(of: ASCII.closeBracket).map { $0 + 1 } ?? text.endIndex
      : text.firstIndex(of: ASCII.colon) ?? text.endIndex
    let host = text[..<end].map(ASCII.lowercased)
    guard isHost(host) else { throw .badHost }
    guard end < text.endIndex else { return (host, nil) }
    return (host, try port(text[end...]))
  }

  private static func port(_ text: ArraySlice<UInt8>) throws(Problem) -> UInt16? {
    var cursor = Cursor(text)
    guard cursor.skip(ASCII.colon), text.count <= 6, let number = cursor.decimal(), cursor.isAtEnd,
      let port = UInt16(exactly: number), port > 0
    else { throw .badHost }
    return port == 443 ? nil : port
  }

  private static func isHost(_ host: [UInt8]) -> Bool {
    if host.first == ASCII.openBracket {
      return host.last == ASCII.closeBracket && host.count > 4
        && host.dropFirst().dropLast().allSatisfy {
          Hex.nibble($0) != nil || $0 == ASCII.colon || $0 == ASCII.dot
        }
    }
    let labels = host.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    return host.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.count <= 63 && label.first != ASCII.minus
          && label.last != ASCII.minus
          && label.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus || $0 == ASCII.underscore
          }
      }
  }
}
