import Glibc
import Synchronization

/// A real Dovecot on 127.0.0.1 for the tests, without a system service and without being root.
///
/// Any user name with the password "pass". The certificate is for `localhost` and `imap.x.test`, signed by an authority of
/// its own. The server ends, and its folder goes, when the test process ends in whatever way: a shell waits at
/// the end of a pipe that only this process holds open. As root it runs as `nobody`, since Dovecot's login
/// processes refuse to be root.
package final class Dovecot: Sendable {
  /// The ports of one server.
  package struct Ports: Sendable, Hashable {
    /// Clear text and STARTTLS.
    package let clear: UInt16
    /// TLS from the first octet.
    package let tls: UInt16
  }

  /// Who the server and its mail belong to.
  struct Owner: Sendable {
    let user: String
    let group: String
    let userNumber: UInt32
    let groupNumber: UInt32
  }

  /// Where it listens.
  package let ports: Ports

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// The URL for a configuration file, TLS from the first octet.
  package var tlsURL: String { "imaps://localhost:\(ports.tls)" }

  /// The URL for a configuration file, STARTTLS.
  package var startTLSURL: String { "imap://localhost:\(ports.clear)" }

  /// The URL for a configuration file, clear text.
  package var clearURL: String { "imap+plain://127.0.0.1:\(ports.clear)" }

  /// What Dovecot wrote to its log, for a failed test.
  package var log: String { Files.text("\(folder)/log") ?? "" }

  private static let secret = "a key of 32 octets for the tests"
  private static let running = Mutex<[DovecotOptions: Dovecot]>([:])
  private static let count = Atomic<Int>(0)

  /// The server with these options, started when it is first asked for and shared from then on.
  ///
  /// - Throws: `HarnessError` when Dovecot is not installed or does not start.
  package static func shared(_ options: DovecotOptions = DovecotOptions()) throws -> Dovecot {
    try running.withLock { running in
      if let server = running[options] { return server }
      let server = try Dovecot(options)
      running[options] = server
      return server
    }
  }

  /// A user name that no other test of this process has.
  package static func freshUser(_ word: String = "user") -> String {
    "\(word)\(count.add(1, ordering: .relaxed).newValue)"
  }

  /// A signed token (RFC 7519) that the server takes for `user` with XOAUTH2 and OAUTHBEARER.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - seconds: How long it is valid from now on; negative makes one that has expired.
  /// - Returns: The token.
  /// - Throws: `HarnessError` when openssl fails.
  package static func token(for user: String, validFor seconds: Int = 3600) throws -> String {
    let expiry = Int(Glibc.time(nil)) + seconds
    let script = """
      b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
      head=$(printf '{"alg":"HS256","typ":"JWT"}' | b64)
      body=$(printf '{"sub":"%s","exp":%s}' "$1" "$2" | b64)
      sign=$(printf '%s.%s' "$head" "$body" | openssl dgst -sha256 -hmac "$3" -binary | b64)
      printf '%s.%s.%s' "$head" "$body" "$sign"
      """
    return try Command.shell(script, [user, "\(expiry)", secret])
  }

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it does not answer within a minute.
  private init(_ options: DovecotOptions) throws {
    ports = Ports(clear: try Loopback.freePort(), tls: try Loopback.freePort())
    folder = try Dovecot.makeFolder()
    let owner = Dovecot.owner()
    let configuration = options.configuration(folder: folder, ports: ports, owner: owner)
    try Files.write(configuration, to: "\(folder)/dovecot.conf")
    try Dovecot.writeTokenSettings(in: folder, options.introspection)
    try ServerCertificate.make(in: folder, names: ["imap.x.test"])
    try Dovecot.launch(in: folder, as: owner)
    guard Stopwatch.wait(upTo: 60, until: answers) else {
      throw HarnessError("dovecot does not answer: \(log)\(Files.text("\(folder)/errors") ?? "")")
    }
  }

  private func answers() -> Bool {
    guard let descriptor = try? Loopback.connect(port: ports.clear) else { return false }
    defer { close(descriptor) }
    return Loopback.receive(descriptor, seconds: 5)?.starts(with: Array("* OK".utf8)) == true
  }

  private static func makeFolder() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let path = try Command.shell("mktemp -d \"$1/magnum-dovecot.XXXXXX\"", [base])
    let folder = String(path.dropLast())
    for name in ["run", "state", "mail", "keys/default/HS256"] {
      try Files.makeDirectories("\(folder)/\(name)")
    }
    return folder
  }

  private static func owner() -> Owner {
    let isRoot = getuid() == 0
    let user = isRoot ? 65_534 : getuid()
    let group = isRoot ? 65_534 : getgid()
    let userName = getpwuid(user).map { String(cString: $0.pointee.pw_name) }
    let groupName = getgrgid(group).map { String(cString: $0.pointee.gr_name) }
    return Owner(
      user: userName ?? "\(user)",
      group: groupName ?? "\(group)",
      userNumber: user,
      groupNumber: group
    )
  }

  private static func writeTokenSettings(in folder: String, _ introspection: String?) throws {
    if let introspection {
      let settings = """
        introspection_mode = post
        introspection_url = \(introspection)
        username_attribute = username
        active_attribute = active
        active_value = true

        """
      return try Files.write(settings, to: "\(folder)/oauth2.conf")
    }
    let settings = """
      introspection_mode = local
      local_validation_key_dict = fs:posix:prefix=\(folder)/keys/
      username_attribute = sub

      """
    try Files.write(settings, to: "\(folder)/oauth2.conf")
    try Command.shell(
      "printf %s \"$1\" | openssl base64 -A > \"$2/keys/default/HS256/default\"",
      [secret, folder]
    )
  }

  /// Starts the shell that owns the server: it waits for the end of this process, then tidies up.
  private static func launch(in folder: String, as owner: Owner) throws {
    let script = """
      cd "$1"; trap '' INT TERM HUP
      if [ "$(id -u)" = 0 ]; then
        chmod 755 . && chown -R "$2:$3" .
        setpriv --reuid="$2" --regid="$3" --clear-groups dovecot -F -c dovecot.conf 2> errors &
      else
        dovecot -F -c dovecot.conf 2> errors &
      fi
      server=$!
      read -r line <&3 || true
      kill "$server" || true
      wait "$server" || true
      cd / && rm -rf "$1"
      """
    let arguments = ["-c", "exec 3<&0; " + script, "sh", folder]
    let numbers = ["\(owner.userNumber)", "\(owner.groupNumber)"]
    try Command("/bin/sh", arguments + numbers).startGuarded()
  }
}
