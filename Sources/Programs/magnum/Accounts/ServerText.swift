internal import Configuration

/// An IMAP server as the configuration writes it.
enum ServerText {
  static func text(_ server: Server) -> String {
    switch server {
    case .imaps(let host, let port): "imaps://\(shown(host)):\(port)"
    case .startTLS(let host, let port): "imap://\(shown(host)):\(port)"
    case .plain(let host, let port): "imap+plain://\(shown(host)):\(port)"
    case .command(let words): words.joined(separator: " ")
    }
  }

  private static func shown(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
