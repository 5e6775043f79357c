import TestSupport
import Testing

/// The example for Emacs, run in it.
struct EmacsTests {
  static let isInstalled = (try? Command("emacs", ["--version"]).run().code) == 0

  @Test(.enabled("emacs is not installed") { isInstalled }) func listsAndShows() throws {
    let stage = try SearchStage()
    try stage.deliver(1, flags: "S")
    try stage.deliver(2, answering: 1)
    try stage.deliver(3)
    try stage.search.configure("[account.work]\nmaildir = \"\(stage.mail)\"\n")
    #expect(try stage.index().code == 0)
    let script = """
      (progn (magnum "number2 or number3") (princ (buffer-string))
             (goto-char (point-max)) (forward-line -1) (magnum-show) (princ (buffer-string))
             (condition-case mistake (magnum "(") (user-error (princ (cadr mistake)))))
      """
    var environment = stage.search.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    let file = Fixtures.project("examples/magnum.el")
    let outcome = try Command(
      "emacs",
      ["-Q", "--batch", "-l", file, "--eval", script],
      environment: environment
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    let text = outcome.output
    #expect(text.contains("Writer 2| Writer 1") && text.contains("1/2"), "\(text)")
    #expect(text.contains("Subject: Re: topic 1\n") && text.contains("\ntext number2\n"), "\(text)")
    let changes = """
      (progn (magnum "*") (goto-char (point-min)) (magnum-add-tag "work") (magnum-mark-read)
             (magnum-archive) (goto-char (point-min)) (magnum-undo)
             (magnum "tag:work") (magnum-remove-tag "other") (princ (buffer-string))
             (goto-char (point-min)) (magnum-delete))
      """
    let changed = try Command(
      "emacs",
      ["-Q", "--batch", "-l", file, "--eval", changes],
      environment: environment
    ).run()
    #expect(changed.code == 0 && changed.output.contains("1/1"), "\(changed)")
    #expect(changed.errors.contains("1 message moved to Trash"), "\(changed)")
    #expect(text.hasSuffix("this parenthesis is never closed\n  (\n  ^"), "\(text)")
  }
}
