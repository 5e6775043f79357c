/// An IMAP and an SMTP server over TLS that take log-ins with SCRAM only, by scramp, which others wrote; with channel binding
/// too.
///
/// BoundServer/bound.py says what it does. It has the user `me`, and ends with the test process.
package final class BoundServer: Sendable {
  /// What it does.
  package struct Options: Sendable {
    /// The mechanisms that it offers.
    package var offered = "SCRAM-SHA-256-PLUS SCRAM-SHA-256"
    /// The types of channel binding that it knows.
    package var types = "tls-exporter tls-server-end-point"
    /// The newest version of TLS.
    package var version = "1.3"
    /// Whether it could bind log-ins, whatever it offers: as if somebody on the way had changed the list.
    package var isListChanged = false
    /// Whether its log-ins are bound to another connection.
    package var isElsewhere = false
    /// The password, which it prepares by SASLprep itself.
    package var password = "pencil"
    /// The name of the user.
    package var user = "me@x.test"

    /// The usual ones.
    package init() {}
  }

  /// Its ports.
  package let imap: UInt16
  package let smtp: UInt16
  /// The folder of its files.
  package let folder: String
  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Where Tests/need puts scramp.
  private static let library =
    "\("\(#filePath)".dropLast("/Tests/TestSupport/BoundServer.swift".count))/.build/need/scramp"
  /// Whether there is one on this machine.
  package static let isInstalled = Files.exists("\(library)/scramp")

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init(_ options: Options = Options()) throws {
    imap = try Loopback.freePort()
    smtp = try Loopback.freePort()
    folder = try PythonServer.folder("bound")
    try ServerCertificate.make(in: folder)
    let script = "\("\(#filePath)".dropLast(".swift".count))/bound.py"
    let switches = [
      options.offered, options.types, options.version, options.isListChanged ? "changed" : "",
      options.isElsewhere ? "elsewhere" : "", options.user, options.password,
    ]
    try PythonServer.start(
      script,
      in: folder,
      ["\(imap)", "\(smtp)", Self.library] + switches
    )
  }

  /// A line for each log-in: protocol, mechanism, flag, what came of it.
  package var logins: [String] {
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map { "\($0)" }
  }
}
