import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Files that no good client makes, on their way to the server.
///
/// MAGNUM_UPLOAD_MEGABYTES=200 in the environment makes the large one larger.
@Suite struct OddFileTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.fill(inbox: 4, other: 2)
    try stage.imap.create("Trash")
    try stage.syncWell()
    return stage
  }

  private func cur(_ stage: Stage) -> String { "\(stage.maildir)/Archive/cur" }

  private func expectSettled(_ stage: Stage) throws {
    try stage.expectMirrored()
    let (files, mails) = (TreeSnapshot(stage.maildir), try stage.imap.everything())
    try stage.syncWell()
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    #expect(try stage.imap.everything() == mails)
  }

  @Test func aHardLinkIsACopy() throws {
    let stage = try stage()
    let script =
      "f=$(ls -d \"$1\"/* | head -n 1); ln \"$f\" \"$1/linked:2,S\"; ln \"$f\" \"$2/cur/\""
    try Command.shell(script, [cur(stage), "\(stage.maildir)/Lists/swift"])
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Archive").count == 3)
    #expect(try stage.imap.messages(in: "Lists/swift").count == 3)
    // The server copies a message with its flags; a file that lacks one of them gets it in the next run.
    try stage.syncWell()
    try expectSettled(stage)
  }

  @Test(arguments: [
    "mkfifo \"$1/odd:2,S\"", "mkdir \"$1/odd:2,S\"", "ln -s /nowhere \"$1/odd:2,S\"",
    "ln -s \"$1\" \"$1/odd:2,S\"", "printf 'Subject: x\\n\\nx\\n' > \"$1/.odd:2,S\"",
  ])
  func whatIsNoFileIsLeftAlone(script: String) throws {
    let stage = try stage()
    try Command.shell(script, [cur(stage)])
    try LocalFolder(stage.maildir, "Archive").add("fine", mail("fine"), flags: "S")
    let outcome = try stage.sync(timeLimit: 20)
    let isHidden = script.contains("/.odd")
    #expect(outcome.code == (isHidden ? 0 : 1), "\(outcome)")
    #expect(outcome.errors.contains("no regular file") != isHidden, "\(outcome)")
    #expect(try stage.imap.messages(in: "Archive").count == 3, "\(outcome)")
    let again = try stage.sync(timeLimit: 20)
    #expect(again.code == 0, "\(again)")
    #expect(try stage.imap.messages(in: "Archive").count == 3, "\(again)")
    let names = Files.names(in: cur(stage)).map { String(decoding: $0, as: UTF8.self) }
    #expect(names.contains { $0.contains("odd") })
  }

  /// As programs leave one that keep each content once.
  ///
  /// Off a terminal it is reported once a day.
  @Test(arguments: ["", "rm"])
  func aMessageThatBecameALinkIsNotRemoved(target removal: String) throws {
    let stage = try stage()
    let script =
      "f=$(ls -d \"$1\"/* | head -n 1); mv \"$f\" \"$2\"; ln -s \"$2\" \"$f\"; [ -z \"$3\" ] || rm \"$2\""
    try Command.shell(script, [cur(stage), stage.program.home["kept"], removal])
    for run in 1...2 {
      let outcome = try stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      #expect(outcome.errors.contains("no regular file") == (run == 1), "\(outcome)")
      #expect(try stage.imap.messages(in: "Archive").count == 2, "\(outcome)")
    }
  }

  @Test func octetsReachTheServerAsTheyAre() throws {
    let stage = try stage()
    let bodies: [[UInt8]] = [
      Array("Subject: 0\n\na\rb\n".utf8), Array("Subject: 1\r\n\r\na\nb\r\n".utf8),
      Array("no header at all\n".utf8), Array("Subject: only a header".utf8),
      Array("\n\nan empty line first\n".utf8), Array("Subject: 5\n\n".utf8) + Array(128...255),
      Array("Subject: \u{fc}\nX-\u{e9}: 1\n\nx\n".utf8), [13], [10],
      Array("Subject: 9\n\n\r\r\n".utf8),
    ]
    for (number, body) in bodies.enumerated() {
      try Files.write(body, to: "\(cur(stage))/odd-\(number):2,S")
    }
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Archive").count == 2 + bodies.count)
    for (number, body) in bodies.enumerated() {
      #expect(Files.read("\(cur(stage))/odd-\(number):2,S") == body)
    }
    let stored = try stage.imap.messages(in: "Archive").map { $0.body.filter { $0 != 13 } }
    for body in bodies { #expect(stored.contains(body.filter { $0 != 13 }), "\(body)") }
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Archive").count == 2 + bodies.count)
  }

  /// Off a terminal it is reported once a day; the status stays.
  @Test(arguments: [([], "it is empty"), ([97, 0, 98, 10], "NUL")] as [([UInt8], String)])
  func whatCannotBeMailIsSaidAndTheRestGoesOn(octets: [UInt8], words: String) throws {
    let stage = try stage()
    try Files.write(octets, to: "\(cur(stage))/odd:2,S")
    try LocalFolder(stage.maildir, "Archive").add("fine", mail("fine"), flags: "S")
    for run in 1...2 {
      let outcome = try stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      #expect(outcome.errors.contains(words) == (run == 1), "\(outcome)")
      #expect(try stage.imap.messages(in: "Archive").count == 3)
      #expect(Files.read("\(cur(stage))/odd:2,S") == octets)
    }
  }

  @Test func aFileThatCannotBeReadIsSaidAndNotTakenForRemoved() throws {
    let stage = try stage()
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("fine", mail("fine"), flags: "S")
    try archive.add("secret", mail("secret"), flags: "S")
    try Command.shell("chmod 000 \"$1\"/secret* \"$1\"/*.V*", [cur(stage)])
    var command = stage.program.command([])
    if getuid() == 0 {
      try Command.shell("chown -R 65534:65534 \"$1\"", [stage.program.home.path])
      command.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", command.program]
      command.program = "setpriv"
    }
    let outcome = try command.run()
    #expect(outcome.code == 1 && outcome.errors.contains("Permission denied"), "\(outcome)")
    #expect(try stage.imap.messages(in: "Archive").count == 3)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    try Command.shell("chmod 600 \"$1\"/*", [cur(stage)])
    let next = try command.run()
    #expect(next.code == 0, "\(next)")
    #expect(try stage.imap.messages(in: "Archive").count == 4)
    try stage.expectMirrored()
  }

  /// A name without room for flags, or a file that nobody may rename: that is said once a day, and the rest of the mailbox goes on.
  @Test func aNameThatCannotBeChangedStopsNothingElse() throws {
    let stage = try stage()
    let name = String(repeating: "a", count: 252)
    try Files.write(mail("long").filter { $0 != 13 }, to: "\(cur(stage))/\(name)")
    try stage.syncWell()
    try stage.imap.select("Archive")
    try stage.imap.store("1:*", "+FLAGS (\\Flagged)")
    for number in 1...2 {
      try stage.imap.append(mail("later \(number)"), to: "Archive", flags: "\\Seen")
      let outcome = try stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      for words in [name, "shorter name"] {
        #expect(outcome.errors.contains(words) == (number == 1), "\(outcome)")
      }
      let flags = stage.tree["Archive"].filter { $0.flags.contains("F") }
      #expect(flags.count == 2, "\(outcome)")
      #expect(stage.tree["Archive"].count == 3 + number, "\(outcome)")
    }
    try Command.shell("mv \"$1/$2\" \"$1/short\"", [cur(stage), name])
    try stage.syncWell()
    try expectSettled(stage)
    #expect(try stage.imap.messages(in: "Archive").count == 5)
  }

  @Test func aMissingTmpIsMade() throws {
    let stage = try stage()
    try Command.shell("rmdir \"$1/../tmp\"", [cur(stage)])
    try stage.imap.append(mail("later"), to: "Archive")
    try stage.syncWell()
    try expectSettled(stage)
  }

  /// It takes no more memory than a small one.
  @Test func aLargeUploadStreams() throws {
    let stage = try stage()
    let given = getenv("MAGNUM_UPLOAD_MEGABYTES").flatMap { Int(String(cString: $0)) }
    let sizes = [1, given ?? 40]
    let peaks = try sizes.map { try upload($0, stage) }
    #expect(peaks[1] < peaks[0] + 4 * 1024, "\(peaks) KiB for \(sizes) MB")
    #expect(try stage.imap.status("MESSAGES", of: "Archive") == 4)
  }

  /// Has a message of so many megabytes uploaded; gives the KiB of memory that this took.
  private func upload(_ megabytes: Int, _ stage: Stage) throws -> Int {
    let script =
      "{ printf 'Subject: large\\n\\n'; yes 'line after line' | head -c \"$2\"000000; } > \"$1\""
    try Command.shell(script, ["\(cur(stage))/large\(megabytes):2,S", "\(megabytes)"])
    let outcome = try stage.sync(timeLimit: 300)
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.peakMemory
  }

  @Test func whatTwoClientsStoreInBothPlacesIsOne() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "Archive").add("mine", mail("both"), flags: "S")
    try stage.imap.append(mail("both"), to: "Archive", flags: "\\Flagged")
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Archive").count == 3)
    #expect(stage.tree["Archive"].filter { $0.subject == "both" }.map(\.flags) == ["FS"])
    try expectSettled(stage)
  }

  @Test func whatTwoClientsStoreOnTheServerIsTwo() throws {
    let stage = try stage()
    for _ in 0..<2 { try stage.imap.append(mail("twice"), to: "Archive") }
    try stage.syncWell()
    #expect(stage.tree["Archive"].filter { $0.subject == "twice" }.count == 2)
    try expectSettled(stage)
  }
}
