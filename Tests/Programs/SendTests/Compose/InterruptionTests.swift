import Glibc
import TestSupport
import Testing

/// Large files that a person does not wait for: no half of one is left, or it goes later.
struct InterruptionTests {
  private static let size = 6_000_000

  private let stage: ComposeStage
  private let file: String

  init() throws {
    stage = try ComposeStage()
    file = stage.magnum.home["large.bin"]
    try Command.shell("head -c \"$1\" /dev/urandom > \"$2\"", ["\(Self.size)", file])
  }

  private static let temporaries = ".local/state/magnum/spool/work/tmp"

  private var unfinished: [String] { stage.names(Self.temporaries) }

  /// A command that puts the file into the queue, in the midst of that.
  private func begun(_ program: String) throws -> RunningCommand {
    var command =
      program == "magnum"
      ? stage.magnum.command(["compose", "-t", "a@x.org", "--attach", file, "--send"])
      : stage.magnum.command(["--at", "+4m", "a@x.org"])
    command.program = "\(ProgramUnderTest.products)/\(program)"
    if program == "magnum-send" {
      command.input = Array("Subject: large\n\n".utf8) + (Files.read(file) ?? []).map { $0 | 0x40 }
    }
    command.timeLimit = 60
    let running = try command.start()
    #expect(Stopwatch.wait(upTo: 50) { !unfinished.isEmpty })
    return running
  }

  @Test(arguments: ["magnum", "magnum-send"], [SIGINT, SIGTERM])
  func nothingIsLeftOfWhatIsInterrupted(_ program: String, _ number: Int32) throws {
    let running = try begun(program)
    running.signal(number)
    let outcome = running.wait()
    #expect(outcome.code != 0 && outcome.errors.contains("not queued: "), "\(outcome)")
    #expect(unfinished.isEmpty && stage.queued.isEmpty && stage.sink.messages.isEmpty)
  }

  /// Who works on the queue next removes it once it is older than anything that is still being written.
  @Test func whatAKillLeavesGoesLater() throws {
    let running = try begun("magnum")
    running.signal(SIGKILL)
    _ = running.wait()
    let left = try #require(unfinished.first)
    for (age, names) in [("50 minutes", [left]), ("70 minutes", [])] {
      let path = stage.magnum.home["\(Self.temporaries)/\(left)"]
      try Command.shell("touch -d \"$1 ago\" \"$2\"", [age, path])
      #expect(
        try stage.run(["compose", "-t", "a@x.org", "--send", "--body", "-"], input: "x").code == 0
      )
      #expect(unfinished == names, "\(age)")
    }
    #expect(stage.sink.messages.count == 2)
  }

  @Test func aHalfOfADraftIsRemoved() throws {
    for number in [SIGINT, SIGKILL] {
      let command = stage.magnum.command(["compose", "--attach", file, "--draft"])
      let running = try command.start()
      #expect(Stopwatch.wait(upTo: 50) { !stage.names("mail/Drafts/tmp").isEmpty })
      running.signal(number)
      #expect(running.wait().code != 0)
      #expect(stage.drafts.isEmpty && (number == SIGKILL || stage.names("mail/Drafts/tmp").isEmpty))
    }
    let left = stage.names("mail/Drafts/tmp")
    for (age, names) in [("35 hours", left), ("37 hours", [])] {
      try Command.shell(
        "touch -d \"$1 ago\" \"$2\"/*",
        [age, stage.magnum.home["mail/Drafts/tmp"]]
      )
      #expect(try stage.run("compose", "-s", age, "--draft").code == 0)
      #expect(stage.names("mail/Drafts/tmp") == names && left.count == 1, "\(age)")
    }
  }

  /// A file that is saved has its name only as a whole.
  @Test(arguments: [SIGINT, SIGKILL])
  func aHalfSavedAttachmentIsNotTakenForAWholeOne(_ number: Int32) throws {
    let draft = try stage.run("compose", "-s", "large", "--attach", file, "--draft")
    #expect(draft.code == 0, "\(draft)")
    let out = stage.magnum.home["out"]
    try Files.makeDirectories(out)
    let command = stage.magnum.command(["attachments", "save", "--to", out, "subject:large"])
    let running = try command.start()
    #expect(Stopwatch.wait(upTo: 50) { !stage.names("out").isEmpty })
    running.signal(number)
    let outcome = running.wait()
    let names = stage.names("out")
    // It may have come to its end before.
    let isWhole = names == ["large.bin"] && Files.read("\(out)/large.bin") == Files.read(file)
    let isUnnamed = names.allSatisfy { $0.hasPrefix(".magnum-") && number == SIGKILL }
    #expect(isWhole || isUnnamed && outcome.code != 0, "\(names) \(outcome)")
  }
}
