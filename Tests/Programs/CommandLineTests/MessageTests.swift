import Glibc
import TestSupport
import Testing

/// What the programs say about what is wrong, as one file: a change of a word shows in the difference of that file.
///
/// What magnum-sync says of each failure is in Tests/OutgoingTests.
@Suite struct MessageTests {
  private static let file = "Fixtures/messages.txt"

  /// Each block is a command line and what it is answered: output, errors and the exit status.
  ///
  /// With MAGNUM_RECORD the answers are written down and not compared.
  @Test func messages() throws {
    let stage = try Stage()
    var answers: [(line: String, answer: String)] = []
    for fixture in try Fixtures.load(Self.file) {
      let answer = try stage.answer(to: fixture.name)
      answers.append((fixture.name, answer))
      if !Self.isRecording { #expect(answer == fixture.body, "\(fixture.name)") }
    }
    if Self.isRecording { try Self.record(answers) }
  }

  private static let isRecording = getenv("MAGNUM_RECORD") != nil

  private static func record(_ answers: [(line: String, answer: String)]) throws {
    let path = Fixtures.path(file)
    let lines = (Files.text(path) ?? "").split(separator: "\n").prefix { !$0.hasPrefix("===") }
    let blocks = answers.map { "\n=== \($0.line)\n\($0.answer)\n" }
    try Files.write((lines.joined(separator: "\n") + "\n" + blocks.joined()).utf8, to: path)
  }

  /// A home with two messages that are indexed, a Maildir that is not, an entry of the queue, and aliases of all kinds.
  private final class Stage {
    private let program: ProgramUnderTest
    private let entry: String

    init() throws {
      program = try ProgramUnderTest("magnum")
      try program.configure(
        """
        [account.work]
        address = "me@x.test"
        maildir = "~/Mail/work"
        smtp = "smtp+plain://127.0.0.1:1"
        smtp-login = "none"
        [account.away]
        maildir = "~/Mail/away"
        """
      )
      try program.home.write(
        """
        loop: pool
        pool: loop
        nowhere: :include:/nowhere/list
        odd: "no address
        nobody: /dev/null
        """,
        to: ".config/magnum/aliases",
        mode: 0o600
      )
      for name in ["one", "two"] {
        let text = "From: a@x.test\nSubject: mail \(name)\nMessage-ID: <\(name)@x.test>\n\ntext\n"
        try program.home.write(text, to: "Mail/work/cur/\(name):2,S")
      }
      for sub in ["new", "tmp", "../away/cur", "../away/new", "../bare/cur", "../bare/new"] {
        try Files.makeDirectories(program.home["Mail/work/\(sub)"])
      }
      let environment = program.command([], ["PATH": "\(ProgramUnderTest.products):/usr/bin:/bin"])
        .environment
      func run(_ line: String) throws -> Outcome {
        try Command("/bin/sh", ["-c", "cd; \(line)"], environment: environment).run()
      }
      try #require(try run("magnum index").code == 0)
      try #require(
        try run("printf 'Subject: hello\\n\\ntext\\n' | magnum-send --no-try a@x.test").code == 0
      )
      let names = Files.names(in: program.home[".local/state/magnum/spool/work/queue"])
      entry = String(decoding: try #require(names.first), as: UTF8.self)
      self.run = run
    }

    private let run: (String) throws -> Outcome

    /// What the programs answer to a command line, in which ENTRY stands for the entry of the queue.
    func answer(to line: String) throws -> String {
      let outcome = try run(line.replacing("ENTRY", with: entry))
      let output = outcome.output.split(separator: "\n").map { "> \($0)" }
      let errors = outcome.errors.split(separator: "\n").map { "\($0)" }
      return (output + errors + ["status \(outcome.code)"]).joined(separator: "\n")
        .replacing(program.home.path, with: "~").replacing(entry, with: "ENTRY")
    }
  }
}
