import Glibc
import TestSupport
import Testing

/// Names without a domain that lead to lists (`:include:`), and files of aliases that cannot be used.
@Suite struct AliasTests {
  private let stage: SendStage

  init() throws {
    stage = try SendStage()
    try stage.program.home.write(
      "# names\nroot: :include:\(list)\n",
      to: ".config/magnum/aliases"
    )
  }

  private var list: String { stage.program.home["lists/admins"] }
  private var aliases: String { stage.program.home[".config/magnum/aliases"] }

  private func writeList(_ text: String) throws {
    try stage.program.home.write(text, to: "lists/admins")
    chmod(list, 0o644)
  }

  /// Nothing is queued, and the message says which file it is, in which line, and what to do.
  private func expectRefused(_ words: String, hint: String? = nil) throws {
    let outcome = try stage.send("Subject: a\n\n", "root")
    #expect(outcome.code == 78, "\(outcome)")
    let lines = ["magnum-send: \(words)"] + (hint.map { ["hint: \($0)"] } ?? [])
    #expect(outcome.errorLines == lines, "\(outcome)")
    #expect(stage.entries("queue") == [] && stage.sink.connectionCount == 0)
  }

  private func expectListRefused(_ problem: String, hint: String? = nil) throws {
    try expectRefused("\(aliases):2: :include:\(list): \(problem)", hint: hint)
  }

  @Test func allOfAListGetTheMessage() throws {
    try writeList("a@x.test\n# late\nBea <b@x.test>, c@x.test\n")
    #expect(try stage.send("Subject: a\n\n", "root").errors == "")
    #expect(try stage.send("To: root\n\n", "-t").errors == "")
    let all = ["a", "b", "c"].map { "<\($0)@x.test> ORCPT=rfc822;root" }
    #expect(stage.sink.messages.map(\.to) == [all, all])
  }

  /// Nobody asked for reports.
  @Test func anAliasNeedsNoDSN() throws {
    var options = SMTPSink.Options()
    options.extensions.removeAll { $0 == "DSN" }
    let stage = try SendStage(options)
    try stage.program.home.write("root: a@x.test\n", to: ".config/magnum/aliases")
    #expect(try stage.send("Subject: a\n\n", "root").errors == "")
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"]])
  }

  @Test func aListIsReadOnlyForItsName() throws {
    let outcome = try stage.send("Subject: a\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "" && stage.sink.messages.count == 1)
  }

  @Test func aListThatCannotBeUsedIsNamed() throws {
    try expectListRefused("there is no such file")
    try writeList("# none yet\n")
    try expectListRefused("holds no address")
    try writeList("a@x.test\nb c@x.test\n")
    try expectRefused("\(list):2: \"b c@x.test\" is no address that can be sent to")
    try writeList("a@x.test\n:include:\(list)\n")
    try expectRefused(
      "\(list):2: :include:\(list): includes itself, or lists include each other too deep"
    )
    try writeList(String(repeating: "#\n", count: 600_000))
    try expectListRefused("is longer than 1 MiB")
    unlink(list)
    mkfifo(list, 0o644)
    try expectListRefused("is no ordinary file")
    unlink(list)
    mkdir(list, 0o755)
    try expectListRefused("is no ordinary file")
  }

  @Test func aListThatStrangersCanWriteIsRefused() throws {
    try writeList("a@x.test\n")
    let lists = stage.program.home["lists"]
    chmod(list, 0o666)
    try expectListRefused("others can change this file (mode 0666)", hint: "chmod go-w \(list)")
    chmod(list, 0o644)
    chmod(lists, 0o777)
    try expectListRefused(
      "\(lists): others can change this directory (mode 0777)",
      hint: "chmod go-w \(lists)"
    )
    chmod(stage.program.home["lists"], 0o1777)
    #expect(try stage.send("Subject: a\n\n", "root").code == 0)
  }

  @Test(.enabled(if: getuid() == 0))
  func aListOfAStrangerIsRefused() throws {
    try writeList("a@x.test\n")
    chown(list, 4001, 0)
    try expectListRefused(
      "this file belongs to user 4001, neither to you nor to root",
      hint: "chown root \(list)"
    )
    // A list that is left to a user, in that user's directory.
    chown(stage.program.home["lists"], 4001, 0)
    #expect(try stage.send("Subject: a\n\n", "root").code == 0)
  }

  @Test func aliasesThatStrangersCanWriteAreRefused() throws {
    chmod(aliases, 0o646)
    try expectRefused(
      "\(aliases): others can change this file (mode 0646)",
      hint: "chmod go-w \(aliases)"
    )
  }
}
