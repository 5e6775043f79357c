import TestSupport
import Testing

/// The examples for editors, run in them.
struct ComposeExampleTests {
  private static func isInstalled(_ program: String) -> Bool {
    (try? Command(program, ["--version"]).run().code) == 0
  }

  private static func run(
    _ program: String,
    _ arguments: [String],
    _ stage: ComposeStage,
    _ variables: [String: String] = [:]
  ) throws -> Outcome {
    var environment = stage.magnum.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    environment["TERM"] = "dumb"
    environment.merge(variables) { $1 }
    var command = Command(program, arguments, environment: environment)
    command.timeLimit = 30
    return try command.run()
  }

  @Test(.enabled("emacs is not installed") { isInstalled("emacs") }) func emacsAnswers() throws {
    let stage = try ComposeStage()
    let script = """
      (progn (magnum "lunch") (goto-char (point-min)) (magnum-reply-all)
             (goto-char (point-max)) (insert "Gladly, é.\\n") (magnum-compose-send)
             (magnum-compose) (goto-char (point-min)) (search-forward "To: ") (insert "b@x.org")
             (goto-char (point-max)) (insert "later\\n") (magnum-compose-draft)
             (magnum-compose) (condition-case mistake (magnum-compose-send)
                                (user-error (princ (cadr mistake)))))
      """
    let file = Fixtures.project("examples/magnum.el")
    let outcome = try Self.run("emacs", ["-Q", "--batch", "-l", file, "--eval", script], stage)
    #expect(outcome.code == 0 && outcome.output.contains("there is nothing to send"), "\(outcome)")
    let message = try stage.sent()
    #expect(message.to.count == 3 && message.text.contains("Gladly, =C3=A9."))
    #expect(message.text.contains("In-Reply-To: <m1@x.org>"))
    #expect(stage.names("mail/INBOX/cur") == ["1:2,RS"] && stage.drafts.count == 1)
  }

  /// message-mode signs by itself, and nothing changes that on the way.
  @Test(
    .enabled("emacs, gpg, gpgsm or openssl is not installed") {
      isInstalled("emacs") && Keyring.isInstalled
    }
  )
  func emacsSigns() throws {
    let stage = try ProtectedStage()
    let script = """
      (progn (setq user-mail-address "me@x.test" mml-secure-openpgp-sign-with-sender t)
             (magnum-message) (message-goto-to) (insert "ada@x.org")
             (message-goto-subject) (insert "pelican")
             (message-goto-body) (insert "walrus \\n\\nFrom é\\n")
             (mml-secure-message-sign-pgpmime) (message-send))
      """
    let file = Fixtures.project("examples/magnum.el")
    let outcome = try Self.run(
      "emacs",
      ["-Q", "--batch", "-l", file, "--eval", script],
      stage.compose,
      stage.keys.variables
    )
    #expect(outcome.code == 0, "\(outcome)")
    _ = Stopwatch.wait(upTo: 10) { !stage.compose.sink.messages.isEmpty }
    let shown = try stage.show(try stage.compose.sent().text)
    #expect(shown.output.contains("[signature: signed by me@x.test, OpenPGP key "), "\(shown)")
  }

  @Test(.enabled("vim is not installed") { isInstalled("vim") }) func vimAnswers() throws {
    let stage = try ComposeStage()
    let file = Fixtures.project("examples/vimrc")
    let outcome = try Self.run(
      "vim",
      [
        "-u", "NONE", "-i", "NONE", "-N", "-es", "-S", file, "-c", "MagnumReply id:m1@x.org", "-c",
        "$put ='Gladly.'", "-c", "MagnumSend", "-c",
        "call writefile([&modified], $HOME . '/modified')", "-c",
        "MagnumCompose -t b@x.org", "-c",
        "$put ='later'", "-c", "MagnumDraft", "-c", "qa!",
      ],
      stage
    )
    // Vim without a screen ends with 1 whatever happens.
    #expect(outcome.output.contains("sent "), "\(outcome)")
    let message = try stage.sent()
    #expect(
      message.text.contains("\nGladly.\n") && message.text.contains("In-Reply-To: <m1@x.org>")
    )
    #expect(stage.drafts.count == 1)
    #expect(Files.text(stage.magnum.home["modified"]) == "0\n")
  }
}
