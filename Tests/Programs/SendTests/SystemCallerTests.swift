import Glibc
import TestSupport
import Testing

/// The programs that send mail to root, each as Debian has it, with magnum-send as the sendmail of the machine: what they
/// hand over arrives octet for octet, except for what magnum-send(1) says is done to a message.
@Suite(.enabled("needs root and a mount namespace") { PrivateSystem.canBe })
struct SystemCallerTests {
  /// A caller: how it is made to send one message, and what it hands over.
  struct Caller: Sendable, CustomTestStringConvertible {
    let name: String
    /// Runs as root in the system of its own; "$1" is the folder of the unpacked package.
    let script: String
    /// The arguments that it gives to sendmail; HOST stands for the name of the machine.
    let arguments: String
    /// The field From that arrives.
    let from: String
    /// The end of a line of the text.
    let line: String

    var testDescription: String { name }

    var folder: String { UnpackedPackage.folder(name) }

    /// Whether it is here: unpacked by Tests/need, or a program of the machine.
    var isThere: Bool {
      name == "cron" || Files.exists(folder)
        || (try? Command.shell("command -v \"$1\"", [name])) != nil
    }
  }

  /// Lines of a script in Python that run what unattended-upgrade runs to send mail, without python3-apt.
  private static let unattended = """
    import ast, email.charset, locale, subprocess, sys
    from email.message import Message
    path = sys.argv[1] + '/usr/bin/unattended-upgrade'
    name = '_send_mail_using_sendmail'
    tree = ast.parse(open(path).read())
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    space = dict(globals(), SENDMAIL_BINARY='/usr/sbin/sendmail')
    exec(compile(tree, path, 'exec'), space)
    space[name]('root', 'root', 'unattended-upgrades result for vm: SUCCESS', 'Packages:\\n libc6 \\u00e4\\n')
    """

  private static let callers = [
    Caller(
      name: "mdadm",
      script: "\"$1\"/sbin/mdadm --monitor --oneshot --test --mail=root /dev/md99",
      arguments: "-t",
      from: "\"mdadm monitoring (root@HOST)\" <root@x.test>",
      line: "A TestMessage event had been detected on md device /dev/md99."
    ),
    Caller(
      name: "sudo",
      script: """
        echo '%daemon ALL=(ALL) ALL' > /etc/sudoers; chmod 440 /etc/sudoers
        cp /etc/pam.d/cron /etc/pam.d/sudo
        echo "Path plugin_dir $1/usr/libexec/sudo/" > /etc/sudo.conf
        LD_LIBRARY_PATH=$1/usr/libexec/sudo "$1"/usr/bin/sudo -n /bin/true 2> /dev/null || true
        """,
      arguments: "-t",
      from: "root <root@x.test>",
      line: "user NOT in sudoers ; PWD=/ ; USER=root ; COMMAND=/bin/true"
    ),
    Caller(
      name: "at",
      script: """
        cp /etc/pam.d/cron /etc/pam.d/atd; cd /var/spool/cron; mkdir atjobs atspool; echo 0 > atjobs/.SEQ
        chown -R daemon:daemon atjobs atspool; cd /
        printf 'echo it happened; echo .; echo more\\n' | "$1"/usr/bin/at now 2> /dev/null
        "$1"/usr/sbin/atd -d > /dev/null 2>&1 & atd=$!
        for i in $(seq 300); do [ -e /run/sent ] && break; sleep 0.1; done; kill $atd
        """,
      arguments: "-i root",
      from: "root <root@x.test>",
      line: "it happened"
    ),
    Caller(
      name: "mailutils",
      script: """
        export LD_LIBRARY_PATH=$1/usr/lib/$(uname -m)-linux-gnu
        printf 'text\\n..\\nmore \\303\\244\\n' | "$1"/usr/bin/mail.mailutils -s s -a 'X-A: 1' root
        """,
      arguments: "-oi -f root@HOST -t",
      from: "root <root@x.test>",
      line: ".."
    ),
    Caller(
      name: "logwatch",
      script: """
        mkdir -p /run/lw /etc/logwatch/conf; echo 'TmpDir = /run/lw' > /etc/logwatch/conf/logwatch.conf
        base=$1/usr/share/logwatch
        sed "s,/usr/share/logwatch,$base," "$base/scripts/logwatch.pl" > /run/logwatch.pl
        perl /run/logwatch.pl --output mail --mailto root --range all --service zz-disk_space --detail high
        """,
      arguments: "-t",
      from: "root <root@x.test>",
      line: " --------------------- Disk Space Begin ------------------------ "
    ),
    Caller(
      name: "unattended-upgrades",
      script: "cat > /run/script << 'EOF'\n\(unattended)\nEOF\npython3 /run/script \"$1\"",
      arguments: "-oi -t",
      from: "root <root@x.test>",
      line: " libc6 =C3=A4"
    ),
    Caller(
      name: "bsd-mailx",
      script: "printf 'text\\n..\\nmore\\n' | bsd-mailx -n -I -s s root",
      arguments: "-i -t",
      from: "root <root@x.test>",
      line: ".."
    ),
    Caller(
      name: "php",
      script:
        "php -n -r 'exit(mail(\"root\", \"s\", \"text\\n.\\r\\nmore\", \"X-A: 1\") ? 0 : 1);'",
      arguments: "-t -i",
      from: "root <root@x.test>",
      line: "."
    ),
    // In the form of child_process() in Debian's do_command.c; SystemMailTests runs cron itself, which waits for a minute
    // to begin.
    Caller(
      name: "cron",
      script: """
        printf '%s\\n' 'From: root (Cron Daemon)' 'To: root' 'Subject: Cron <root@h> job' \\
          'MIME-Version: 1.0' 'Content-Type: text/plain; charset=UTF-8' \\
          'Content-Transfer-Encoding: 8bit' 'X-Cron-Env: <HOME=/root>' '' 'it happened' |
          /usr/sbin/sendmail -FCronDaemon -i -B8BITMIME -oem root
        """,
      arguments: "-FCronDaemon -i -B8BITMIME -oem root",
      from: "\"root (Cron Daemon)\" <root@x.test>",
      line: "it happened"
    ),
  ]

  private let sink: SMTPSink
  private let system: PrivateSystem

  init() throws {
    sink = try SMTPSink()
    system = try PrivateSystem(
      configuration: """
        delivery-log = "none"
        [account.system]
        address = "root@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        """,
      aliases: "default: ops@x.test\n"
    )
    // What is handed over is kept before magnum-send gets it.
    let script = """
      sed -i 's/^root:[^:]*:0:0:[^:]*:/root:x:0:0:root:/' /etc/passwd
      touch /run/magnum-send; mount --bind /usr/sbin/sendmail /run/magnum-send; umount /usr/sbin/sendmail
      printf '%s\\n' '#!/bin/sh' 'cat > /run/given; echo "$@" > /run/arguments' \\
        '/run/magnum-send "$@" < /run/given; status=$?; touch /run/sent; exit $status' > /run/sendmail
      chmod 755 /run/sendmail; mount --bind /run/sendmail /usr/sbin/sendmail
      """
    let outcome = try system.run(script)
    try #require(outcome.code == 0, "\(outcome)")
  }

  @Test(arguments: callers.filter(\.isThere))
  func whatIsHandedOverArrives(_ caller: Caller) throws {
    let script = "cd /; HOME=/nonexistent; export HOME; unset MAIL USER LOGNAME; \(caller.script)"
    let outcome = try system.run(script, caller.folder)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    // Some do not wait for it.
    #expect(Stopwatch.wait(upTo: 20) { !sink.messages.isEmpty })
    let given = GivenMessage(try system.run("cat /run/given").outputOctets)
    let host = try system.run("uname -n").lines.first ?? ""
    #expect(
      try system.run("cat /run/arguments").lines
        == [caller.arguments.replacing("HOST", with: host)]
    )
    let message = try #require(sink.messages.first)
    #expect(sink.messages.count == 1)
    #expect(message.to == ["<ops@x.test> ORCPT=rfc822;root"])
    #expect(message.from.hasPrefix("<root@x.test>"), "\(message.from)")
    #expect(given.body.contains { $0.hasSuffix(caller.line) }, "\(given.body)")
    given.expectArrived(
      message,
      from: caller.from.replacing("HOST", with: host),
      root: "root <ops@x.test>"
    )
  }
}
