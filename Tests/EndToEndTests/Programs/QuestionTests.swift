import Glibc
import TestSupport
import Testing

/// What becomes of questions that nobody answers: interrupted ones end the program and leave all as it was.
@Suite struct QuestionTests {
  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
  }

  /// Types answers at a terminal, whose settings afterwards are shown behind the output.
  private func type(_ answers: [(after: String, String)], _ words: [String]) throws -> Outcome {
    let script = "trap : INT; \"$@\"; status=$?; stty -a; exit $status"
    var command = program.command(["-c", script, "sh", program.path] + words, ["TERM": "xterm"])
    command.program = "/bin/sh"
    command.timeLimit = 20
    return try PrivateInternet.typing(command, answers).run()
  }

  private func expectInterrupted(_ outcome: Outcome, _ location: SourceLocation) {
    #expect(outcome.code == 130, "\(outcome)", sourceLocation: location)
    #expect(
      outcome.output.contains("interrupted (nothing is written)"),
      "\(outcome)",
      sourceLocation: location
    )
    // The terminal shows what is typed, and takes it line by line.
    let settings = outcome.output.split(whereSeparator: { $0.isWhitespace || $0 == ";" })
    #expect(settings.contains("echo") && settings.contains("icanon"), sourceLocation: location)
    #expect(Files.names(in: program.home.path) == [], sourceLocation: location)
  }

  private static let interrupt = "\\u0003"

  @Test func aPasswordThatIsNotTyped() throws {
    let outcome = try type(
      [(after: "Password of me@x.test: ", "half" + Self.interrupt)],
      ["accounts", "add", "--imap", "imaps://localhost:1", "me@x.test"]
    )
    expectInterrupted(outcome, #_sourceLocation)
    #expect(!outcome.output.contains("half"), "\(outcome)")
  }

  /// A wait of the system that goes on after a signal took the interrupt for nothing.
  @Test func aClientIDThatIsNotTyped() throws {
    let answers = [(after: "[y/N] ", "y"), (after: "Client id: ", "my" + Self.interrupt)]
    let outcome = try type(answers, ["accounts", "add", "--oauth", "me@hotmail.com"])
    expectInterrupted(outcome, #_sourceLocation)
  }

  /// While a server is tried that says nothing.
  @Test func aLoginThatIsInterrupted() throws {
    let (listener, port) = try Loopback.listen()
    defer { close(listener) }
    let outcome = try type(
      [(after: "Password of me@x.test: ", "pass"), (after: "\\r\\n", Self.interrupt)],
      ["accounts", "add", "--imap", "imaps://localhost:\(port)", "me@x.test"]
    )
    expectInterrupted(outcome, #_sourceLocation)
  }

  /// With output to a program nothing is asked, though a person sits at the terminal.
  @Test func outputToAProgram() throws {
    var command = program.command(["-c", "\"$@\" | cat", "sh", program.path])
    command.program = "/bin/sh"
    command.arguments += ["accounts", "add", "--oauth", "me@hotmail.com"]
    command.timeLimit = 20
    let outcome = try PrivateInternet.typing(command, []).run()
    #expect(outcome.output.contains("no question can be asked"), "\(outcome)")
  }
}
