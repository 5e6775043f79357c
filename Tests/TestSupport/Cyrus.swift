import Glibc
import Synchronization

/// A real Cyrus IMAP server on 127.0.0.1, as `Tests/servers/cyrus` runs it.
///
/// It has MOVE, CONDSTORE, QRESYNC and LIST-STATUS; it drops commands behind AUTHENTICATE with an initial response, and
/// rewrites headers with octets above 127 when a message is appended.
package enum Cyrus {
  private static let running = Mutex<[String: HostedServer]>([:])

  /// Whether there is one that can be run.
  package static var canRun: Bool {
    let program = "\(UnpackedPackage.folder("cyrus"))/usr/lib/cyrus/bin/imapd"
    return getuid() == 0 && access(program, X_OK) == 0
  }

  /// The server, started when it is first asked for and shared from then on.
  ///
  /// - Throws: `HarnessError` when it does not start.
  package static func shared() throws -> HostedServer {
    try shared("cyrus", prefix: "", delimiter: "/")
  }

  /// One without `altnamespace`: all mailboxes are below INBOX, with a dot between the levels.
  ///
  /// - Throws: `HarnessError` when it does not start.
  package static func belowInbox() throws -> HostedServer {
    try shared("cyrus-inbox", prefix: "INBOX.", delimiter: ".")
  }

  private static func shared(
    _ name: String,
    prefix: String,
    delimiter: String
  ) throws -> HostedServer {
    try running.withLock { running in
      if let server = running[name] { return server }
      let server = try HostedServer(name, prefix: prefix, delimiter: delimiter)
      running[name] = server
      return server
    }
  }
}
