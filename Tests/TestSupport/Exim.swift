import Glibc

/// A real Exim on 127.0.0.1 that takes mail from the user "me" with the password "pass", without a system service.
///
/// Its certificate is for `localhost`, signed by an authority of its own. It ends, and its folder goes, when the
/// test process ends in whatever way.
package final class Exim: Sendable {
  /// The port for clear text and STARTTLS.
  package let port: UInt16

  /// The port for TLS from the first octet.
  package let tlsPort: UInt16

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Whether there is one on this machine.
  package static var isInstalled: Bool { access("/usr/sbin/exim4", X_OK) == 0 }

  private let takesEightBits: Bool
  private let clients: Clients
  private let names: [String]

  /// What it does about certificates of clients; those that its own authority has signed are good.
  package enum Clients: Sendable {
    case none
    /// It asks for them, and takes a log-in by one.
    case asked
    /// It takes no client without one.
    case required
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - isExpired: whether its certificate was valid last year.
  ///   - takesEightBits: whether it has 8BITMIME.
  ///   - names: what its certificate is for besides `localhost`.
  ///   - clients: what it does about certificates of clients.
  /// - Throws: `HarnessError` when it does not answer within a minute.
  package init(
    isExpired: Bool = false,
    takesEightBits: Bool = true,
    names: [String] = [],
    clients: Clients = .none
  ) throws {
    self.takesEightBits = takesEightBits
    self.clients = clients
    self.names = names
    port = try Loopback.freePort()
    tlsPort = try Loopback.freePort()
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    folder = String(try Command.shell("mktemp -d \"$1/magnum-exim.XXXXXX\"", [base]).dropLast())
    try Files.write(configuration, to: "\(folder)/exim.conf")
    try makeFolders(isExpired)
    try launch()
    guard Stopwatch.wait(upTo: 60, until: answers) else {
      throw HarnessError("exim does not answer: \(Files.text("\(folder)/errors") ?? "")")
    }
  }

  /// The messages that it took, in the order of their files, with what it puts on top of each.
  package var messages: [String] {
    Files.names(in: "\(folder)/mail/new").map { String(decoding: $0, as: UTF8.self) }.sorted()
      .compactMap { Files.text("\(folder)/mail/new/\($0)") }
  }

  private func answers() -> Bool {
    guard let descriptor = try? Loopback.connect(port: port) else { return false }
    defer { close(descriptor) }
    return Loopback.receive(descriptor, seconds: 5)?.starts(with: Array("220".utf8)) == true
  }

  /// As root it runs as nobody, since mail is never delivered as root.
  private var owner: UInt32 { getuid() == 0 ? 65_534 : getuid() }

  private var configuration: String {
    """
    exim_user = \(owner)
    exim_group = \(getuid() == 0 ? 65_534 : getgid())
    spool_directory = \(folder)/spool
    log_file_path = \(folder)/log/%slog
    pid_file_path = \(folder)/pid
    primary_hostname = localhost
    local_interfaces = 127.0.0.1
    daemon_smtp_ports = \(port) : \(tlsPort)
    tls_on_connect_ports = \(tlsPort)
    tls_advertise_hosts = *
    tls_certificate = \(folder)/cert.pem
    tls_privatekey = \(folder)/key.pem
    \(verification)
    auth_advertise_hosts = ${if def:tls_cipher{*}{}}
    smtputf8_advertise_hosts = *
    accept_8bitmime = \(takesEightBits)
    deliver_drop_privilege = true
    keep_environment =
    acl_smtp_rcpt = acl_rcpt
    acl_smtp_data = accept
    begin acl
    acl_rcpt:
      deny recipients = nobody@x.test
           message = no such user
      defer recipients = late@x.test
            message = later
      accept authenticated = *
      deny message = log in first
    begin routers
    all:
      driver = accept
      transport = folder
    begin transports
    folder:
      driver = appendfile
      directory = \(folder)/mail
      maildir_format
      user = \(owner)
      group = \(getuid() == 0 ? 65_534 : getgid())
    begin authenticators
    plain:
      driver = plaintext
      public_name = PLAIN
      server_condition = ${if and{{eq{$auth2}{me}}{eq{$auth3}{pass}}}}
      server_set_id = $auth2
    external:
      driver = external
      public_name = EXTERNAL
      server_advertise_condition = $tls_in_certificate_verified
      server_condition = ${if or{{eq{$auth1}{}}{eq{$auth1}{me}}}}
      server_set_id = certificate/$auth1

    """
  }

  private var verification: String {
    let trust = "tls_verify_certificates = \(folder)/ca.pem"
    return switch clients {
    case .none: ""
    case .asked: trust + "\ntls_try_verify_hosts = *"
    case .required: trust + "\ntls_verify_hosts = *"
    }
  }

  private func makeFolders(_ isExpired: Bool) throws {
    try ServerCertificate.make(in: folder, names: names, isExpired: isExpired)
    let script = """
      cd "$1"; mkdir spool log mail; chmod 755 .; chmod 644 exim.conf
      if [ "$(id -u)" = 0 ]; then chown -R 65534:65534 spool log mail key.pem cert.pem; chmod 644 ca.pem; fi
      """
    try Command.shell(script, [folder])
  }

  /// Starts the shell that owns the server: it waits for the end of this process, then tidies up.
  private func launch() throws {
    let script = """
      exec 3<&0; cd "$1"; trap '' INT TERM HUP
      /usr/sbin/exim4 -C "$1/exim.conf" -bdf -oP "$1/pid" < /dev/null > errors 2>&1 &
      server=$!
      read -r line <&3 || true
      kill "$server" || true
      wait "$server" || true
      cd / && rm -rf "$1"
      """
    try Command("/bin/sh", ["-c", script, "sh", folder]).startGuarded()
  }
}
