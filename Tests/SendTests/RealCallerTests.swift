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
    var testDescription: String { name }
  }

  private static let callers = [
    Caller(
      name: "mutt",
      script: """
        printf 'set sendmail="%s -oem -oi"\\nset from=me@x.test\\nset use_from\\nset copy=no\\n' "$1" > muttrc
        printf 'text\\n.\\nmore\\n' | mutt -n -F muttrc -s caller -b c@x.test -- b@x.test
        """,
      recipients: ["<b@x.test>", "<c@x.test>"]
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
        """
    ),
  ]

  @Test(arguments: callers)
  func aCallersMessageArrives(_ caller: Caller) throws {
    let stage = try SendStage()
    try run(caller, stage)
    let message = try #require(stage.sink.messages.first)
    #expect(stage.sink.messages.count == 1)
    let recipients = message.to.map { $0.split(separator: " ")[0] }.map(String.init)
    #expect(recipients.sorted() == caller.recipients)
    #expect(message.text.contains("caller") && !message.text.contains("Bcc:"), "\(message.text)")
    #expect(message.text.contains("text\n") && message.text.contains("more\n"), "\(message.text)")
    for field in ["From:", "Date:", "Message-ID:"] {
      let isThere = message.text.split(separator: "\n").contains {
        $0.lowercased().hasPrefix(field.lowercased())
      }
      #expect(isThere, "\(field): \(message.text)")
    }
  }

  /// No caller sees an error, and nothing is lost, while the server is away.
  @Test(arguments: callers)
  func aServerThatIsAwayIsNoErrorToTheCaller(_ caller: Caller) throws {
    let stage = try SendStage()
    try stage.configure(server: "smtp+plain://127.0.0.1:\(try Loopback.freePort())")
    try run(caller, stage)
    #expect(stage.entries("queue").count == 1)
    try stage.configure()
    try stage.flush()
    #expect(stage.sink.messages.count == 1 && stage.entries("queue") == [])
  }

  private func run(_ caller: Caller, _ stage: SendStage) throws {
    var command = stage.program.command([])
    command.program = "/bin/sh"
    command.arguments = [
      "-ec", "cd \"$HOME\"; " + caller.script, "sh", stage.program.path,
    ]
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
  }
}
