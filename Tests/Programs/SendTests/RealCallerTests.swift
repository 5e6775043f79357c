import TestSupport
import Testing

/// The programs that people use, each with the program as its sendmail.
@Suite struct RealCallerTests {
  /// A caller: the words that make it send one message with the subject "caller" to b@x.test.
  struct Caller: Sendable, CustomTestStringConvertible {
    let name: String
    /// Runs in the home; "$1" is the program.
    let script: String
    var recipients = ["<b@x.test>"]
    /// A part of the message says what is in its text.
    var lines = ["text", ".", "more"]
    var testDescription: String { name }
  }

  private static func mutt(_ name: String) -> Caller {
    Caller(
      name: name,
      script: """
        printf 'set sendmail="%s -oem -oi"\\nset from=me@x.test\\nset use_from\\nset copy=no\\n' "$1" > muttrc
        printf 'text\\n.\\nmore\\n' | \(name) -n -F muttrc -s caller -b c@x.test -- b@x.test
        """,
      recipients: ["<b@x.test>", "<c@x.test>"]
    )
  }

  /// Emacs without its user's settings; `lines` send the message.
  private static func emacs(_ name: String, _ lines: String) -> Caller {
    Caller(
      name: name,
      script: """
        cat > caller.el << 'EOF'
        (setq user-mail-address "me@x.test" user-full-name "Me" sendmail-program (getenv "MTA")
              message-interactive t message-sendmail-extra-arguments '("-oeq") mail-interactive nil
              mail-host-address "x.test"
              send-mail-function 'sendmail-send-it mail-specify-envelope-from t mail-envelope-from 'header
              message-send-mail-function 'message-send-mail-with-sendmail message-kill-buffer-on-exit t)
        \(lines)
        EOF
        MTA=$1 emacs -Q --batch -l caller.el 2> log || { cat log >&2; exit 1; }
        """,
      recipients: ["<b@x.test>", "<c@x.test>"]
    )
  }

  private static let callers = [
    mutt("mutt"), mutt("neomutt"),
    emacs(
      "message-mode",
      """
      (require 'message)
      (message-mail "b@x.test" "caller" '(("Bcc" . "c@x.test")))
      (message-goto-body) (insert "text\\n.\\nmore\\n")
      (message-send-and-exit)
      """
    ),
    emacs(
      "sendmail.el",
      """
      (require 'sendmail)
      (mail nil "b@x.test" "caller") (mail-bcc) (insert "c@x.test")
      (mail-text) (insert "text\\n.\\nmore\\n")
      (mail-send)
      """
    ),
    Caller(
      name: "python",
      script: """
        /usr/bin/python3 -c 'import subprocess, sys
        message = b"To: b@x.test\\r\\nSubject: caller\\r\\n\\r\\ntext\\r\\n.\\r\\nmore\\r\\n"
        subprocess.run([sys.argv[1], "-t", "-oi"], input=message, check=True)' "$1"
        """
    ),
    Caller(
      name: "s-nail",
      script: """
        # It takes the home from the user database.
        printf '#!/bin/sh\\nHOME=%s exec %s "$@"\\n' "$HOME" "$1" > mta && chmod 755 mta
        printf 'text\\n.\\nmore\\n' | s-nail -:/ -S mta="$HOME/mta" -S sendwait -S from=me@x.test \\
          -s caller b@x.test
        """
    ),
    Caller(
      name: "bsd-mailx",
      script: """
        printf 'set sendmail=%s\\n' "$1" > mailrc
        printf 'text\\n.\\nmore\\n' | MAILRC=mailrc bsd-mailx -n -I -s caller b@x.test
        """
    ),
    Caller(
      name: "php",
      script: """
        php -n -d sendmail_path="$1 -t -i" -r \\
          'exit(mail("b\\x40x.test", "caller", "text\\n.\\nmore\\n", "Bcc: c\\x40x.test") ? 0 : 1);'
        """,
      recipients: ["<b@x.test>", "<c@x.test>"]
    ),
    Caller(
      name: "git",
      script: """
        git init -q repo && cd repo
        printf 'text\\n.\\nmore\\n' > file && git add file
        git -c user.name=Me -c user.email=me@x.test commit -q -m caller
        git -c user.name=Me -c user.email=me@x.test send-email -q --sendmail-cmd="$1" --confirm=never \\
          --suppress-cc=all --from=me@x.test --to=b@x.test -1
        """,
      lines: ["+text", "+.", "+more"]
    ),
  ]

  @Test(arguments: callers)
  func aCallersMessageArrives(_ caller: Caller) throws {
    let stage = try SendStage()
    try run(caller, stage)
    // Emacs does not wait for it where errors are not asked for.
    #expect(Stopwatch.wait(upTo: 20) { stage.sink.messages.count == 1 })
    let message = try #require(stage.sink.messages.first)
    let recipients = message.to.map { $0.split(separator: " ")[0] }.map { "\($0)" }
    #expect(recipients.sorted() == caller.recipients)
    let given = GivenMessage(try #require(Files.read(stage.program.home["given"])))
    given.expectArrived(message)
    #expect(message.text.contains("caller") && !message.text.contains("Bcc:"), "\(message.text)")
    for line in caller.lines { #expect(given.body.contains(line), "\(given.body)") }
  }

  /// No caller sees an error, and nothing is lost, while the server is away.
  @Test(arguments: callers)
  func aServerThatIsAwayIsNoErrorToTheCaller(_ caller: Caller) throws {
    let stage = try SendStage()
    try stage.configure(server: "smtp+plain://127.0.0.1:\(try Loopback.freePort())")
    try run(caller, stage)
    #expect(Stopwatch.wait(upTo: 20) { stage.entries("queue").count == 1 })
    try stage.configure()
    try stage.flush()
    #expect(stage.sink.messages.count == 1 && stage.entries("queue") == [])
  }

  /// What is handed over is kept before magnum-send gets it.
  private func run(_ caller: Caller, _ stage: SendStage) throws {
    let home = stage.program.home
    let sendmail = try home.write(
      """
      #!/bin/sh
      cat > '\(home["given"])'
      exec '\(stage.program.path)' "$@" < '\(home["given"])'
      """,
      to: "sendmail"
    )
    var command = stage.program.command([])
    command.program = "/bin/sh"
    command.arguments = [
      "-ec", "chmod 755 \"$1\"; cd \"$HOME\"; " + caller.script, "sh", sendmail,
    ]
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
  }
}
