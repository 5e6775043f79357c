import TestSupport
import Testing

/// What root does for other users with an account that has both a server to send through and one with mailboxes: of their
/// entries only mail is sent.
@Suite(.enabled("needs root and a mount namespace") { PrivateSystem.canBe })
struct SystemFlushTests {
  private let sink: SMTPSink
  private let mailboxes: FakeMailServer
  private let system: PrivateSystem
  private let magnum = "\(ProgramUnderTest.products)/magnum"
  private let alice = 4001

  init() throws {
    sink = try SMTPSink()
    sink.change { $0.extensions.append("AUTH PLAIN") }
    mailboxes = try FakeMailServer([
      FakeMailServer.Mailbox("INBOX", [.init(1, "Subject: a\r\n\r\n")])
    ])
    system = try PrivateSystem(
      configuration: """
        delivery-log = "none"
        [account.system]
        address = "system@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        imap = "\(mailboxes.clearURL)"
        maildir = "/run/mail"
        sent-copy = "always"
        user = "user"
        password-command = ["sh", "-c", "id -u >> /run/asked; echo pass"]
        """,
      aliases: "default: ops@x.test\n"
    )
  }

  private func run(as user: Int, _ script: String) throws -> Outcome {
    try system.run("cd /var/spool/magnum; exec \(PrivateSystem.asUser(user)) sh -ec \"$1\"", script)
  }

  /// What the timer does; its home may be entered by all, which is none of what keeps others out.
  private func flush() throws -> Outcome {
    try system.run(
      "mkdir -p -m 755 /run/rh; HOME=/run/rh exec timeout 60 \"$1\" queue flush --system",
      magnum
    )
  }

  /// How often the password was asked for, each time by this user.
  private func asked() throws -> [String] {
    try system.run("cat /run/asked 2>/dev/null || true").lines
  }

  /// An entry that the user has written by hand.
  private func plant(_ number: Int, _ lines: String...) throws {
    let id = "\(1_795_930_454_471_071 + number).64141e97"
    let head = ["Magnum-Spool: 2", "Id: \(id)", "Account: system", "Queued: 2026-11-29T05:34:14Z"]
    let text = (head + lines).map { "\($0)\\n" }.joined() + "\\n"
    let script = """
      umask 077; mkdir -p 4001/system/queue 4001/system/log 4001/system/tmp 4001/system/failed 4001/system/hold
      printf '\(text)' > 4001/system/queue/\(id)
      """
    #expect(try run(as: alice, script).code == 0)
  }

  @Test func nothingIsDoneInMailboxes() throws {
    try plant(
      0,
      "Kind: change",
      "Change: expunge",
      "Mailbox: INBOX",
      "Uidvalidity: 1",
      "Uid: 1",
      "Message-Id: <p@x>"
    )
    try plant(1, "Kind: append", "Mailbox: INBOX")
    let flushed = try flush()
    #expect(mailboxes.connectionCount == 0, "\(flushed) \(mailboxes.requests)")
    #expect(try asked() == [], "no secret is asked for: \(flushed)")
    let left = try run(as: alice, "ls 4001/system/queue").lines
    #expect(left.contains("1795930454471071.64141e97"), "\(flushed)")
  }

  @Test func mailIsSentWithoutACopy() throws {
    let send = "printf 'Subject: a\\n\\ntext\\n' | /usr/sbin/sendmail --no-try b@x.test"
    #expect(try run(as: alice, send).code == 0)
    #expect(
      try run(
        as: alice,
        "sed -i 's/^Kind: send$/&\\nThen: append \"INBOX\"/' 4001/system/queue/*; grep Then 4001/system/queue/*"
      ).code == 0
    )
    let flushed = try flush()
    #expect(flushed.code == 0 && flushed.errors == "", "\(flushed)")
    #expect(sink.messages.map(\.to) == [["<b@x.test>"]])
    #expect(mailboxes.connectionCount == 0)
    #expect(try asked() == ["0"], "by root, once")
    #expect(try run(as: alice, "ls 4001/system/queue").lines == [])
  }

  /// Root reads none of it in the user's name: what is in a home of root's runs is not for others.
  @Test func theStateOfRootsRunsIsNotEntered() throws {
    let send = "printf 'Subject: a\\n\\ntext\\n' | /usr/sbin/sendmail --no-try p550@x.test"
    #expect(try run(as: alice, send).code == 0)
    let flushed = try flush()
    #expect(flushed.code == 1, "\(flushed)")
    #expect(
      try system.run("find /run/rh /run/mail ! -path /run/rh 2>/dev/null || true").lines == []
    )
  }

  /// Commands of another user's configuration run for no other user, wherever the environment leads.
  @Test(arguments: [
    "XDG_CONFIG_HOME=/run/home/carol/.config", "HOME=/run/home/carol",
    "HOME=/run/home/carol XDG_CONFIG_HOME=",
  ])
  func rootReadsNoConfigurationOfOthers(_ variables: String) throws {
    let setup = """
      mkdir -p /run/home/carol/.config/magnum; cd /run/home/carol/.config/magnum
      cat > config.toml <<'EOF'
      [account.own]
      address = "carol@y.test"
      maildir = "~/Mail"
      smtp = "smtp+plain://127.0.0.1:\(sink.port)"
      user = "carol"
      password-command = "id > /run/home/carol/pwned; echo pass"
      EOF
      chown -R 4003 /run/home/carol
      """
    #expect(try system.run(setup).code == 0)
    let send = "printf 'Subject: a\\n\\n' | \(variables) /usr/sbin/sendmail a@x.test"
    let outcome = try system.run("\(send); \(variables) \"$1\" status", magnum)
    #expect(try system.run("test ! -e /run/home/carol/pwned").code == 0, "\(outcome)")
    #expect(sink.messages.map { $0.from.hasPrefix("<system@x.test>") } == [true], "\(outcome)")
    let named = try system.run(
      "printf 'Subject: a\\n\\n' | /usr/sbin/sendmail -C /run/home/carol/.config/magnum/config.toml a@x.test"
    )
    #expect(
      named.code == 78
        && named.errors.contains("this directory belongs to user 4003, neither to you nor to root"),
      "\(named)"
    )
  }

  /// A user with a configuration that has no such account is not told that the mail stays.
  @Test(arguments: [0o644, 0o600])
  func theUserSeesThatRootSendsIt(_ mode: Int) throws {
    let send = "printf 'Subject: a\\n\\n' | /usr/sbin/sendmail --no-try b@x.test"
    #expect(try run(as: alice, send).code == 0)
    let setup = """
      chmod \(String(mode, radix: 8)) /etc/magnum/config.toml; mkdir -p /run/home/alice/.config/magnum; chmod 755 /run/home
      printf '[account.own]\\naddress = "a@y.test"\\nsmtp = "smtp+plain://127.0.0.1:\(sink.port)"\\n' \\
        > /run/home/alice/.config/magnum/config.toml
      chown -R 4001 /run/home/alice
      """
    #expect(try system.run(setup).code == 0)
    for command in ["/usr/sbin/sendmail -q", "\(magnum) status"] {
      let outcome = try run(as: alice, "HOME=/run/home/alice \(command)")
      #expect(outcome.code == 0, "\(command): \(outcome)")
      #expect(
        !(outcome.output + outcome.errors).contains("no such account"),
        "\(command): \(outcome)"
      )
    }
    #expect(try flush().code == 0 && sink.messages.count == 1)
  }

  /// What files of a process in /proc belong to another than root, that user can read: its memory, with passwords in it.
  @Test func theMemoryOfAProgramIsClosed() throws {
    let script = """
      cd "$(mktemp -d)"; mkfifo in; /usr/sbin/sendmail a@x.test < in & pid=$!; exec 3> in; i=0
      until [ "$(stat -c %u /proc/$pid/environ)" = 0 ]; do i=$((i + 1)); [ $i -lt 3000 ]; done; echo closed; kill $pid
      """
    #expect(try run(as: alice, script).lines == ["closed"])
  }
}
