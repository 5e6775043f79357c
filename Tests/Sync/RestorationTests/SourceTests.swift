import MemoryStore
import Platform
import TestSupport
import Testing

@testable import Restoration

/// What of a Maildir is read, and what is named instead.
@Suite struct SourceTests {
  private func source(_ path: String, mirror: String, own: [String] = []) throws -> MaildirSource {
    try MaildirSource(
      Path(path),
      into: [],
      mirror: Path(mirror),
      ownPlaces: own.map { Path($0) }
    )
  }

  @Test func oddThingsAreNamed() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"))
    try stage.add("2.a:2,S", "")
    try stage.add("3.a:2,S", RestoreStage.message("3", "n\0l"))
    // One of the account itself, and one that somebody sent.
    try SealedMark.writeKey(root: stage.mirror)
    let mark = try SealedMark.field("4@x")
    try stage.add("4.a:2,S", mark + RestoreStage.message("4@x", "part"))
    try stage.add("13.a:2,S", mark + RestoreStage.message("13@x", "stranger"))
    try stage.add(":2,S", RestoreStage.message("5", "nameless"))
    // A message of Magnum's own in a folder that it made; elsewhere a host may have that name.
    try stage.add("notice.magnum:2,S", RestoreStage.message("6", "from Magnum"), to: "ours")
    try Files.write("0123456789abcdef\n", to: "\(stage.source)/ours/.magnum-id")
    try stage.add("12.magnum:2,S", RestoreStage.message("12", "twelve"))
    try stage.add("7.a,U=7:2,S", RestoreStage.message("7", "big", body: Self.placeholder))
    try stage.add(".hidden", RestoreStage.message("8", "hidden"))
    try stage.add("9.a:2,S", RestoreStage.message("9", "deep"), to: "a/.b")
    // The same base name twice: once the same message, once another one.
    try stage.add("10.a:2,S", RestoreStage.message("10", "ten"))
    try stage.add("10.a:2,", RestoreStage.message("10", "ten"))
    try stage.add("11.a:2,S", RestoreStage.message("11", "eleven"))
    try stage.add("11.a:2,", RestoreStage.message("11", "other"))
    try Command.shell(
      "cd \"$1\"; ln -s /etc/hostname cur/l; mkfifo cur/f; mkdir cur/d; ln -s /tmp link; ln -s ../cur x",
      [stage.source]
    )
    let report = try stage.run()
    let said = stage.events.compactMap(Self.text).sorted()
    #expect(
      said
        == [
          "2.a:2,S empty", "3.a:2,S containsNUL", "4.a:2,S partial", "7.a,U=7:2,S placeholder",
          ".b hidden", ":2,S noName", "d noFile", "f noFile", "l link", "link link",
          "notice.magnum:2,S notice",
        ].sorted()
    )
    #expect(report.counts.refused == 3 && report.skipped == 7 && !report.isComplete)
    #expect(
      stage.lines("INBOX").map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        .sorted()
        == [
          "eleven: text", "one: text", "other: text", "stranger: text", "ten: text", "twelve: text",
        ]
    )
  }

  private static let placeholder = """
    Having a size of 12.5MiB, this message is over the MaxSize limit.
    Flag it and sync again (Sync mode ReNew) to fetch its real contents.
    """

  private static func text(_ event: RestorationEvent) -> String? {
    switch event {
    case .skipped(let entry):
      "\(String(decoding: entry.path.lastComponent, as: UTF8.self)) \(entry.reason)"
    case .file(_, let path, let problem):
      "\(String(decoding: path.lastComponent, as: UTF8.self)) \(problem)"
    default: nil
    }
  }

  /// Programs that copy files alone, such as git, leave the empty one of cur and new out.
  @Test func halvesOfMaildirsAreNamed() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"))
    try stage.add("2.a:2,S", RestoreStage.message("2", "two"), to: "Sent")
    try stage.add("3.a:2,S", RestoreStage.message("3", "three"), to: ".Lists.swift")
    try Command.shell(
      "cd \"$1\"; rmdir Sent/new; mv .Lists.swift/cur/* .Lists.swift/new; rmdir .Lists.swift/cur",
      [stage.source]
    )
    let report = try stage.run()
    let skipped = stage.events.compactMap { event -> String? in
      guard case .skipped(let entry) = event, entry.reason == .half else { return nil }
      let path = String(decoding: entry.path.octets, as: UTF8.self)
      return path.split(separator: "/").suffix(2).joined(separator: "/")
    }
    #expect(skipped == [".Lists.swift/new", "Sent/cur"])
    #expect(report.skipped == 2 && !report.isComplete, "\(report)")
    #expect(stage.lines("INBOX").count == 1)
  }

  @Test func directoriesThatAreNotRestored() throws {
    let stage = try RestoreStage()
    let folder = stage.folder
    for path in ["mirror/INBOX", "state/spool/x", "plain/_magnum/m", "empty"] {
      try Files.makeDirectories(folder[path])
    }
    try Files.write("", to: folder["file"])
    try Files.makeDirectories(folder["mirror/INBOX/cur"])
    try Files.makeDirectories(folder["mirror/INBOX/new"])
    try Command.shell("ln -s mirror \"$1/link\"", [folder.path])
    let cases = [
      ("nothing", "absent"), ("file", "noDirectory"), ("file/x", "noDirectory"),
      ("empty", "noMaildir"), ("mirror", "ownMirror"), ("mirror/INBOX", "ownMirror"),
      ("link", "ownMirror"), ("", "ownMirror"), ("state", "state"), ("state/spool/x", "state"),
      ("plain/_magnum/m", "state"),
    ]
    for (path, expected) in cases {
      do {
        _ = try source(folder[path], mirror: folder["mirror"], own: [folder["state"]])
        Issue.record("\(path) is restored")
      } catch let mistake as MaildirSource.Mistake {
        #expect("\(mistake)".hasPrefix(expected), "\(path): \(mistake)")
      }
    }
    #expect(try source(stage.source, mirror: folder["not there"]).folders.count == 1)
  }

  @Test func keywordsOfMagnumAndDovecot() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,Sab", RestoreStage.message("1", "one"))
    try stage.add("2.a:2,S", RestoreStage.message("2", "two"))
    try Files.write("0 $Label1\n1 NonJunk\n", to: "\(stage.source)/dovecot-keywords")
    try Files.write("magnum-keywords 1\n2.a red,blue\n", to: "\(stage.source)/.magnum-keywords")
    try Files.write("magnum-tags 1\n2.a -red,+green\n", to: "\(stage.source)/.magnum-tags")
    #expect(try stage.run().isComplete)
    #expect(
      stage.lines("INBOX") == [
        "[$Label1 NonJunk \\Seen] 1500000000 one: text",
        "[\\Seen blue green] 1500000000 two: text",
      ]
    )
  }

  /// The keyword `$Forwarded` is what the letter P says: what was restored with it is on the server as it is here.
  @Test func forwardedAsAKeyword() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,Sa", RestoreStage.message("1", "one"))
    try Files.write("0 $Forwarded\n", to: "\(stage.source)/dovecot-keywords")
    let report = try stage.run()
    #expect(report.isComplete, "\(report)")
    #expect(stage.lines("INBOX") == ["[$Forwarded \\Seen] 1500000000 one: text"])
  }

  /// Keywords that are not restored are named: those that IMAP cannot write, and those of a file that cannot be read.
  @Test func keywordsThatAreNotRestored() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"))
    try Files.write("magnum-keywords 1\n1.a red,to%20do\n", to: "\(stage.source)/.magnum-keywords")
    let first = try stage.run()
    let unkept = stage.events.compactMap { event -> [String]? in
      guard case .unkept(_, [], let words) = event else { return nil }
      return words.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(unkept == [["to do"]] && first.isComplete, "\(first)")
    #expect(stage.lines("INBOX") == ["[\\Seen red] 1500000000 one: text"])
    try Command.shell("cd \"$1\"; mv .magnum-keywords k; ln -s k .magnum-keywords", [stage.source])
    let second = try stage.run()
    #expect(second.skipped == 1 && !second.isComplete, "\(second)")
  }

  /// A file that was written anew since it was read is not sent as what it was.
  @Test func aFileThatChangesMeanwhileIsNamed() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"))
    try stage.add("2.a:2,S", RestoreStage.message("2", "two"))
    var meddling = MemoryServer.Interference()
    let path = "\(stage.source)/cur/2.a:2,S"
    meddling.before = { number, _ in
      if number == 3 { try? Files.write(RestoreStage.message("3", "three") + "more\n", to: path) }
    }
    let report = try stage.run(meddling, retryDelays: [0, 0])
    #expect(stage.events.compactMap(Self.text) == ["2.a:2,S changed"], "\(report)")
    #expect(report.skipped == 1 && !report.isComplete)
    #expect(stage.lines("INBOX").count == 1)
    #expect(try stage.run().isComplete)
    #expect(stage.lines("INBOX").count == 2)
  }
}
