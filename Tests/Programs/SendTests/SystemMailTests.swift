import Glibc
import TestSupport
import Testing

/// magnum-send as the sendmail of a machine, for users who have no home and are not logged in.
@Suite(.enabled("needs root and a mount namespace") { PrivateSystem.canBe })
struct SystemMailTests {
  private let port: UInt16
  private let system: PrivateSystem

  init() throws {
    port = try Loopback.freePort()
    system = try PrivateSystem(
      configuration: """
        delivery-log = "none"
        [account.system]
        address = "root@x.test"
        smtp = "smtp+plain://127.0.0.1:\(port)"
        """,
      aliases: "default: ops@x.test\n"
    )
  }

  /// The line of the unit that the system's timer starts, some seconds from now.
  private func timer(in seconds: Int = 0) throws -> Outcome {
    let unit = Files.text("examples/systemd/system/magnum-queue-system.service") ?? ""
    let line = unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }
    let words = try #require(line).split(separator: " ").dropFirst().joined(separator: " ")
    let program = "\(ProgramUnderTest.products)/magnum"
    let clock = try Preload.variables(clock: "/run/clock").map { "\($0)=\($1)" }
    return try system.run(
      "echo \(seconds) > /run/clock; HOME=/nonexistent exec env \(clock.joined(separator: " ")) \"$1\" \(words)",
      program
    )
  }

  private func queued() throws -> [String] {
    try system.run("cd /var/spool/magnum/33/system/queue 2>/dev/null && ls || true").lines
  }

  @Test func whatPHPSendsWhileTheRelayIsAwayArrives() throws {
    let script = """
      cd /; \(PrivateSystem.asUserWithoutHome) php -n -r \\
        'exit(mail("a\\x40x.test", "from the web", "text\n", "Bcc: b\\x40x.test") ? 0 : 1);'
      """
    let outcome = try system.run(script)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try queued().count == 1)
    let away = try timer()
    #expect(away.code == 75 && away.errors.contains("Connection refused"), "\(away)")
    #expect(try queued().count == 1)
    let sink = try SMTPSink(port: port)
    let back = try timer(in: 600)
    #expect(back.code == 0 && back.errors == "", "\(back)")
    let message = try #require(sink.messages.first)
    #expect(sink.messages.count == 1 && message.from.hasPrefix("<root@x.test>"), "\(message)")
    #expect(message.to.map { $0.prefix(10) } == ["<a@x.test>", "<b@x.test>"])
    #expect(message.text.contains("Subject: from the web\n") && !message.text.contains("Bcc"))
    #expect(try queued() == [])
  }

  /// fail2ban and others write to root@localhost if nothing else is said.
  @Test func mailToTheMachineItselfIsMailToItsNames() throws {
    let sink = try SMTPSink(port: port)
    let send = "\(PrivateSystem.asUserWithoutHome) /usr/sbin/sendmail -f fail2ban"
    let script = "cd /; echo | \(send) root@localhost www-data@LocalHost"
    let outcome = try system.run(script)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(sink.messages.map(\.to) == [["<ops@x.test> ORCPT=rfc822;root@localhost"]])
  }

  /// A user with a home, who may not read the password of the system's account.
  @Test func rootSendsWhatAUserMayNot() throws {
    let sink = try SMTPSink(port: port)
    let setup = """
      echo secret > /etc/magnum/password; chmod 600 /etc/magnum/password
      printf '\n%s\n' 'password-file = "/etc/magnum/password"' >> /etc/magnum/config.toml
      mkdir -p /run/home/carol; chown 4003 /run/home/carol; chmod 755 /run/home
      echo 'carol:x:4003:4003::/run/home/carol:/bin/sh' >> /etc/passwd
      """
    #expect(try system.run(setup).code == 0)
    sink.change { $0.extensions.append("AUTH PLAIN") }
    let carol = "\(PrivateSystem.asUser(4003)) env HOME=/run/home/carol"
    let send = "cd /; printf 'Subject: a\\n\\n' | \(carol) /usr/sbin/sendmail carol"
    let outcome = try system.run(send)
    let line = "magnum-send: system: queued; the system's timer sends it\n"
    #expect(outcome.code == 0 && outcome.errors == line, "\(outcome)")
    #expect(sink.messages.isEmpty)
    let list = try system.run("\(carol) \"$1\" queue list", "\(ProgramUnderTest.products)/magnum")
    #expect(list.lines.count == 1, "it is listed: \(list)")
    let all = try system.run("mailq")
    #expect(all.lines.count == 4 && all.output.contains("ops@x.test"), "root sees all: \(all)")
    #expect(try timer().code == 0)
    #expect(sink.messages.map(\.to) == [["<ops@x.test> ORCPT=rfc822;carol"]])
    let nowhere = try system.run("rm -rf /var/spool/magnum; \(send)")
    #expect(nowhere.code == 78 && nowhere.errors.contains("mkdir -m 1777"), "\(nowhere)")
    #expect(sink.messages.count == 1)
    // With a configuration and a name of the user's own.
    let own = """
      mkdir -p /run/home/carol/.config/magnum; cd /run/home/carol/.config/magnum
      printf '[account.own]\naddress = "carol@y.test"\nsmtp = "smtp+plain://127.0.0.1:\(port)"\n' > config.toml
      chmod 600 config.toml; chown -R 4003 /run/home/carol
      """
    #expect(try system.run(own).code == 0)
    let mine = try system.run(send)
    #expect(
      mine.code == 0 && sink.messages.last?.to == ["<carol@y.test> ORCPT=rfc822;carol"],
      "\(mine)"
    )
    let root = try system.run(send.replacing("sendmail carol", with: "sendmail root"))
    #expect(
      root.code == 0 && sink.messages.last?.to == ["<ops@x.test> ORCPT=rfc822;root"],
      "\(root)"
    )
  }

  /// Without aliases any local name is the account.
  @Test func mailToRootNeedsNoAliases() throws {
    let sink = try SMTPSink(port: port)
    let script =
      "rm -f /etc/magnum/aliases /etc/aliases; printf 'To: root\\n\\n' | /usr/sbin/sendmail -t"
    #expect(try system.run("cd /; HOME=/nonexistent; export HOME; \(script)").code == 0)
    #expect(sink.messages.last?.to == ["<root@x.test> ORCPT=rfc822;root"])
  }

  /// A list of the administrator's own, and a user who may not read it.
  @Test func aListThatTheSenderMayNotReadIsNamed() throws {
    let sink = try SMTPSink(port: port)
    let setup = """
      printf 'root: :include:/etc/magnum/admins\\n' > /etc/magnum/aliases
      printf 'a@x.test\\nb@x.test\\n' > /etc/magnum/admins; chmod 600 /etc/magnum/admins
      """
    #expect(try system.run(setup).code == 0)
    let send = "cd /; printf 'Subject: a\\n\\n' |"
    let refused = try system.run(
      "\(send) \(PrivateSystem.asUserWithoutHome) /usr/sbin/sendmail root"
    )
    #expect(
      refused.code == 78
        && refused.errorLines == [
          "magnum-send: /etc/magnum/aliases:1: :include:/etc/magnum/admins: Permission denied",
          "hint: the user who sends must be able to read it",
        ],
      "\(refused)"
    )
    #expect(try queued() == [] && sink.messages.isEmpty)
    #expect(try system.run("\(send) HOME=/nonexistent /usr/sbin/sendmail root").code == 0)
    #expect(sink.messages.flatMap(\.to).map { $0.prefix(10) } == ["<a@x.test>", "<b@x.test>"])
  }

  /// As in a chroot that has no /proc.
  @Test func theCommandLineIsReadWithoutProc() throws {
    let outcome = try system.run(
      "exec unshare -m sh -c 'mount -t tmpfs tmpfs /proc; /usr/sbin/sendmail --version; \"$1\" queue --help' sh \"$1\"",
      "\(ProgramUnderTest.products)/magnum"
    )
    #expect(
      outcome.code == 0 && outcome.lines.first?.hasPrefix("magnum-send ") ?? false,
      "\(outcome)"
    )
    #expect(outcome.output.contains("USAGE: magnum queue"), "\(outcome)")
  }

  /// A disk that nothing can be written to: what is not kept is not taken, and what could not be noted is not sent.
  @Test func nothingIsSentFromADiskThatCannotBeWritten() throws {
    let sink = try SMTPSink(port: port)
    let send =
      "cd /; printf 'Subject: a\\n\\n' | \(PrivateSystem.asUserWithoutHome) /usr/sbin/sendmail"
    #expect(try system.run("\(send) --no-try a@x.test").code == 0)
    _ = try system.run("mount -o remount,ro /var/spool")
    let outcome = try system.run("\(send) b@x.test")
    #expect(outcome.code == 73 && outcome.errors.contains("Read-only file system"), "\(outcome)")
    #expect(outcome.errors.contains("not queued"), "\(outcome)")
    let flush = try timer()
    #expect(flush.code != 0 && flush.errors.contains("Read-only file system"), "\(flush)")
    #expect(sink.messages.isEmpty)
    _ = try system.run("mount -o remount,rw /var/spool")
    #expect(try timer().code == 0 && queued() == [])
    #expect(sink.messages.map(\.to) == [["<a@x.test>"]])
  }

  /// cron starts jobs when the minute begins, and only then.
  @Test(.enabled("needs cron (Tests/need cron)") { PrivateSystem.cron != nil })
  func whatAJobOfCronSaysArrives() throws {
    let script = """
      printf 'HOME=/\n* * * * * echo it happened\n' > /var/spool/cron/crontabs/www-data
      chmod 600 /var/spool/cron/crontabs/www-data; exec timeout 90 "$1" -f
      """
    let cron = try system.command(script, [PrivateSystem.cron ?? ""]).start()
    #expect(Stopwatch.wait(upTo: 70) { (try? queued().count) == 1 })
    cron.signal(SIGTERM)
    _ = cron.wait()
    let sink = try SMTPSink(port: port)
    #expect(try timer(in: 600).code == 0)
    let message = try #require(sink.messages.first)
    #expect(message.to == ["<ops@x.test> ORCPT=rfc822;www-data"], "\(message.to)")
    #expect(message.text.contains("Subject: Cron <www-data@"), "\(message.text)")
    #expect(message.text.hasSuffix("\n\nit happened\n"), "\(message.text)")
  }

  /// A program of the system's account runs as who sent the message, with no way back to root, and never as root.
  @Test func aProgramRunsAsTheSender() throws {
    let script = """
      mkdir -m 1777 /run/shared
      cat > /run/shared/program <<'end'
      { id -ru; id -u; id -G; echo "$HOME$SECRET"; grep ^CapPrm /proc/self/status; } > /run/shared/seen
      end
      cat > /etc/magnum/config.toml <<'end'
      delivery-log = "none"
      [account.system]
      address = "root@x.test"
      send-command = ["sh", "/run/shared/program"]
      end
      printf 'Subject: 1\n\n' | \(PrivateSystem.asUserWithoutHome) /usr/sbin/sendmail -odq a@x.test
      SECRET=1 HOME=/nonexistent "$1" queue flush --system; cat /run/shared/seen
      """
    let sent = try system.run(script, "\(ProgramUnderTest.products)/magnum")
    #expect(sent.code == 0, "\(sent)")
    let lines = Array(sent.lines.suffix(5))
    #expect(lines.prefix(3) == ["33", "33", "33"], "\(sent)")
    #expect(lines.count == 5 && lines[3] == "/var/www", "\(sent)")
    #expect(lines.last?.hasSuffix("\t0000000000000000") == true, "\(sent)")
    let own = try system.run("printf 'Subject: 1\n\n' | /usr/sbin/sendmail a@x.test")
    #expect(own.code == 78 && own.errors.contains("never runs as root"), "\(own)")
  }
}
