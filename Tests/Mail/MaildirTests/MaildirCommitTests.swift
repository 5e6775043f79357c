import Glibc
import Maildir
import Platform
import TestSupport
import Testing

@Suite struct MaildirCommitTests {
  let directory: TempDirectory

  init() throws {
    directory = try TempDirectory("commit")
    for name in ["a/new", "a/cur", "a/tmp", "b/new", "b/cur", "b/tmp"] {
      try Files.makeDirectories(directory[name])
    }
  }

  @Test(arguments: [Unflushed.few, 0])
  func batchGoesToItsPlaces(_ few: Int) throws {
    let root = Path(directory.path)
    let outcomes = MaildirCommit.commit(
      [
        try Self.placement(root.appending("a"), "one", .new, "1"),
        try Self.placement(root.appending("a"), "two", .cur, "2:2,S"),
        try Self.placement(root.appending("b"), "three", .cur, "3:2,F"),
      ],
      eachUpTo: few
    )
    #expect(outcomes == [.placed, .placed, .placed])
    #expect(content("a") == ["new/1": "one", "cur/2:2,S": "two"])
    #expect(content("b") == ["cur/3:2,F": "three"])
  }

  @Test func namesThatAreTaken() throws {
    try directory.write("one", to: "a/new/1")
    try directory.write("xxx", to: "a/new/2")
    try directory.write("longer", to: "a/new/3")
    symlink("1", directory["a/new/4"])
    let maildir = Path(directory["a"])
    let outcomes = MaildirCommit.commit(
      try ["1": "one", "2": "two", "3": "three", "4": "one", "5": "five"].sorted { $0 < $1 }
        .map { try Self.placement(maildir, $1, .new, $0) }
    )
    #expect(outcomes == [.adopted, .collision, .collision, .collision, .placed])
    #expect(
      content("a") == [
        "new/1": "one", "new/2": "xxx", "new/3": "longer", "new/4": "one", "new/5": "five",
        "tmp/t2": "two", "tmp/t3": "three", "tmp/t4": "one",
      ]
    )
  }

  @Test func failureOfOneDoesNotStopTheOthers() throws {
    let root = Path(directory.path)
    let lost = try Self.placement(root.appending("b"), "lost", .cur, "1")
    rmdir(directory["b/cur"])
    let kept = try Self.placement(root.appending("a"), "kept", .cur, "2")
    let outcomes = MaildirCommit.commit([lost, kept], eachUpTo: 0)
    let error = SystemError(operation: "rename", path: lost.message.temporaryPath, code: ENOENT)
    #expect(outcomes == [.failed(error), .placed])
    #expect(outcomes.map(\.isInPlace) == [false, true])
    #expect(Files.text(directory["a/cur/2"]) == "kept")
  }

  /// A message that another program put there bears the name that it was delivered under.
  @Test func leftoversOfOneMailboxAreRemoved() throws {
    let key = MessageKey(validity: 2, uid: 3, mailbox: 255)
    let own = String(decoding: FetchName.octets(key), as: UTF8.self)
    let delivered = String(
      decoding: MessageKey.baseName(date: 1, key: key, size: 1, wireSize: 1),
      as: UTF8.self
    )
    let others = [
      "\(own),S=1", "1.\(String(decoding: key.text, as: UTF8.self))", delivered, "\(delivered):2,S",
      "fetch.V2U3.00000000000000fe", "foreign", ".x",
    ]
    for name in [own] + others { try directory.write("", to: "a/tmp/\(name)") }
    try directory.write("", to: "a/cur/\(own)")
    try MaildirCommit.removeLeftovers(in: Path(directory["a"]), mailbox: 255)
    #expect(content("a").keys.sorted() == (["cur/\(own)"] + others.map { "tmp/\($0)" }).sorted())
  }

  /// Killed at any point, a message is complete in its place or not in its place at all; none is lost or doubled.
  @Test(arguments: [Unflushed.few, 0])
  func killedAtEachPoint(_ few: Int) async throws {
    // Three messages: open 2, write 3 each; fsync each or syncfs once; rename 2 each; fsync of two directories or syncfs once.
    let isEach = few > 0
    let end = 6 + (isEach ? 4 : 2)
    let last = 15 + (isEach ? 6 : 2) + end
    for point in 1...(last + 1) {
      let root = directory["kill-\(point)"]
      for name in ["new", "cur", "tmp"] { try Files.makeDirectories("\(root)/\(name)") }
      await #expect(processExitsWith: point <= last ? .signal(SIGKILL) : .success) {
        [point = point as Int, root = root as String, few = few as Int] in
        setenv("MAGNUM_FAULT", "\(point)", 1)
        try MaildirCommitTests.deliverThree(to: Path(root), few)
        exit(0)
      }
      let placed = Files.names(in: "\(root)/new").count + Files.names(in: "\(root)/cur").count
      #expect(placed == max(0, min(3, (point - (last - end)) / 2)), "point \(point)")
      let outcomes = try Self.deliverThree(to: Path(root), few)
      #expect(outcomes.filter { $0 == .adopted }.count == placed)
      #expect(
        content("kill-\(point)") == ["new/1": "one\n", "cur/2:2,S": "two\n", "cur/3:2,": "three\n"]
      )
    }
  }

  @discardableResult
  static func deliverThree(
    to maildir: Path,
    _ few: Int
  ) throws -> [Placement.Outcome] {
    MaildirCommit.commit(
      [
        try placement(maildir, "one\r\n", .new, "1"),
        try placement(maildir, "two\r\n", .cur, "2:2,S"),
        try placement(maildir, "three\r\n", .cur, "3:2,"),
      ],
      eachUpTo: few
    )
  }

  private static func placement(
    _ maildir: Path,
    _ text: String,
    _ subdirectory: Subdirectory,
    _ name: String
  ) throws -> Placement {
    let name = FileName(Array(name.utf8))
    var delivery = MaildirDelivery(to: maildir, temporaryName: Array("t".utf8) + name.base)
    try delivery.write(Array(text.utf8)[...])
    return Placement(message: try delivery.finish(), subdirectory: subdirectory, name: name)
  }

  /// Every file of a Maildir and what is in it.
  private func content(_ maildir: String) -> [String: String] {
    var found: [String: String] = [:]
    for subdirectory in ["new", "cur", "tmp"] {
      for name in Files.names(in: directory["\(maildir)/\(subdirectory)"]) {
        let relative = "\(subdirectory)/" + String(decoding: name, as: UTF8.self)
        found[relative] = Files.text(directory["\(maildir)/\(relative)"])
      }
    }
    return found
  }
}
