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
    _ stage: ComposeStage
  ) throws -> Outcome {
    var environment = stage.magnum.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    environment["TERM"] = "dumb"
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
