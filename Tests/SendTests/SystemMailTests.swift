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
      cd /; \(PrivateSystem.asNobodyInParticular) php -n -r \\
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

  /// A disk that nothing can be written to: what is not kept is not taken, and what could not be noted is not sent.
  @Test func nothingIsSentFromADiskThatCannotBeWritten() throws {
    let sink = try SMTPSink(port: port)
    let send =
      "cd /; printf 'Subject: a\\n\\n' | \(PrivateSystem.asNobodyInParticular) /usr/sbin/sendmail"
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
}
