import Glibc
import Synchronization

/// A real Courier IMAP server on 127.0.0.1, as `Tests/servers/courier` runs it.
///
/// It has UIDPLUS and keywords, and none of MOVE, CONDSTORE, ESEARCH, SPECIAL-USE and LITERAL+; all mailboxes are below INBOX,
/// with a dot between the levels, and headers with octets above 127 are rewritten when a message is appended.
package enum Courier {
  private static let running = Mutex<HostedServer?>(nil)

  /// Whether there is one that can be run.
  package static var canRun: Bool {
    let program = "\(UnpackedPackage.folder("courier"))/usr/lib/courier/courier/imaplogin"
    return getuid() == 0 && access(program, X_OK) == 0
  }

  /// The server, started when it is first asked for and shared from then on.
  ///
  /// - Throws: `HarnessError` when it does not start.
  package static func shared() throws -> HostedServer {
    try running.withLock { running in
      if let server = running { return server }
      let server = try HostedServer("courier", prefix: "INBOX.", delimiter: ".")
      running = server
      return server
    }
  }
}
