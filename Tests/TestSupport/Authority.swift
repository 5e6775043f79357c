import Glibc

/// An authorization server on loopback, with faults by switch; Authority/authority.py says what it does.
///
/// It has the clients `client`, whose secret is `hush`, and `public`. It ends, and its folder goes, when the test process ends.
package final class Authority: Sendable {
  /// What it calls itself.
  package var issuer: String { "https://localhost:\(port)" }

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Where servers ask whose a token is, in clear text.
  package var introspection: String { "http://127.0.0.1:\(plainPort)/introspect" }

  private let port: UInt16
  private let plainPort: UInt16

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init() throws {
    port = try Loopback.freePort()
    plainPort = try Loopback.freePort()
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    folder = String(
      try Command.shell("mktemp -d \"$1/magnum-authority.XXXXXX\"", [base]).dropLast()
    )
    try ServerCertificate.make(in: folder)
    let script = """
      exec 3<&0; cd "$1"; trap '' INT TERM HUP
      python3 "$2" "$1" "$3" "$4" <&3 2> errors || true
      cd / && rm -rf "$1"
      """
    let program = "\(#filePath)".dropLast(".swift".count) + "/authority.py"
    let words = [folder, String(program), "\(port)", "\(plainPort)"]
    try Command("/bin/sh", ["-c", script, "sh"] + words).startGuarded()
    let folder = folder
    guard Stopwatch.wait(upTo: 60, until: { Files.exists("\(folder)/ready") }) else {
      throw HarnessError("no authority: \(Files.text("\(folder)/errors") ?? "")")
    }
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
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map(String.init)
  }

  /// Asks it for something as anybody may; gives what curl wrote.
  ///
  /// - Throws: `HarnessError` when curl fails.
  @discardableResult
  package func ask(_ path: String) throws -> String {
    try Command.shell("curl -sS --cacert \"$1\" \"$2\"", [trustFile, issuer + path])
  }
}
