import Glibc

/// A real Postfix on 127.0.0.1, without a system service, that takes mail from any user with the password "pass".
///
/// It asks a Dovecot of the tests whether that is so. Its certificate is for `localhost`, signed by an authority of its
/// own. It runs from where `Tests/need` unpacked it, since its package and Exim's exclude each other, or from the
/// system. It ends, and its folder goes, when the test process ends in whatever way.
package final class Postfix: Sendable {
  /// The port for clear text and STARTTLS.
  package let port: UInt16

  /// The port for TLS from the first octet.
  package let tlsPort: UInt16

  /// The folder of its files.
  package let folder: String

  /// The file with the authority that signed its certificate.
  package var trustFile: String { "\(folder)/ca.pem" }

  /// Whether there is one that can be run: its master process has to be root.
  package static var canRun: Bool { getuid() == 0 && place != nil }

  /// The folder of its programs and libraries.
  private static let place: String? = {
    let places = ["\(UnpackedPackage.folder("postfix"))/usr/lib/postfix", "/usr/lib/postfix"]
    return places.first { access("\($0)/sbin/master", X_OK) == 0 }
  }()

  private let authenticationPort: UInt16
  private let takesEightBits: Bool

  /// Starts a server.
  ///
  /// - Parameter takesEightBits: whether it has 8BITMIME.
  /// - Throws: `HarnessError` when it does not answer within a minute.
  package init(takesEightBits: Bool = true) throws {
    self.takesEightBits = takesEightBits
    port = try Loopback.freePort()
    tlsPort = try Loopback.freePort()
    authenticationPort = try Loopback.freePort()
    try Postfix.judgeSecrets(at: authenticationPort)
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    folder = String(try Command.shell("mktemp -d \"$1/magnum-postfix.XXXXXX\"", [base]).dropLast())
    try ServerCertificate.make(in: folder)
    try makeFolders()
    try Files.write(mainSettings, to: "\(folder)/etc/main.cf")
    try Files.write(services, to: "\(folder)/etc/master.cf")
    try launch()
    guard Stopwatch.wait(upTo: 60, until: answers) else {
      throw HarnessError("postfix does not answer: \(log)\(Files.text("\(folder)/errors") ?? "")")
    }
  }

  /// What it wrote to its log, for a failed test.
  package var log: String { Files.text("\(folder)/log") ?? "" }

  /// The messages that it delivered, in the order of their files, with what it puts on top of each.
  package var messages: [String] {
    Files.names(in: "\(folder)/mail/in/new").map { String(decoding: $0, as: UTF8.self) }.sorted()
      .compactMap { Files.text("\(folder)/mail/in/new/\($0)") }
  }

  /// A Dovecot that says who may log in.
  private static func judgeSecrets(at port: UInt16) throws {
    var options = DovecotOptions()
    options.mechanisms = "plain login"
    options.lines = [
      "service auth {", "  inet_listener {", "    address = 127.0.0.1", "    port = \(port)", "  }",
      "}",
    ]
    _ = try Dovecot.shared(options)
  }

  private func answers() -> Bool {
    guard let descriptor = try? Loopback.connect(port: port) else { return false }
    defer { close(descriptor) }
    return Loopback.receive(descriptor, seconds: 5)?.starts(with: Array("220".utf8)) == true
  }

  /// Its users are two that every system has and that own nothing: to make users of its own would change the machine.
  private var mainSettings: String {
    """
    compatibility_level = 3.6
    queue_directory = \(folder)/spool
    data_directory = \(folder)/data
    daemon_directory = \(Postfix.place ?? "")/sbin
    shlib_directory = \(Postfix.place ?? "")
    import_environment = MAIL_CONFIG { LD_LIBRARY_PATH=\(Postfix.place ?? "") }
    mail_owner = uucp
    setgid_group = news
    maillog_file = \(folder)/log
    maillog_file_prefixes = \(folder)
    inet_interfaces = 127.0.0.1
    inet_protocols = ipv4
    myhostname = localhost
    mydestination =
    local_recipient_maps =
    mynetworks =
    alias_maps =
    alias_database =
    smtpd_tls_cert_file = \(folder)/cert.pem
    smtpd_tls_key_file = \(folder)/key.pem
    smtpd_tls_security_level = may
    smtpd_tls_auth_only = yes
    smtpd_sasl_auth_enable = yes
    smtpd_sasl_type = dovecot
    smtpd_sasl_path = inet:127.0.0.1:\(authenticationPort)
    smtpd_relay_restrictions = permit_sasl_authenticated, reject
    smtpd_recipient_restrictions =
      check_recipient_access inline:{{nobody@x.test = 550 no such user}, {late@x.test = 450 later}},
      permit_sasl_authenticated, reject
    smtpd_forbid_bare_newline = yes
    smtpd_discard_ehlo_keywords = \(takesEightBits ? "" : "8bitmime")
    virtual_mailbox_domains = x.test
    virtual_mailbox_base = \(folder)/mail
    virtual_mailbox_maps = static:in/
    virtual_uid_maps = static:65534
    virtual_gid_maps = static:65534

    """
  }

  private var services: String {
    """
    127.0.0.1:\(port) inet n - n - - smtpd
    127.0.0.1:\(tlsPort) inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
    pickup unix n - n 60 1 pickup
    cleanup unix n - n - 0 cleanup
    qmgr unix n - n 300 1 qmgr
    rewrite unix - - n - - trivial-rewrite
    bounce unix - - n - 0 bounce
    defer unix - - n - 0 bounce
    trace unix - - n - 0 bounce
    virtual unix - n n - - virtual
    anvil unix - - n - 1 anvil
    tlsmgr unix - - n 1000? 1 tlsmgr
    postlog unix-dgram n - n - 1 postlogd

    """
  }

  private func makeFolders() throws {
    let script = """
      cd "$1"; chmod 755 .; mkdir etc spool data mail
      cd spool; mkdir active bounce corrupt defer deferred flush hold incoming maildrop pid private public saved trace
      chown uucp ../data active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace
      chown 65534:65534 ../mail
      """
    try Command.shell(script, [folder])
  }

  /// Starts the shell that owns the server: it waits for the end of this process, then tidies up.
  private func launch() throws {
    let script = """
      exec 3<&0; cd "$1"; trap '' INT TERM HUP
      LD_LIBRARY_PATH=$2 "$2/sbin/master" -c "$1/etc" < /dev/null > errors 2>&1 &
      server=$!
      read -r line <&3 || true
      kill "$server" || true
      wait "$server" || true
      cd / && rm -rf "$1"
      """
    try Command("/bin/sh", ["-c", script, "sh", folder, Postfix.place ?? ""]).startGuarded()
  }
}
