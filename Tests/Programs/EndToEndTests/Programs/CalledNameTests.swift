import TestSupport
import Testing

/// The names by which the one program of the suite is called.
@Suite struct CalledNameTests {
  private let program: ProgramUnderTest
  private let folder: String

  init() throws {
    program = try ProgramUnderTest("magnum")
    folder = program.home.path
  }

  /// The name that the version tells of the program called so, through links in a folder: each points to the next, the last to
  /// the program.
  private func called(_ links: [String], as word: String? = nil) throws -> String {
    for (link, target) in zip(links, links.dropFirst() + [program.path]) {
      try Command.shell("ln -sfn \"$2\" \"$1\"", ["\(folder)/\(link)", target])
    }
    let script = "exec -a \"$1\" \"$2\" --version"
    let file = links.first.map { "\(folder)/\($0)" } ?? program.path
    var command = program.command(["-c", script, "bash", word ?? file, file])
    command.program = "bash"
    let outcome = try command.run()
    return outcome.lines.first?.split(separator: " ").first.map { String($0) } ?? "\(outcome)"
  }

  @Test(arguments: [
    (["magnum"], "magnum"), (["magnum-sync"], "magnum-sync"), (["magnum-send"], "magnum-send"),
    (["magnum-search"], "magnum-search"), (["sendmail"], "magnum-send"),
    (["send-mail"], "magnum-send"), (["mailq"], "magnum-send"), (["newaliases"], "magnum-send"),
    (["other"], "magnum"), (["mta", "sendmail"], "magnum-send"),
    (["find", "alternative", "magnum-search", "program"], "magnum-search"),
    (["sendmail", "magnum-sync"], "magnum-send"),
  ])
  func theNameChooses(links: [String], name: String) throws {
    #expect(try called(links) == name)
  }

  /// A shell that logs in begins its own name with a dash; what starts programs may give them any name.
  @Test(arguments: [
    ("-magnum-search", "magnum-search"), ("-sendmail", "magnum-send"), ("-", "magnum"),
    ("", "magnum"), ("/nowhere/magnum-sync", "magnum-sync"),
  ])
  func theWordBeforeTheArgumentsChooses(word: String, name: String) throws {
    #expect(try called([], as: word) == name)
  }

  /// `magnum sync` and the like need no other file.
  @Test func theCommandsOfOtherNamesNeedNoOtherFile() throws {
    try Command.shell("cp \"$1\" \"$2/magnum\"", [program.path, folder])
    for word in ["sync", "send", "search"] {
      var command = program.command([word, "--version"], ["PATH": "/nowhere"])
      command.program = "\(folder)/magnum"
      #expect(try command.run().lines.first?.hasPrefix("magnum-\(word) ") == true)
    }
  }
}
