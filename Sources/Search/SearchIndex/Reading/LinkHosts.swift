internal import Octets

/// The hosts that links of HTML lead to, whatever the links are called.
enum LinkHosts {
  /// How many of one message are indexed.
  private static let limit = 200

  /// How much of a part is looked at.
  private static let octetLimit = 2 << 20

  /// Adds the hosts of `href="https://…"`, each once.
  static func add(of html: ArraySlice<UInt8>, to hosts: inout [[UInt8]]) {
    var rest = html.prefix(octetLimit)
    while hosts.count < limit, let colon = rest.firstIndex(of: ASCII.colon) {
      let behind = rest[(colon + 1)...]
      defer { rest = behind }
      guard behind.starts(with: slashes), isLink(html[..<colon]) else { continue }
      let name = behind.dropFirst(2).prefix { isOfHost($0) }
      // Before an at sign stands a user, and perhaps a password.
      let host = (name.split(separator: ASCII.at).last ?? []).map { ASCII.lowercased($0) }
      if host.contains(ASCII.dot), host.count < 256, !hosts.contains(host) { hosts.append(host) }
    }
  }

  private static let slashes: [UInt8] = [ASCII.slash, ASCII.slash]

  private static func isOfHost(_ octet: UInt8) -> Bool {
    octet >= 0x80 || ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.dot
      || octet == ASCII.minus || octet == ASCII.at
  }

  /// Whether a text ends with `href="http`, with or without the quotation mark.
  private static func isLink(_ text: ArraySlice<UInt8>) -> Bool {
    let scheme = text.suffix(5).map { ASCII.lowercased($0) }
    let length =
      scheme.suffix(4).elementsEqual("http".utf8) ? 4 : scheme == [UInt8](ascii: "https") ? 5 : 0
    guard length > 0 else { return false }
    var before = text.dropLast(length)
    while let last = before.last,
      last <= ASCII.space || last == ASCII.quote || last == ASCII.apostrophe
    {
      before.removeLast()
    }
    guard before.last == ASCII.equals else { return false }
    before.removeLast()
    while let last = before.last, last <= ASCII.space { before.removeLast() }
    return before.suffix(4).map { ASCII.lowercased($0) } == [UInt8](ascii: "href")
  }
}
