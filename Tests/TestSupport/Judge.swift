import Glibc

/// A mail server of aiosmtpd, which others wrote and which is strict: it says how a message came, and fails on demand.
///
/// What it does is written in Judge/judge.py. It ends, and its folder goes, when the test process ends.
package final class Judge: Sendable {
  /// A message that it took.
  package struct Message: Sendable {
    /// The octets on the wire, stuffed dots taken away.
    package let octets: [UInt8]
    /// How it came; the keys are in judge.py.
    package let facts: ParsedJSON
  }

  /// The port for STARTTLS.
  package let port: UInt16

  /// The port for TLS from the first octet.
  package let tlsPort: UInt16

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Whether there is one on this machine.
  package static let isInstalled =
    (try? Command("/usr/bin/python3", ["-c", "import aiosmtpd"]).run().code) == 0

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init() throws {
    port = try Loopback.freePort()
    tlsPort = try Loopback.freePort()
    folder = try PythonServer.folder("judge")
    try Files.makeDirectories("\(folder)/mail")
    try ServerCertificate.make(in: folder, names: ["smtp.x.test"])
    let script = "\("\(#filePath)".dropLast(".swift".count))/judge.py"
    let ports = ["\(port)", "\(tlsPort)"]
    try PythonServer.start(script, in: folder, ports, python: "/usr/bin/python3")
  }

  /// The messages that it took, in their order.
  package var messages: [Message] {
    Files.names(in: "\(folder)/mail").map { String(decoding: $0, as: UTF8.self) }.sorted()
      .filter { $0.hasSuffix(".eml") }
      .compactMap { name in
        guard let octets = Files.read("\(folder)/mail/\(name)"),
          let text = Files.text("\(folder)/mail/\(name.dropLast(4)).json"),
          let facts = try? ParsedJSON(text)
        else { return nil }
        return Message(octets: octets, facts: facts)
      }
  }
}
