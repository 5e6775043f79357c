/// The real mutt on a terminal that nobody looks at, with settings and a home of its own.
package struct Mutt: Sendable {
  private let program: String
  private let home: TempDirectory
  private let settings: String
  private let variables: [String: String]

  /// Writes a line.
  ///
  /// About a file that is younger than mutt's note of it, as one is where a second began meanwhile, mutt asks, and no key that
  /// is pushed answers.
  private static let editor = """
    #!/bin/sh
    echo more text >> "$1"
    touch -d '1 minute ago' "$1"

    """

  /// A mutt for the Maildirs below a folder.
  ///
  /// - Parameters:
  ///   - maildir: The folder; it has INBOX and Drafts.
  ///   - settings: More lines of its muttrc.
  /// - Throws: `HarnessError` when its files cannot be written.
  package init(_ maildir: String, _ settings: String = "") throws {
    program = "mutt"
    home = try TempDirectory("mutt")
    variables = ["HOME": home.path]
    let editor = try home.write(Self.editor, to: "editor", mode: 0o755)
    self.settings = try home.write(
      """
      set folder="\(maildir)" spoolfile="+INBOX" postponed="+Drafts" record="" mbox_type=Maildir
      set editor="\(editor)" from="me@example.org" realname="Me" use_domain=no hostname="example.org"
      set confirmappend=no delete=yes move=no quit=yes sort=date sleep_time=0 mail_check=0
      set fast_reply=yes include=yes postpone=yes recall=yes wait_key=no
      \(settings)

      """,
      to: "muttrc"
    )
  }

  /// A mutt or neomutt with the example file, for an account of a program under test.
  ///
  /// - Parameters:
  ///   - program: `mutt` or `neomutt`.
  ///   - user: Whose home it is.
  ///   - account: The folder below `Mail` that has the account's mail.
  ///   - waitsForKey: Whether it waits for a key after a command, as it does by default; no key that is pushed ends that.
  /// - Throws: `HarnessError` when its files cannot be written.
  package init(
    _ program: String,
    of user: ProgramUnderTest,
    account: String = "work",
    waitsForKey: Bool = false
  ) throws {
    self.program = program
    home = try TempDirectory("mutt")
    let command = user.command([])
    let path = "\(ProgramUnderTest.products):\(command.environment["PATH"] ?? "")"
    variables = command.environment.merging(["PATH": path]) { _, given in given }
    let editor = try home.write(Self.editor, to: "editor", mode: 0o755)
    settings = try home.write(
      """
      source "\(Fixtures.path("../../examples/muttrc"))"
      set folder="~/Mail/\(account)"
      set spoolfile="+INBOX" trash="+Trash" record="+Sent" postponed="+Drafts"
      set from="me@x.test" editor="\(editor)" use_domain=no hostname="x.test"
      set confirmappend=no delete=yes move=no quit=yes sort=date sleep_time=0 abort_unmodified=no
      set fast_reply=yes include=yes postpone=yes recall=yes copy=yes
      set wait_key=\(waitsForKey ? "yes" : "no")

      """,
      to: "muttrc"
    )
  }

  /// Opens a folder, types the keys, and leaves.
  ///
  /// - Parameters:
  ///   - keys: In the words of mutt's `push`, such as `<first-entry><delete-message>`.
  ///   - folder: Below the Maildirs' folder.
  /// - Throws: `HarnessError` when it does not end by itself within 20 seconds.
  package func type(_ keys: String, in folder: String = "INBOX") throws {
    let outcome = try command(folder, "push '\(keys)<quit>'").run()
    guard outcome.code == 0 else { throw HarnessError("\(program): \(keys): \(outcome)") }
  }

  /// Opens a folder and types keys; it then waits for more.
  ///
  /// - Parameters:
  ///   - keys: In the words of mutt's `push`.
  ///   - mayFail: Whether one of the keys may end the others; then it is not waited for all of them.
  /// - Returns: The running program.
  /// - Throws: `HarnessError` when it does not come that far within 30 seconds.
  package func open(_ keys: String = "", mayFail: Bool = false) throws -> OpenMutt {
    let (ready, list, done) = (home["ready"], home["list"], home["done"])
    let pipe = "<pipe-message>cat >\(list).new && mv \(list).new \(list)<enter>"
    let mark = OpenMutt.mark(ready)
    let more = try home.write(
      """
      macro index Z '<tag-pattern>~A<enter><tag-prefix-cond>\(pipe)<end-cond><untag-pattern>~A<enter>\(OpenMutt.mark(done))'
      push '\(mayFail ? mark + keys : keys + mark)'

      """,
      to: "more"
    )
    var command = command("INBOX", "source \"\(more)\"")
    command.timeLimit = 120
    let running = try command.start()
    guard Stopwatch.wait(upTo: 30, until: { Files.exists(ready) }) else {
      running.signal(9)
      throw HarnessError("\(program): \(keys): \(running.wait())")
    }
    return OpenMutt(running: running, list: list, done: done)
  }

  private func command(_ folder: String, _ line: String) -> Command {
    var command = Command(program, ["-n", "-F", settings, "-f", "+\(folder)", "-e", line])
    command.environment.merge(variables) { _, given in given }
    command.environment["TERM"] = "xterm"
    command.isOnTerminal = true
    command.timeLimit = 20
    return command
  }
}

/// A mutt or neomutt that has a folder open.
package struct OpenMutt: Sendable {
  fileprivate let running: RunningCommand
  fileprivate let list: String
  fileprivate let done: String

  /// Keys that make a file, when all before them are obeyed and it reads what is typed next.
  ///
  /// No shell-escape: coming back from a command it throws away what was typed meanwhile.
  fileprivate static func mark(_ file: String) -> String {
    "<enter-command>set my_mark=`touch \(file)`<enter>"
  }

  /// Types keys in the words of mutt's `push`, none of which may fail.
  ///
  /// - Throws: `HarnessError` when they are not obeyed.
  package func type(_ keys: String) throws {
    Files.removeTree(done)
    running.type(":push '\(keys)\(Self.mark(done))'\r")
    guard Stopwatch.wait(upTo: 30, until: { Files.exists(done) || running.hasEnded }),
      Files.exists(done)
    else {
      throw HarnessError("\(keys): not obeyed: \(running.outputSoFar.suffix(2000))")
    }
  }

  /// Types a key that has a program ask for a line, and the line once it asks.
  ///
  /// - Throws: `HarnessError` when it does not ask.
  package func type(_ key: String, answering prompt: String, _ line: String) throws {
    let before = running.outputSoFar.ranges(of: prompt).count
    running.type(key)
    guard Stopwatch.wait(upTo: 20, until: { running.outputSoFar.ranges(of: prompt).count > before })
    else {
      throw HarnessError("\(key): does not ask: \(running.outputSoFar.suffix(2000))")
    }
    running.type("\(line)\r")
  }

  /// Whether it comes to show exactly these subjects within some seconds, and only them; none where it shows no message.
  package func shows(_ subjects: [String], within seconds: Double = 30) -> Bool {
    let end = Stopwatch.now() + seconds
    while Stopwatch.now() < end {
      if shown() == subjects { return true }
      Stopwatch.sleep(0.2)
    }
    return false
  }

  /// The subjects that it shows now, in its order, as far as it can read the messages.
  private func shown() -> [String] {
    for file in [list, done] { Files.removeTree(file) }
    // A message that it cannot read any more ends the keys: then there is no list.
    running.type("Z")
    guard Stopwatch.wait(upTo: 4, until: { Files.exists(done) }) else { return [] }
    return (Files.text(list) ?? "").split(separator: "\n").filter { $0.hasPrefix("Subject: ") }
      .map { String($0.dropFirst(9)) }
  }

  /// Ends it where it is; nothing is written.
  package func end() {
    running.signal(9)
    _ = running.wait()
  }

  /// Has it write what it knows, and leave.
  ///
  /// - Throws: `HarnessError` when it does not.
  package func leave() throws {
    for _ in 0..<20 where !running.hasEnded {
      running.type(":push '<sync-mailbox><quit>'\r")
      _ = Stopwatch.wait(upTo: 3) { running.hasEnded }
    }
    let outcome = running.wait()
    guard outcome.code == 0 else { throw HarnessError("it does not leave: \(outcome)") }
  }
}
