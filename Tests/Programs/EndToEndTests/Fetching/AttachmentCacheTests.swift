import Glibc
import TestSupport
import Testing

/// Attachments of partial messages that are fetched alone, and kept.
@Suite struct AttachmentCacheTests {
  /// A message with attachments of all kinds, each by its number, with what is in it; those of less than 16 KiB come with it.
  private static let parts: [(number: String, header: String, body: String)] = [
    ("2", "application/pdf; name=\"large.pdf\"\nContent-Transfer-Encoding: base64", base64(9000)),
    (
      "3", "text/x-log; charset=utf-8; name=qp.log\nContent-Transfer-Encoding: quoted-printable",
      "caf=C3=A9 =\n soft \t\nline=20\n" + String(repeating: "a=3Db \n", count: 60_000)
    ),
    (
      "4", "message/rfc822",
      "Subject: inside\nMIME-Version: 1.0\n\n"
        + String(repeating: "the text inside\n", count: 1_100) + ".\n"
    ),
    ("5", "application/octet-stream; name=noise.bin\nContent-Transfer-Encoding: base64", noise),
    ("6", "image/png; name=plain.png", "no encoding\n\n  at all\n"),
    ("7", "application/x-empty; name=empty", ""),
  ]

  private static func base64(_ lines: Int) -> String {
    (0..<lines).map { number in
      let letters = String(number % 10) + String(number / 10 % 10)
      return String(repeating: "QU" + letters, count: 19) + "\n"
    }.joined()
  }

  private static let noise =
    "QUJD!!RE\u{7}VG\nQUI=\n\n" + String(repeating: "> QUJD\n", count: 100)
    + "QQ==\n-- \nlist footer\n"

  private static func message(_ subject: String) -> [UInt8] {
    var text = """
      From: a@example.org
      Subject: \(subject)
      Message-ID: <\(subject)@parts.example.org>
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary="=_b"

      --=_b
      Content-Type: multipart/mixed; boundary="=_c"

      --=_c
      Content-Type: text/plain

      the text of \(subject)
      --=_c
      Content-Type: application/zip; name="nested.zip"
      Content-Transfer-Encoding: base64

      \(base64(400))
      --=_c--

      """
    for part in parts {
      text +=
        "--=_b\nContent-Type: \(part.header)\nContent-Disposition: attachment\n\n\(part.body)\n"
    }
    return Array((text + "--=_b--\n").replacing("\n", with: "\r\n").utf8)
  }

  /// A mailbox with one such message, mirrored without its attachments.
  private final class Scene {
    let stage: Stage
    let proxy: DelayProxy

    init(
      _ octets: [UInt8] = AttachmentCacheTests.message("parts"),
      _ more: String = "",
      link: DelayProxy.Link = DelayProxy.Link()
    ) throws {
      stage = try Stage()
      try stage.imap.append(octets, flags: "\\Seen")
      proxy = try DelayProxy(to: stage.server.ports.clear, link)
      try configure(more)
      try stage.syncWell()
    }

    func configure(_ more: String = "", url: String? = nil) throws {
      let url = url ?? "imap+plain://127.0.0.1:\(proxy.port)"
      try stage.configure(url: url, sync: "size-limit = \"100kB\"\n\(more)")
    }

    var cache: String { stage.program.home[".cache/magnum/test/attachments"] }

    /// The names and lengths of what is kept.
    var kept: [String: Int] {
      var result: [String: Int] = [:]
      for name in Files.names(in: cache) {
        let name = String(decoding: name, as: UTF8.self)
        result[name] = Files.read("\(cache)/\(name)")?.count
      }
      return result
    }

    func file() throws -> String {
      for folder in ["cur", "new"] {
        let path = "\(stage.maildir)/INBOX/\(folder)/"
        for name in Files.names(in: path) { return path + String(decoding: name, as: UTF8.self) }
      }
      throw HarnessError("no file")
    }

    var isPartial: Bool {
      get throws { Files.text(try file())?.contains("access-type=\"x-magnum\"") == true }
    }

    func save(
      _ options: [String],
      to folder: String,
      _ environment: [String: String] = [:]
    ) throws -> Outcome {
      try Files.makeDirectories(stage.program.home[folder])
      let words = ["attachments", "save", "--to", stage.program.home[folder]] + options
      var command = stage.program.command(words + [try file()], environment)
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run()
    }

    func magnum(_ words: String...) throws -> Outcome {
      var command = stage.program.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run()
    }

    /// What was saved into a folder, by name.
    func saved(_ folder: String) -> [String: [UInt8]] {
      let path = stage.program.home[folder]
      var result: [String: [UInt8]] = [:]
      for name in Files.names(in: path) {
        let name = String(decoding: name, as: UTF8.self)
        result[name] = Files.read("\(path)/\(name)")
      }
      return result
    }
  }

  private static let numbers = ["1.2"] + parts.map(\.number)

  @Test func eachIsWhatIsInTheWholeMessage() throws {
    let scene = try Scene()
    #expect(try scene.isPartial)
    for number in Self.numbers {
      let outcome = try scene.save(["--part", number], to: "alone")
      #expect(outcome.code == 0, "\(number): \(outcome)")
    }
    #expect(try scene.isPartial)
    let alone = scene.saved("alone")
    #expect(alone.count == 7)
    #expect(scene.kept.count == 4)
    // All at once, from the cache.
    let connections = scene.proxy.counters.connections
    let all = try scene.save([], to: "all")
    #expect(all.code == 0, "\(all)")
    #expect(scene.saved("all") == alone)
    #expect(scene.proxy.counters.connections == connections)
    #expect(try scene.magnum("attachments", "fetch", scene.file()).code == 0)
    #expect(try !scene.isPartial)
    #expect(try scene.save([], to: "whole").code == 0)
    #expect(scene.saved("whole") == alone)
  }

  @Test func onlyThePartIsFetchedAndOnlyOnce() throws {
    let scene = try Scene()
    let before = scene.proxy.counters
    #expect(try scene.save(["--name", "nested.zip"], to: "one").code == 0)
    let after = scene.proxy.counters
    #expect(after.connections == before.connections + 1)
    #expect(after.down - before.down < 45_000, "\(after.down - before.down)")
    #expect(after.down - before.down > 25_000)
    // The server cannot be reached any more, and the file is called otherwise.
    try scene.configure(url: "imap+plain://127.0.0.1:1")
    let file = try scene.file()
    try Self.rename(file, to: file.replacing(":2,S", with: ":2,FS"))
    let again = try scene.save(["--name", "nested.zip"], to: "two")
    #expect(again.code == 0, "\(again)")
    #expect(scene.saved("one") == scene.saved("two"))
    let other = try scene.save(["--part", "2"], to: "two")
    #expect(other.code == 75, "\(other)")
    #expect(scene.saved("two").count == 1)
  }

  /// A file that moved here, of which no sync knows yet.
  @Test func aMovedFileIsFetchedFromWhereItsMessageIs() throws {
    let scene = try Scene()
    let file = try scene.file()
    let folder = "\(scene.stage.maildir)/Kept/cur/"
    for name in ["cur", "new", "tmp"] {
      try Files.makeDirectories("\(scene.stage.maildir)/Kept/\(name)")
    }
    let moved = folder + "1700000000.1_2.host:2,S"
    try Self.rename(file, to: moved)
    let home = scene.stage.program.home
    try Files.makeDirectories(home["out"])
    let words = ["attachments", "save", "--part", "1.2", "--to", home["out"], moved]
    var command = scene.stage.program.command(words)
    command.program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(scene.saved("out").keys.sorted() == ["nested.zip"])
  }

  // MARK: What is kept

  @Test func whatIsKeptIsTheUsersAlone() throws {
    let scene = try Scene()
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
    #expect(Self.mode(scene.cache) == 0o700)
    let name = try #require(scene.kept.keys.first)
    #expect(name.count == 64 && Self.mode("\(scene.cache)/\(name)") == 0o600)
  }

  @Test func whatWasUsedLongestAgoGoes() throws {
    let scene = try Scene()
    for number in ["2", "3", "1.2"] {
      #expect(try scene.save(["--part", number], to: "out").code == 0)
    }
    let sizes = scene.kept.values.sorted()
    try #require(sizes.count == 3)
    // The largest is used again; for what comes next that used longest ago makes room.
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
    let limit = (sizes[0] + sizes[2]) / 1000 + 20
    try scene.configure("cache-limit = \"\(limit)kB\"")
    #expect(try scene.save(["--part", "4"], to: "out").code == 0)
    #expect(scene.kept.values.sorted().suffix(2) == [sizes[0], sizes[2]])
    #expect(scene.kept.count == 3)
    // What is larger than all that is kept is not kept, and drives nothing away.
    try scene.configure("cache-limit = \"100kB\"")
    Files.removeTree(scene.cache)
    #expect(try scene.save(["--part", "1.2"], to: "out").code == 0)
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
    #expect(Array(scene.kept.values) == [sizes[0]])
  }

  @Test(arguments: ["0", "\"0\""])
  func aLimitOf0KeepsNothing(_ limit: String) throws {
    let scene = try Scene(Self.message("parts"), "cache-limit = \(limit)")
    for _ in 1...2 {
      let before = scene.proxy.counters.connections
      #expect(try scene.save(["--part", "2"], to: "out").code == 0)
      #expect(scene.proxy.counters.connections == before + 1)
    }
    #expect(Files.names(in: scene.stage.program.home[".cache/magnum/test"]).isEmpty)
    #expect(scene.saved("out")["large.pdf"] == scene.saved("out")["large (2).pdf"])
    #expect(scene.saved("out").count == 2)
  }

  /// Whatever is made of what is kept, it is either what was written or not used.
  @Test(arguments: ["flipped", "shorter", "longer", "renamed", "link", "directory"])
  func aWrongFileIsNeverServed(_ kind: String) throws {
    let scene = try Scene()
    #expect(try scene.save(["--part", "2"], to: "right").code == 0)
    #expect(try scene.save(["--part", "1.2"], to: "right").code == 0)
    let names = scene.kept.sorted { $0.value < $1.value }.map { "\(scene.cache)/\($0.key)" }
    var octets = try #require(Files.read(names[1]))
    switch kind {
    case "flipped": octets[100] ^= 1
    case "shorter": octets.removeFirst()
    case "longer": octets.append(0)
    case "renamed": octets = try #require(Files.read(names[0]))
    default: break
    }
    switch kind {
    case "link":
      try Self.rename(names[1], to: scene.stage.program.home["elsewhere"])
      try Self.link(names[1], to: scene.stage.program.home["elsewhere"])
    case "directory":
      try Self.rename(scene.cache, to: scene.stage.program.home["elsewhere"])
      try Self.link(scene.cache, to: scene.stage.program.home["elsewhere"])
    default: try Files.write(octets, to: names[1])
    }
    let before = scene.proxy.counters.connections
    let outcome = try scene.save(["--part", "2"], to: "again")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(scene.proxy.counters.connections == before + 1)
    #expect(scene.saved("again")["large.pdf"] == scene.saved("right")["large.pdf"])
    #expect(outcome.errors.contains("is not kept") == (kind == "directory"), "\(outcome)")
  }

  /// Whatever ends it, nothing half is served, and the next one does all of it.
  @Test func savesThatAreKilled() throws {
    let scene = try Scene()
    #expect(try scene.save(["--part", "2"], to: "right").code == 0)
    Files.removeTree(scene.cache)
    let counted = scene.stage.program.home["points"]
    #expect(
      try scene.save(["--part", "2"], to: "whole", ["MAGNUM_FAULT_COUNT": counted]).code == 0
    )
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    #expect(points > 5)
    for point in Turn.chosen(of: points, every: Turn.stride(1)) {
      Files.removeTree(scene.cache)
      let run = try scene.save(["--part", "2"], to: "killed", ["MAGNUM_FAULT": "\(point)"])
      #expect(run.end == .signalled(9), "\(point) of \(points): \(run)")
      let folder = "again\(point)"
      #expect(try scene.save(["--part", "2"], to: folder).code == 0)
      #expect(scene.saved(folder) == scene.saved("right"))
    }
    #expect(try scene.isPartial)
  }

  // MARK: The server

  /// The connection breaks in the midst, and no person is there who would wait.
  @Test func aBrokenConnection() throws {
    var link = DelayProxy.Link()
    link.cutAfterDown = 300_000
    link.meant = 2...2
    let scene = try Scene(Self.message("parts"), link: link)
    let outcome = try scene.save(["--part", "2"], to: "out")
    #expect(outcome.code == 75, "\(outcome)")
    #expect(scene.kept.isEmpty && scene.saved("out").isEmpty)
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
  }

  /// A person waits, and what came before the connection broke is not fetched again.
  @Test func aBrokenConnectionAtATerminal() throws {
    var link = DelayProxy.Link()
    link.cutAfterDown = 550_000
    link.meant = 2...2
    let scene = try Scene(link: link)
    try Files.makeDirectories(scene.stage.program.home["out"])
    let out = scene.stage.program.home["out"]
    var command = scene.stage.program.command(
      ["attachments", "save", "--part", "2", "--to", out, try scene.file()]
    )
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.isOnTerminal = true
    let outcome = try command.run()
    #expect(outcome.code == 0 && outcome.output.contains("trying again in 5 s"), "\(outcome)")
    #expect(scene.proxy.counters.downOver[3].map { $0 < 500_000 } == true)
    let right = try Scene()
    #expect(try right.save(["--part", "2"], to: "out").code == 0)
    #expect(scene.saved("out") == right.saved("out"))
  }

  /// Nothing that is recorded changes, so that no lock is needed.
  @Test func itWorksBesideASync() throws {
    let scene = try Scene()
    let lock = "\(scene.stage.state)/lock"
    #expect(Files.exists(lock))
    let holder = try Command("flock", [lock, "sleep", "60"]).start()
    defer { holder.signal(9) }
    while (try? Command.shell("flock -n \"$1\" true", [lock])) != nil { usleep(10_000) }
    let fetch = try scene.magnum("attachments", "fetch", scene.file())
    #expect(fetch.code == 75, "\(fetch)")
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
  }

  @Test func theDayLimitsWhatIsFetched() throws {
    let scene = try Scene(Self.message("parts"), "daily-limit = \"500kB\"")
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
    let outcome = try scene.save(["--part", "1.2"], to: "out")
    #expect(outcome.code == 75 && outcome.errors.contains("daily-limit is reached"), "\(outcome)")
    // What is kept costs nothing.
    #expect(try scene.save(["--part", "2"], to: "out").code == 0)
    #expect(scene.saved("out").keys.sorted() == ["large (2).pdf", "large.pdf"])
  }

  /// The program gets the part, not what stands for it, by its type and under a name that says nothing else.
  @Test(arguments: [("2", "application/pdf"), ("4", "message/rfc822"), ("6", "image/png")])
  func aPartIsOpened(_ number: String, _ type: String) throws {
    let scene = try Scene()
    let home = scene.stage.program.home
    try Files.makeDirectories(home["bin"])
    let script =
      "#!/bin/sh\nprintf %s \"$1\" > \(home["type"])\ncat \"${1#*:}\" > \(home["seen"])\n"
    try Files.write(Array(script.utf8), to: home["bin/run-mailcap"], mode: 0o755)
    var command = scene.stage.program.command(
      ["attachments", "open", "--part", number, try scene.file()],
      ["PATH": "\(home["bin"]):/usr/bin:/bin", "TMPDIR": home.path]
    )
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.isOnTerminal = true
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Files.text(home["type"])?.hasPrefix("\(type):") == true)
    #expect(try scene.save(["--part", number], to: "out").code == 0)
    #expect(scene.saved("out").values.first == Files.read(home["seen"]))
    #expect(try scene.isPartial)
  }

  @Test func aMessageThatIsGone() throws {
    let scene = try Scene()
    try scene.stage.imap.select()
    try scene.stage.imap.store("1", "+FLAGS (\\Deleted)")
    try scene.stage.imap.command("EXPUNGE")
    let outcome = try scene.save(["--part", "2"], to: "out")
    #expect(outcome.code == 69, "\(outcome)")
    #expect(outcome.errors.contains("no longer where it was"), "\(outcome)")
    #expect(scene.saved("out").isEmpty && scene.kept.isEmpty)
  }

  /// A mailbox of the same name, in which another message has the UID.
  @Test func anotherMailboxOfTheName() throws {
    let stage = try Stage()
    try stage.imap.create("Box")
    try stage.imap.append(Self.message("parts"), to: "Box", flags: "\\Seen")
    try stage.configure(sync: "size-limit = \"100kB\"")
    try stage.syncWell()
    try stage.imap.rename("Box", to: "Old")
    try stage.imap.create("Box")
    try stage.imap.append(Self.message("parts"), to: "Box", flags: "\\Seen")
    let path = "\(stage.maildir)/Box/cur/"
    let name = try #require(Files.names(in: path).first)
    let home = stage.program.home
    try Files.makeDirectories(home["out"])
    let file = path + String(decoding: name, as: UTF8.self)
    var command = stage.program.command(
      ["attachments", "save", "--part", "2", "--to", home["out"], file]
    )
    command.program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try command.run()
    #expect(outcome.code == 69, "\(outcome)")
    #expect(Files.names(in: home["out"]).isEmpty)
  }

  /// What the file wants is not what the server has, whichever of the two was changed.
  @Test(
    arguments: [
      ("name=\"large.pdf\"", "name=\"lerge.pdf\""), ("application/pdf", "application/zip"),
      ("Encoding: base64", "Encoding: 8bit"), ("section=\"2\"", "section=\"5\""),
      ("size=\"702000\"", "size=\"701999\""), ("size=\"702000\"", "size=\"702001\""),
      ("size=\"702000\"", "size=\"1\""), ("size=\"702000\"", "size=\"9999999\""),
    ]
  )
  func anotherPart(_ told: String, _ changed: String) throws {
    let scene = try Scene()
    let text = try #require(Files.text(try scene.file()))
    #expect(text.contains(told), "\(text)")
    try Files.write(text.replacing(told, with: changed), to: try scene.file())
    let outcome = try scene.save(["--part", "2"], to: "out")
    #expect(outcome.code == 69, "\(outcome)")
    #expect(outcome.errors.contains("differs"), "\(outcome)")
    #expect(scene.kept.isEmpty && scene.saved("out").isEmpty)
  }

  /// Where a server does not give a part alone, or not as it was asked for, the message is made whole.
  @Test(
    arguments: [
      ("message", 69), ("section", 0), ("origin", 0), ("header", 0), ("refused", 0), ("later", 0),
      ("flood", 0),
    ]
  )
  func aServerThatGivesSomethingElse(_ kind: String, _ code: Int32) throws {
    let scene = try Scene()
    let proxy = try BendingProxy(
      to: scene.stage.server.ports.clear,
      command: { line in
        kind == "refused" && line.contains("BODY.PEEK[2]") ? .refused("NO not here") : .passed
      },
      reply: { line in Self.bend(line, kind) }
    )
    try scene.configure(url: proxy.clearURL)
    let outcome = try scene.save(["--part", "2"], to: "out")
    #expect(outcome.code == code, "\(outcome)")
    #expect(scene.kept.isEmpty)
    #expect(try scene.isPartial == (code != 0))
    guard code == 0 else { return #expect(scene.saved("out").isEmpty) }
    let right = try Scene()
    #expect(try right.save(["--part", "2"], to: "out").code == 0)
    #expect(scene.saved("out") == right.saved("out"))
  }

  /// A line of the server that says something else.
  private static func bend(_ line: String, _ kind: String) -> String {
    switch kind {
    case "message": line.replacing("RFC822.SIZE ", with: "RFC822.SIZE 1")
    case "section": line.replacing("BODY[2]<", with: "BODY[3]<")
    case "origin": line.replacing("BODY[2]<0>", with: "BODY[2]<7>")
    case "later": line.replacing("BODY[2]<262144>", with: "BODY[2]<0>")
    case "header": line.replacing("BODY[2.MIME]", with: "BODY[3.MIME]")
    case "flood": line.replacing("BODY[2]<0> {", with: "BODY[2]<0> {9999")
    default: line
    }
  }

  // MARK: Cost

  /// A part of 49 MB takes little more memory than one of 12 kB.
  @Test func memory() throws {
    let small = try Scene()
    let first = try small.save(["--part", "1.2"], to: "out")
    let large = try Scene(SizeLimitTests.large("huge", lines: 860_000))
    for _ in 1...2 {
      let outcome = try large.save(["--part", "2"], to: "out")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.peakMemory < first.peakMemory + 8000, "\(outcome.peakMemory)")
      print("peak \(outcome.peakMemory) after \(first.peakMemory) KiB, \(outcome.seconds) s")
    }
    #expect(large.saved("out")["huge.pdf"]?.count == 860_000 * 57)
    // From the whole message.
    try #require(large.magnum("attachments", "fetch", large.file()).code == 0)
    let whole = try large.save(["--part", "2"], to: "whole")
    #expect(whole.code == 0 && whole.peakMemory < first.peakMemory + 8000, "\(whole)")
    #expect(large.saved("whole")["huge.pdf"] == large.saved("out")["huge.pdf"])
  }

  // MARK: Files

  private static func rename(_ path: String, to other: String) throws {
    guard Glibc.rename(path, other) == 0 else { throw HarnessError("rename \(path)") }
  }

  private static func link(_ path: String, to other: String) throws {
    guard symlink(other, path) == 0 else { throw HarnessError("symlink \(path)") }
  }

  private static func mode(_ path: String) -> UInt32? {
    var result = stat()
    return stat(path, &result) == 0 ? UInt32(result.st_mode) & 0o7777 : nil
  }
}
