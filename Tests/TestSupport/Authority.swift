import Glibc

/// An authorization server on loopback, with faults by switch; Authority/authority.py says what it does.
///
/// It has the clients `client`, whose secret is `hush`, and `public`. It ends, and its folder goes, when the test process ends.
package final class Authority: Sendable {
  /// What it calls itself.
  package var issuer: String { "https://localhost:\(port)" }

  /// Another name in its certificate, which no resolver knows.
  package static let name = "auth.x.test"

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Where servers ask whose a token is, in clear text.
  package var introspection: String { "http://127.0.0.1:\(plainPort)/introspect" }

  package let port: UInt16
  private let plainPort: UInt16

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init() throws {
    port = try Loopback.freePort()
    plainPort = try Loopback.freePort()
    folder = try PythonServer.folder("authority")
    try ServerCertificate.make(in: folder, names: [Self.name])
    let script = "\("\(#filePath)".dropLast(".swift".count))/authority.py"
    try PythonServer.start(script, in: folder, ["\(port)", "\(plainPort)"])
  }

  /// Sets the switches, as a JSON object; none are set besides.
  ///
  /// - Throws: `HarnessError` when they cannot be written.
  package func set(_ switches: String) throws {
    try Files.write(switches, to: "\(folder)/switches.new")
    rename("\(folder)/switches.new", "\(folder)/switches")
  }

  /// A line for each request: method, path, grant type, status, error.
  package var requests: [String] {
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map { "\($0)" }
  }

  /// Asks it for something as anybody may; gives what curl wrote.
  ///
  /// - Throws: `HarnessError` when curl fails.
  @discardableResult
  package func ask(_ path: String) throws -> String {
    try Command.shell("curl -sS --cacert \"$1\" \"$2\"", [trustFile, issuer + path])
  }
}
