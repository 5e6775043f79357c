import Glibc
import TestSupport
import Testing

extension Stage {
  /// A stage with an index and some mail in a few mailboxes, synced.
  static func forTriage(_ options: DovecotOptions? = nil) throws -> Stage {
    var usual = DovecotOptions()
    usual.specialUse = ["Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive"]
    let stage = try Stage(options ?? usual)
    try stage.imap.append((1...6).map { mail("number\($0)") })
    try stage.imap.append([mail("reply", body: "text")])
    try stage.configure(isIndexed: true)
    try stage.settle()
    return stage
  }

  /// Runs a command of magnum.
  func magnum(
    _ arguments: String...,
    input: String = "",
    variables: [String: String] = [:],
    timeLimit: Double = 60
  ) throws -> Outcome {
    var command = program.command(arguments, variables)
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array(input.utf8)
    command.timeLimit = timeLimit
    return try command.run()
  }

  /// Runs a command of magnum, and expects that all is well.
  @discardableResult
  func magnumWell(
    _ arguments: String...,
    input: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    var command = program.command(arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array(input.utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  /// How many messages a query finds.
  func found(_ query: String, _ options: String...) throws -> Int {
    var command = program.command(["--count"] + options + [query])
    command.program = "\(ProgramUnderTest.products)/magnum-search"
    let outcome = try command.run()
    return Int(outcome.output.filter { $0 != "\n" }) ?? -1
  }

  /// The folders with the flags of their files, sorted: `INBOX [S]`, a line a file.
  var shownHere: [String] {
    tree.mailboxes.flatMap { name, files in files.map { "\(name) [\($0.flags)]" } }.sorted()
  }

  /// Where the server has messages, with their flags, in the same form.
  func shownThere() throws -> [String] {
    try imap.everything().flatMap { name, messages in
      messages.map { "\(name) [\(MaildirTree.letters($0.flags))]" }
    }.sorted()
  }
}
