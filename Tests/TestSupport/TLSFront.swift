/// TLS from the first octet in front of a server on this machine that has none, such as one that follows a script.
///
/// Its certificate is for `localhost`. It ends with the test process.
package final class TLSFront: Sendable {
  /// The URL for a configuration file.
  package var url: String { "imaps://localhost:\(port)" }
  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  private let port: UInt16
  private let folder: String

  /// Puts it before a port of 127.0.0.1.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init(to target: UInt16) throws {
    port = try Loopback.freePort()
    folder = try PythonServer.folder("front")
    try ServerCertificate.make(in: folder)
    let script = "\("\(#filePath)".dropLast(".swift".count))/front.py"
    try PythonServer.start(script, in: folder, ["\(port)", "\(target)"])
  }
}
