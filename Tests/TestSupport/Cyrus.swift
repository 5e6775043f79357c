import Glibc
import Synchronization

/// A real Cyrus IMAP server on 127.0.0.1, as `Tests/servers/cyrus` runs it.
///
/// It has MOVE, CONDSTORE, QRESYNC and LIST-STATUS; it drops commands behind AUTHENTICATE with an initial response, and
/// rewrites headers with octets above 127 when a message is appended.
package enum Cyrus {
  private static let running = Mutex<HostedServer?>(nil)

  /// Whether there is one that can be run.
  package static var canRun: Bool {
    let program = "\(UnpackedPackage.folder("cyrus"))/usr/lib/cyrus/bin/imapd"
    return getuid() == 0 && access(program, X_OK) == 0
  }

  /// The server, started when it is first asked for and shared from then on.
  ///
  /// - Throws: `HarnessError` when it does not start.
  package static func shared() throws -> HostedServer {
    try running.withLock { running in
      if let server = running { return server }
      let server = try HostedServer("cyrus", prefix: "", delimiter: "/")
      running = server
      return server
    }
  }
}
