import Glibc

/// A real IMAP server that a script of `Tests/servers` runs: any user, password "pass".
///
/// Its certificate is for `localhost`, signed by an authority of its own. It ends, and its folder goes, when the test process
/// ends in whatever way.
package final class HostedServer: Sendable {
  /// The name of its script.
  package let name: String

  /// Where it listens.
  package let ports: Dovecot.Ports

  /// The folder of its files.
  package let folder: String

  /// What comes before the names of all mailboxes but INBOX, on the wire.
  package let prefix: String

  /// What stands between the levels of a name, on the wire.
  package let delimiter: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// The URL for a configuration file, TLS from the first octet.
  package var tlsURL: String { "imaps://localhost:\(ports.tls)" }

  /// The URL for a configuration file, clear text.
  package var clearURL: String { "imap+plain://127.0.0.1:\(ports.clear)" }

  /// What it wrote to its log, for a failed test.
  package var log: String { Files.text("\(folder)/log") ?? "" }

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it does not answer within a minute.
  init(_ name: String, prefix: String, delimiter: String) throws {
    self.name = name
    self.prefix = prefix
    self.delimiter = delimiter
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let place = try Command.shell("mktemp -d \"$1/magnum-\(name).XXXXXX\"", [base]).dropLast()
    let folder = "\(place)/server"
    self.folder = folder
    let script = """
      exec 3<&0; trap '' INT TERM HUP
      chmod 755 "$2"; "$1" "$2/server" <&3 > "$2/output" 2>&1 || true
      rm -rf "$2"
      """
    let words = ["-c", script, "sh", HostedServer.script(name), String(place)]
    try Command("/bin/sh", words).startGuarded()
    guard Stopwatch.wait(upTo: 60, until: { Files.text("\(folder)/ports") != nil }) else {
      throw HarnessError("\(name) does not answer: \(Files.text("\(place)/output") ?? "")")
    }
    let numbers = (Files.text("\(folder)/ports") ?? "").split { " \n".contains($0) }
      .compactMap { UInt16($0) }
    guard numbers.count == 2 else { throw HarnessError("\(name) tells no ports") }
    ports = Dovecot.Ports(clear: numbers[0], tls: numbers[1])
  }

  /// The name of a mailbox on the wire, for one with "/" between its levels.
  package func wire(_ mailbox: String) -> String {
    mailbox == "INBOX"
      ? mailbox : prefix + mailbox.split(separator: "/").joined(separator: delimiter)
  }

  /// The folder of a mailbox in the layout `verbatim`, for its name on the wire: without the prefix.
  package func directory(_ wire: String) -> String {
    let name = wire.hasPrefix(prefix) ? String(wire.dropFirst(prefix.count)) : wire
    return name.split(separator: delimiter).joined(separator: "/")
  }

  private static func script(_ name: String) -> String {
    var parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(2)
    return parts.joined(separator: "/") + "/servers/" + name
  }
}
