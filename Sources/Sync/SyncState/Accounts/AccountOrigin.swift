package import Configuration
internal import Octets
package import Platform

/// Remembers in the root whose mailboxes it mirrors, since UIDs mean nothing to another user or server.
package struct AccountOrigin {
  /// Where it is remembered: a line of user and host, percent-escaped.
  package let file: Path
  /// The user and server of the configuration, in the same form.
  package let configured: [UInt8]

  /// The origin of an account's mail, in its state.
  package init(_ account: Account, store: StateStore) {
    file = store.directory.appending("origin")
    let words = ([account.user] + Self.words(account.server)).filter { !$0.isEmpty }
    configured = Array(
      words.map { PercentEscape.escape($0.utf8) { $0 <= 0x20 || $0 >= 0x7F } }
        .joined(separator: [ASCII.space])
    )
  }

  /// What is remembered; nil where nothing is.
  package func remembered() throws(SystemError) -> [UInt8]? {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 16) else { return nil }
    return Array(octets.prefix { $0 != ASCII.lineFeed })
  }

  /// Remembers what the configuration says; durable when it returns.
  package func remember() throws(SystemError) {
    try AtomicFile.replace(file, with: configured + [ASCII.lineFeed])
  }

  /// What names the server.
  ///
  /// TLS or not, it is the same one; this machine has several names; of a tunnel only the command is known.
  private static func words(_ server: Server?) -> [String] {
    switch server {
    case .imaps(let host, _), .startTLS(let host, _), .plain(let host, _):
      [["127.0.0.1", "::1"].contains(host) ? "localhost" : host]
    case .command(let words): words
    case nil: []
    }
  }
}
