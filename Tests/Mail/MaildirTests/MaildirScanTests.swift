import Glibc
import Maildir
import Platform
import TestSupport
import Testing

@Suite struct MaildirScanTests {
  let directory: TempDirectory

  init() throws {
    directory = try TempDirectory("scan", isOnDisk: true)
    for name in ["new", "cur", "tmp"] { try Files.makeDirectories(directory[name]) }
  }

  @Test func messagesAreFoundWhereTheyAre() throws {
    for name in ["new/a", "cur/b:2,FS", "cur/c", "tmp/d", "new/.hidden", "cur/.x:2,S"] {
      try directory.write("x", to: name)
    }
    let latin: [UInt8] = Array("/cur/".utf8) + [0xE9, 0xFF] + Array(":2,S".utf8)
    Files.withCPath(Array(directory.path.utf8) + latin) { _ = close(creat($0, 0o600)) }
    let scan = try MaildirScan.scan(Path(directory.path))
    #expect(scan.isSettled)
    #expect(scan.oddities.isEmpty)
    #expect(
      Set(scan.files) == [
        file("new/a"), file("cur/b:2,FS"), file("cur/c"),
        ScannedFile(name: FileName([0xE9, 0xFF] + Array(":2,S".utf8)), subdirectory: .cur),
      ]
    )
    #expect(try FileSystem.status(Path(directory["new"]))?.fingerprint == scan.newFingerprint)
    #expect(try FileSystem.status(Path(directory["cur"]))?.fingerprint == scan.curFingerprint)
  }

  @Test func whatIsNoMessageIsReported() throws {
    try directory.write("x", to: "cur/:2,S")
    try Files.makeDirectories(directory["new/folder"])
    symlink("a", directory["cur/link:2,S"])
    mkfifo(directory["cur/pipe"], 0o600)
    let scan = try MaildirScan.scan(Path(directory.path))
    #expect(scan.files.isEmpty)
    #expect(
      Set(scan.oddities) == [
        .noBase(file("cur/:2,S")), .notAFile(file("new/folder"), .directory),
        .notAFile(file("cur/link:2,S"), .symbolicLink), .notAFile(file("cur/pipe"), .other),
      ]
    )
  }

  @Test(arguments: [
    (["new/a", "cur/a:2,S"], "cur/a:2,S"),
    (["cur/a:2,S", "cur/a:2,F"], "cur/a:2,F"),
    (["cur/a", "cur/a:2,"], "cur/a"),
    (["new/a", "new/a:2,"], "new/a"),
  ])
  func sameBaseTwice(_ names: [String], _ kept: String) throws {
    for name in names { try directory.write("x", to: name) }
    let scan = try MaildirScan.scan(Path(directory.path))
    let other = try #require(names.first { $0 != kept })
    #expect(Array(scan.files) == [file(kept)])
    #expect(scan.oddities == [.duplicate(kept: file(kept), other: file(other))])
  }

  @Test(arguments: ["new", "cur"])
  func missingDirectoriesAreErrors(_ name: String) throws {
    rmdir(directory[name])
    let path = Path(directory.path).appending(name)
    #expect(throws: SystemError(operation: "open", path: path, code: ENOENT)) {
      try MaildirScan.scan(Path(directory.path))
    }
  }

  @Test func aScanOfWhatChangedJustNowStandsForNothing() throws {
    try directory.write("x", to: "new/m")
    let scan = try MaildirScan.scan(Path(directory.path))
    #expect(scan.isSettled && !scan.isReliable)
  }

  /// A client that renames without pause: a base may be missed, but is never there twice, and never odd.
  @Test func movingMessagesCountOnce() throws {
    // As many as a scan takes long enough for.
    let count = 2000
    for number in 0..<count { try directory.write("x", to: "new/m\(number)") }
    let interruption = Interruption()
    let root = directory.path
    let client = try Thread.spawn(name: "client") {
      var names = (0..<count).map { "new/m\($0)" }
      var round = 0
      while !interruption.isRequested {
        round += 1
        for index in names.indices {
          let name = "cur/m\(index):2," + (round % 2 == 0 ? "S" : "FS")
          rename("\(root)/\(names[index])", "\(root)/\(name)")
          names[index] = name
        }
      }
    }
    var unsettled = 0
    let deadline = ContinuousClock.now + .seconds(20)
    var scans = 0
    // On a busy machine the client may not get its turn for a while.
    while scans < 20 || unsettled == 0 && ContinuousClock.now < deadline {
      scans += 1
      let scan = try MaildirScan.scan(Path(root))
      let bases = scan.files.map(\.name.base)
      #expect(Set(bases).count == bases.count)
      if !scan.isSettled { unsettled += 1 }
    }
    interruption.request()
    client.join()
    #expect(unsettled > 0)
    let scan = try MaildirScan.scan(Path(root))
    #expect(scan.isSettled)
    #expect(scan.files.count == count)
    #expect(scan.oddities.isEmpty)
  }

  @Test func renamedFilesAreFound() throws {
    for name in [
      "cur/a:2,FS", "new/b", "cur/b.c:2,", "cur/both:2,S", "new/both", "cur/two:2,F", "cur/two:2,S",
    ] {
      try directory.write("x", to: name)
    }
    let root = Path(directory.path)
    let find = { (name: String) in
      try CurrentPath.find(root.appending(name)).map {
        String($0.display.dropFirst(root.display.count + 1))
      }
    }
    #expect(try find("new/a") == "cur/a:2,FS")
    #expect(try find("cur/a:2,T") == "cur/a:2,FS")
    #expect(try find("cur/b:2,S") == "new/b")
    #expect(try find("cur/both") == "cur/both:2,S")
    #expect(try find("new/both") == "new/both")
    #expect(try find("cur/two:2,S") == "cur/two:2,S")
    // Either may be another message.
    #expect(try find("cur/two:2,R") == nil)
    #expect(try find("cur/c") == nil)
    #expect(try find("missing/cur/a") == nil)
    #expect(
      try CurrentPath.find(Array("two".utf8), in: root, seenAt: root.appending("new/x:2,S"))?
        .lastComponent == Array("two:2,S".utf8)
    )
    #expect(throws: SystemError.self) {
      try CurrentPath.find(
        [0x61],
        in: root.appending("missing"),
        seenAt: root.appending("missing/cur/a")
      )
    }
  }

  private func file(_ path: String) -> ScannedFile {
    let octets = Array(path.utf8)
    return ScannedFile(
      name: FileName(Array(octets.dropFirst(4))),
      subdirectory: octets.starts(with: Array("new".utf8)) ? .new : .cur
    )
  }
}
