import TestSupport
import Testing

/// Users of one machine who attack each other, and root, who sends for all of them.
@Suite(.enabled("needs root and a mount namespace") { PrivateSystem.canBe })
struct HostileUserTests {
  private let sink: SMTPSink
  private let system: PrivateSystem

  /// www-data, who has no home.
  private let victim = 33

  private let alice = 4001

  init() throws {
    let sink = try SMTPSink()
    let accounts = ["system", "boss"].map { name in
      """
      [account.\(name)]
      address = "\(name)@x.test"
      smtp = "smtp+plain://127.0.0.1:\(sink.port)"
      report-failures-to = "admin@x.test"
      \(name == "boss" ? "users = [\"www-data\", \"4002\"]" : "")
      """
    }
    system = try PrivateSystem(
      configuration: (["default-account = \"system\"", "delivery-log = \"none\""] + accounts)
        .joined(separator: "\n"),
      aliases: "default: ops@x.test\n"
    )
    self.sink = sink
  }

  /// Runs a script as a user, in the place of all spools.
  @discardableResult
  private func run(as user: Int, _ script: String) throws -> Outcome {
    try system.run("cd /var/spool/magnum; exec \(PrivateSystem.asUser(user)) sh -ec \"$1\"", script)
  }

  private func send(as user: Int, _ arguments: String) throws -> Outcome {
    try run(as: user, "printf 'Subject: a\\n\\ntext\\n' | /usr/sbin/sendmail \(arguments)")
  }

  /// What the timer of the system does; nothing keeps it for long.
  private func flush() throws -> Outcome {
    try system.run(
      "HOME=/nonexistent exec timeout 20 \"$1\" queue flush --system",
      "\(ProgramUnderTest.products)/magnum"
    )
  }

  @Test(arguments: ["mkdir -m 777 33", "mkdir -m 700 33", "mkdir a; ln -s $PWD/a 33", "echo > 33"])
  func aNameThatIsTakenKeepsNoUserFromSending(_ trap: String) throws {
    #expect(try run(as: alice, trap).code == 0)
    let outcome = try send(as: victim, "--no-try a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    _ = try send(as: victim, "--no-try b@x.test")
    #expect(try run(as: victim, "ls 33.*/system/queue").lines.count == 2, "both in one place")
    #expect(try run(as: alice, "ls 33.*/").code != 0)
    let list = try run(as: victim, "/usr/sbin/sendmail -bp")
    #expect(list.output.contains("a@x.test") && list.output.contains("b@x.test"), "\(list)")
    let flushed = try flush()
    #expect(sink.messages.map(\.to) == [["<a@x.test>"], ["<b@x.test>"]], "\(flushed)")
    #expect(!trap.contains("700") || flushed.errors.contains("/33: "), "root is told: \(flushed)")
    #expect(flushed.code == 0, "other users' directories are no failure of the run: \(flushed)")
  }

  @Test func aQueueOfAnotherAccountIsNotSent() throws {
    _ = try send(as: victim, "--no-try a@x.test")
    try run(as: victim, "mv 33/system 33/boss")
    let flushed = try flush()
    #expect(flushed.code == 1 && sink.messages.map(\.to) == [["<admin@x.test>"]], "\(flushed)")
    let list = try system.run(
      "HOME=/nonexistent \"$1\" queue list --system",
      "\(ProgramUnderTest.products)/magnum"
    )
    #expect(list.output.contains("put into the queue of the account system"), "\(list)")
  }

  @Test func anAccountIsForItsUsersOnly() throws {
    for user in [victim, 4002] {
      #expect(try send(as: user, "--account boss a@x.test").code == 0)
    }
    #expect(sink.messages.map { $0.from.hasPrefix("<boss@x.test>") } == [true, true])
    let refused = try send(as: alice, "--account boss a@x.test")
    #expect(refused.code == 77 && refused.errors.contains("is not for this user"), "\(refused)")
    #expect(try send(as: alice, "-f boss@x.test --no-try a@x.test").code == 0)
    let forged = "cd 4001; mv system boss; sed -i 's/^Account: system/Account: boss/' boss/queue/*"
    try run(as: alice, forged)
    let flushed = try flush()
    #expect(
      flushed.code == 1 && flushed.errors.contains("boss of user 4001: 1 waiting"),
      "\(flushed)"
    )
    #expect(sink.messages.count == 2)
  }

  /// Root is told of what failed, sees it, and can do something about it.
  @Test func rootIsToldOfWhatFailed() throws {
    let magnum = "\(ProgramUnderTest.products)/magnum"
    _ = try send(as: victim, "--no-try p550@x.test")
    #expect(try flush().code == 1)
    let report = try #require(sink.messages.first)
    #expect(report.from.hasPrefix("<>") && report.to == ["<admin@x.test>"], "\(report)")
    #expect(
      report.text.contains("550 5.1.1 no such user")
        && report.text.contains("From: Magnum <system@")
    )
    #expect(try flush().code == 0 && sink.messages.count == 1, "once")
    let list = try system.run("HOME=/nonexistent \"$1\" queue list --system", magnum)
    #expect(list.lines.first?.contains("failed  system of user 33") ?? false, "\(list)")
    let id = try #require(list.lines.first?.split(separator: " ").first.map { "\($0)" })
    let status = try system.run("HOME=/nonexistent \"$1\" status", magnum)
    #expect(status.code == 1 && status.output.contains("/var/spool/magnum  1 failed"), "\(status)")
    let shown = try system.run("HOME=/nonexistent \"$1\" queue show \"$2\"", magnum, id)
    #expect(shown.output.contains("Envelope-To: <p550@x.test>"), "\(shown)")
    let editor = try system.run(
      "HOME=/nonexistent EDITOR=true \"$1\" queue edit \"$2\"",
      magnum,
      id
    )
    #expect(editor.code == 1 && editor.errors.contains("no editor is started"), "\(editor)")
    let new = try system.run(
      "printf 'Subject: new\\n\\n' | HOME=/nonexistent \"$1\" queue edit --message - \"$2\"",
      magnum,
      id
    )
    #expect(new.code == 0, "\(new)")
    let fresh = try #require(new.lines.first)
    let edited = try system.run(
      "HOME=/nonexistent \"$1\" queue edit --to a@x.test \"$2\"",
      magnum,
      fresh
    )
    #expect(edited.code == 0, "\(edited)")
    #expect(try flush().code == 0 && sink.messages.last?.to == ["<a@x.test>"])
    #expect(try system.run("find /var/spool/magnum/33 ! -user 33").lines == [])
    let other = try send(as: alice, "--no-try a@x.test")
    #expect(other.code == 0)
    #expect(try run(as: alice, "\(magnum) queue list --system").code == 64)
  }

  /// Nothing in a directory that another user made is used, least of all what would be root's own.
  @Test(arguments: ["0.feed", "33"])
  func whatIsPlantedInANameIsNotTold(_ name: String) throws {
    _ = try send(as: alice, "--no-try p550@x.test")
    _ = try flush()
    sink.clear()
    try run(as: alice, "rm -f 4001/system/log/*; cp -r 4001 \(name); chmod -R a+rX \(name)")
    try run(as: alice, "rm -rf 4001")
    for _ in 1...2 {
      let flushed = try flush()
      #expect(
        flushed.code == 0 && flushed.errors.contains("/\(name): belongs to user 4001: not used")
      )
    }
    #expect(sink.messages.isEmpty)
    let list = try system.run(
      "HOME=/nonexistent \"$1\" queue list --system",
      "\(ProgramUnderTest.products)/magnum"
    )
    #expect(list.lines == [], "\(list)")
  }

  /// Every third point is tried, beginning with one that the commit decides.
  @Test func rootsFlushSurvivesKills() throws {
    _ = try send(as: victim, "--no-try p550@x.test b@x.test")
    _ = try send(as: alice, "--no-try a@x.test")
    _ = try system.run("cp -a /var/spool/magnum /run/saved")
    let magnum = "\(ProgramUnderTest.products)/magnum"
    func flush(_ fault: String) throws -> Outcome {
      try system.run("HOME=/nonexistent exec env \(fault) \"$1\" queue flush --system", magnum)
    }
    #expect(try flush("MAGNUM_FAULT_COUNT=/run/points").code == 1)
    let points = try system.run("cat /run/points").lines.first.flatMap { Int($0) } ?? 0
    try #require(points > 50)
    for point in Turn.chosen(of: points, every: 3) {
      _ = try system.run("cd /var/spool/magnum; rm -rf ./*; cp -a /run/saved/. .")
      sink.clear()
      let killed = try flush("MAGNUM_FAULT=\(point)")
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let isWindow = try isWindowOpen()
      for _ in 1...3 { _ = try self.flush() }
      let place = "point \(point): \(killed.errors)"
      for name in ["a", "b", "admin"] {
        let count = sink.messages.count { $0.to == ["<\(name)@x.test>"] }
        try #require(count == 1 || count == 2 && (isWindow || name == "admin"), "\(name), \(place)")
      }
      let left = try system.run("cd /var/spool/magnum; ls */system/queue/* */system/hold/* || true")
      try #require(left.lines == [], "\(place)")
      let failed = try system.run("cd /var/spool/magnum; ls 33/system/failed").lines
      try #require(failed.count == 1, "\(place)")
      try #require(try system.run("find /var/spool/magnum/33 ! -user 33").lines == [], "\(place)")
    }
  }

  /// Whether a log announces the end of a message, and has no answer to it; half a line at its end does not count.
  private func isWindowOpen() throws -> Bool {
    let script = """
      cd /var/spool/magnum; for log in */system/log/*; do
        words=; while read -r time word rest; do words="$words $word"; done < "$log"
        case $words in *accepted*) ;; *sending*) echo "$log" ;; esac
      done
      """
    return try system.run(script).lines != []
  }

  /// The outcome of a message is that of its recipients, for root too: a copy that was refused is a note.
  @Test func aRefusedCopyIsNoFailure() throws {
    _ = try send(as: alice, "--no-try a@x.test")
    let script = """
      cd 4001/system; id=$(ls queue); sed -i 's/^Kind: send$/&\\nThen: append "Sent"/' queue/$id
      printf '2026-11-29T05:34:14Z accepted 1 250%%20ok\\n2026-11-29T05:34:15Z rejected 1 no%%20such%%20mailbox\\n' > log/$id
      mv queue/$id failed
      """
    #expect(try run(as: alice, script).code == 0)
    let magnum = "\(ProgramUnderTest.products)/magnum"
    let status = try system.run(
      "HOME=/nonexistent \"$1\" status; HOME=/nonexistent \"$1\" status --json",
      magnum
    )
    #expect(
      status.code == 0 && status.output.contains("/var/spool/magnum  1 sent; no copy kept"),
      "\(status)"
    )
    #expect(
      status.output.contains("\"failed\":0,") && status.output.contains("\"uncopied\":1"),
      "\(status)"
    )
    #expect(
      try flush().code == 0 && sink.messages.isEmpty,
      "the administrator gets no mail about it"
    )
  }

  @Test func manyFailuresOfOneUserAreReportedOnce() throws {
    for _ in 1...5 { _ = try send(as: alice, "--no-try p550@x.test") }
    #expect(try flush().code == 1)
    #expect(sink.messages.map(\.to) == [["<admin@x.test>"]])
    let text = sink.messages.first?.text ?? ""
    #expect(
      text.contains("Subject: 5 messages not sent\n") && text.contains("550 5.1.1"),
      "\(text)"
    )
    #expect(try flush().code == 0 && sink.messages.count == 1)
  }

  /// One's own queue, with a directory beside it that one cannot read.
  @Test func aDirectoryThatCannotBeReadKeepsNoOtherFromItsWork() throws {
    _ = try send(as: victim, "--no-try t450@x.test")
    try run(as: victim, "mkdir -m 000 33/other")
    let sent = try send(as: victim, "a@x.test")
    #expect(sent.code == 0 && sent.errors == "" && sink.messages.count == 1, "\(sent)")
    let refused = try send(as: victim, "--wait p550@x.test")
    #expect(refused.code == 65, "\(refused)")
    let list = try run(as: victim, "/usr/sbin/sendmail -bp")
    #expect(list.code != 0 && list.output.contains("t450@x.test"), "\(list)")
    #expect(list.errors.contains("Permission denied") && !list.errors.contains("not queued"))
    let flush = try send(as: victim, "-q")
    #expect(flush.code != 0 && flush.errors.contains("33/other"), "\(flush)")
    let magnum = "\(ProgramUnderTest.products)/magnum"
    let shown = try run(
      as: victim,
      "\(magnum) queue list; \(magnum) queue show t450 || \(magnum) queue list"
    )
    #expect(shown.output.contains("t450@x.test"), "\(shown)")
  }

  /// sudo keeps the environment where it is told to: root must leave nothing in a user's queue.
  @Test func rootDoesNotWorkInAHomeThatTheEnvironmentNames() throws {
    let script = """
      mkdir -p /run/state /run/root; chown 4005 /run/state
      printf '[account.own]\\naddress = "r@x.test"\\nsmtp = "smtp+plain://127.0.0.1:\(sink.port)"\\n' > /run/c.toml
      printf 'Subject: a\\n\\n' | XDG_STATE_HOME=/run/state HOME=/run/root /usr/sbin/sendmail -C /run/c.toml --no-try a@x.test
      find /run/state /run/root -type f
      """
    let outcome = try system.run(script)
    #expect(outcome.code == 0 && outcome.lines.count == 1, "\(outcome)")
    #expect(
      outcome.lines.first?.hasPrefix("/run/root/.local/state/magnum/spool/own/queue/") ?? false
    )
  }

  /// Directories that another user made in one's name are not one's own.
  @Test func whatOthersPlantIsNotMine() throws {
    try run(
      as: alice,
      "mkdir -p -m 755 33.feed/system/queue; echo x > 33.feed/system/queue/1795348653702969.c2586234"
    )
    _ = try send(as: victim, "--no-try a@x.test")
    let list = try run(as: victim, "/usr/sbin/sendmail -bp")
    #expect(list.code == 0 && list.lines.last == "-- 1 in all", "\(list)")
    #expect(try send(as: victim, "-q").code == 0 && sink.messages.count == 1)
    let flushed = try flush()
    #expect(flushed.code == 0 && flushed.errors.contains("/33.feed"), "root is told: \(flushed)")
  }

  /// Any user can make any number of directories, and fill root's log with them if each were a line.
  @Test func manyDirectoriesOfOthersAreOneLine() throws {
    try run(as: alice, "seq -f 33.%.0f 2000 | xargs mkdir; mkdir -m 777 4001; mkdir 0 1 2")
    let flushed = try flush()
    #expect(flushed.code == 0 && flushed.errorLines.count <= 2, "\(flushed)")
    #expect(flushed.errors.contains("not used; so are 2003 others"), "\(flushed)")
  }

  @Test func whatNoAccountIsThereForIsTold() throws {
    _ = try send(as: victim, "--no-try a@x.test")
    try run(as: victim, "mv 33/system 33/gone")
    let flushed = try flush()
    #expect(flushed.code == 1 && flushed.errors.contains("1 waiting"), "\(flushed)")
  }

  /// Each is a trap in a queue of one user; the queue of the next one is worked on.
  @Test(
    arguments: [
      "rm -f state; mkfifo state", "rm -f log/*; mkfifo log/$(ls queue)",
      "id=$(ls queue); rm queue/*; mkfifo queue/$id",
      "id=$(ls queue); rm queue/*; ln -s /etc/shadow queue/$id",
      "truncate -s 1000M queue/*", "truncate -s 1000M log/$(ls queue)", "chmod 0 queue/*",
      "rm -f .lock; mkfifo .lock", "rm -f ran; mkfifo ran", "rm -f ran; mkdir ran",
      "rm -f .run; mkfifo .run",
      "rm -f ran; ln -s /run/through ran", "rm -rf log; ln -s /etc log",
      "rm -rf queue; ln -s /root queue",
    ]
  )
  func aTrapInAQueueHoldsUpNoOther(_ trap: String) throws {
    for number in [1001, 1002] { _ = try send(as: number, "--no-try \(number)@x.test") }
    #expect(try run(as: 1001, "cd 1001/system; \(trap)").code == 0)
    let flushed = try flush()
    let others = sink.messages.map(\.to).filter { $0 != ["<1001@x.test>"] }
    #expect(others == [["<1002@x.test>"]], "\(flushed)")
    // What lies in the place of an entry and is no file is none.
    let isHarmless = ["state", "rm queue/*", " ran"].contains { trap.contains($0) }
    #expect(flushed.code == (isHarmless ? 0 : 1), "\(flushed)")
    #expect(try system.run("test ! -e /run/through").code == 0)
    #expect(try system.run("ls /etc /root").lines.allSatisfy { !$0.contains(".tmp-") })
  }
}
