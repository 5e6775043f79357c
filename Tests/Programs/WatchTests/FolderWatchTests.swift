import Glibc
import MailModel
import Maildir
import Platform
import TestSupport
import Testing
import WatchPlan

@testable import Watch

@Suite("Changes in the folders of a watched account")
struct FolderWatchTests {
  private let folder: TempDirectory
  private let inbox = Inbox()
  private let watch: FolderWatch

  init() throws {
    folder = try TempDirectory("folders")
    for part in ["cur", "new", "tmp"] {
      try Files.makeDirectories(folder["Mail/INBOX/\(part)"])
    }
    try Files.makeDirectories(folder["Mail/.magnum/mailboxes"])
    try Files.makeDirectories(folder["spool/test/queue"])
    try Files.makeDirectories(folder["memory"])
    // By a shell: a child that another test forks meanwhile would close late what this process opens, and that would be told.
    try Command.shell("umask 077 && : > \"$1/Mail/INBOX/cur/old:2,\"", [folder.path])
    watch = FolderWatch(
      FolderTree(root: Path(folder["Mail"]), layout: .verbatim),
      queues: [Path(folder["spool/test/queue"]), Path(folder["none/test/queue"])],
      memory: Path(folder["memory"]),
      inbox
    )
  }

  /// What is told of a step, in words.
  private func told(_ script: String) throws -> [String] {
    try Command.shell("cd \"$1\" && \(script)", [folder.path])
    watch.read()
    return inbox.takeItems().map { item in
      switch item {
      case .file(let mark):
        let path = "\(mark.subdirectory)/\(String(decoding: mark.name, as: UTF8.self))"
        return (mark.isThere ? "+" : "-") + path
      case .directory(let path): return "+" + String(decoding: path, as: UTF8.self)
      case .news(let news): return "\(news)"
      }
    }
  }

  @Test("files, tags, folders, the queue and logins are told of, and nothing else")
  func steps() throws {
    #expect(watch.tellsAll)
    let steps: [(script: String, told: [String])] = [
      (": > Mail/INBOX/tmp/a && mv Mail/INBOX/tmp/a Mail/INBOX/new/a", ["+new/a"]),
      ("mv Mail/INBOX/new/a Mail/INBOX/cur/a:2,S", ["-new/a", "+cur/a:2,S"]),
      ("mv Mail/INBOX/cur/old:2, Mail/INBOX/cur/old:2,F", ["-cur/old:2,", "+cur/old:2,F"]),
      ("rm Mail/INBOX/cur/a:2,S", ["-cur/a:2,S"]),
      (": > Mail/INBOX/cur/.hidden", []),
      (": > Mail/.magnum/mailboxes/x && mkdir Mail/.magnum/y", []),
      (": > Mail/INBOX/.magnum-keywords", []),
      (": > t && mv t Mail/INBOX/.magnum-tags", ["localChange"]),
      (": > spool/test/queue/1", ["localChange"]),
      ("rm spool/test/queue/1", []),
      (": > memory/logins && : > memory/refused && : > memory/oauth.lock && mkdir memory/x", []),
      (": > t && mv t memory/oauth", ["newLogin"]),
      ("rm memory/refused", ["newLogin"]),
      ("rm memory/oauth memory/logins", []),
      ("mkdir -p Mail/New/cur Mail/New/new", ["+New"]),
      (": > Mail/New/cur/b", ["+cur/b"]),
      ("mkdir Mail/New/Below", ["+New/Below"]),
      ("mkdir -p far/cur far/new && ln -s ../far Mail/Linked", ["+Linked"]),
      (": > far/cur/c", ["+cur/c"]),
      ("ln -s nowhere Mail/Broken && ln -s ../t Mail/File", []),
      ("mkdir other && mkdir spool/other", []),
      ("mkdir -p none/test/queue && : > none/test/queue/1", ["localChange"]),
      (": > none/test/queue/2", ["localChange"]),
      ("rm -r none && mkdir none", ["localChange"]),
      ("mkdir none/test", []),
      ("mkdir none/test/queue", ["localChange"]),
      ("rm -r Mail/New", ["-cur/b", "localChange"]),
    ]
    for (script, expected) in steps {
      let found = try told(script)
      #expect(Set(found) == Set(expected), "\(script): \(found)")
    }
  }

  @Test("folders are watched too whose root, and all above it, came with the first sync")
  func rootComesLater() throws {
    let tree = FolderTree(root: Path(folder["later/home/Mail"]), layout: .verbatim)
    let watch = FolderWatch(tree, queues: [], memory: Path(folder["memory"]), inbox)
    let steps = [
      "mkdir -p later/home", "mkdir later/home/Mail",
      "mkdir -p later/home/Mail/INBOX/cur later/home/Mail/INBOX/new",
    ]
    for step in steps {
      try Command.shell("cd \"$1\" && \(step)", [folder.path])
      watch.read()
    }
    _ = inbox.takeItems()
    try Command.shell(": > \"$1/later/home/Mail/INBOX/cur/a:2,S\"", [folder.path])
    watch.read()
    let isTold = inbox.takeItems().contains { if case .file = $0 { true } else { false } }
    #expect(isTold)
  }

  @Test(
    "above a root that is missing, nothing is told of but the root, and nothing once it is there"
  )
  func aboveTheRoot() throws {
    let tree = FolderTree(root: Path(folder["later/Mail"]), layout: .verbatim)
    let watch = FolderWatch(tree, queues: [], memory: Path(folder["memory"]), inbox)
    let steps: [(script: String, told: [Inbox.Item])] = [
      ("mkdir dir1 && mkdir dir2", []), ("mkdir later", []), ("mkdir later/dir1", []),
      ("mkdir dir3", []), ("mkdir later/Mail", [.directory([])]),
      ("mkdir later/dir2 && : > later/file && rm -r later/dir1 && mkdir dir4", []),
      ("mkdir later/Mail/A", [.directory(Array("A".utf8))]),
    ]
    for (script, told) in steps {
      try Command.shell("cd \"$1\" && \(script)", [folder.path])
      watch.read()
      #expect(inbox.takeItems() == told, "\(script)")
    }
  }

  @Test("a root that was replaced from further above is seen, and watched where it is now")
  func replacedRoot() throws {
    let script = "cd \"$1\" && mkdir -p old/Mail/INBOX/cur old/Mail/INBOX/new && ln -s old link"
    try Command.shell(script, [folder.path])
    let tree = FolderTree(root: Path(folder["link/Mail"]), layout: .verbatim)
    var rootMonitor = MaildirRootMonitor(tree.root)
    let watch = FolderWatch(tree, queues: [], memory: Path(folder["memory"]), inbox)
    let steps: [(script: String, isSeen: Bool, told: [Inbox.Item])] = [
      (":", false, []), ("cp -r old other && ln -sfn other link", true, [.news(.localChange)]),
      (":", false, []), (": > old/Mail/INBOX/cur/a:2,S", false, []),
    ]
    for (script, isSeen, told) in steps {
      try Command.shell("cd \"$1\" && \(script)", [folder.path])
      let isAnother = rootMonitor.isAnother(after: .done(postponed: 0))
      #expect(isAnother == isSeen, "\(script)")
      if isAnother { watch.update() }
      watch.read()
      #expect(inbox.takeItems() == told, "\(script)")
    }
    try Command.shell(": > \"$1/other/Mail/INBOX/cur/b:2,S\"", [folder.path])
    watch.read()
    let isTold = inbox.takeItems().contains { if case .file = $0 { true } else { false } }
    #expect(isTold)
  }

  /// As where a disk goes and is there again before any sync could see that.
  @Test("after the end of a root's watch it is looked for once more")
  func rootThatIsBackAtOnce() throws {
    let script = "cd \"$1\" && mkdir -p old/Mail/INBOX/cur old/Mail/INBOX/new && ln -s old link"
    try Command.shell(script, [folder.path])
    let tree = FolderTree(root: Path(folder["link/Mail"]), layout: .verbatim)
    let watch = FolderWatch(tree, queues: [], memory: Path(folder["memory"]), inbox)
    watch.recheckRoot()
    #expect(inbox.takeItems() == [])
    try Command.shell("cd \"$1\" && mv old/Mail old/Disk && mkdir old/Mail", [folder.path])
    watch.read()
    _ = inbox.takeItems()
    try Command.shell(
      "cd \"$1\" && mkdir new && mv old/Disk new/Mail && ln -sfn new link",
      [folder.path]
    )
    watch.read()
    #expect(inbox.takeItems() == [])
    watch.recheckRoot()
    #expect(inbox.takeItems() == [.news(.localChange)])
    try Command.shell(": > \"$1/new/Mail/INBOX/cur/a:2,S\"", [folder.path])
    watch.read()
    let isTold = inbox.takeItems().contains { if case .file = $0 { true } else { false } }
    #expect(isTold)
  }

  @Test("a root that was away is watched anew once it is back, and one that goes is not")
  func rootThatIsAway() throws {
    var rootMonitor = MaildirRootMonitor(Path(folder["Mail"]))
    let first = rootMonitor.isAnother(after: .away)
    let second = rootMonitor.isAnother(after: .away)
    let third = rootMonitor.isAnother(after: .busy)
    let fourth = rootMonitor.isAnother(after: .busy)
    #expect([first, second, third, fourth] == [false, false, true, false])
    try Command.shell("mv \"$1/Mail\" \"$1/Gone\"", [folder.path])
    let gone = rootMonitor.isAnother(after: .failed)
    try Command.shell("mv \"$1/Gone\" \"$1/Mail\"", [folder.path])
    let isBack = rootMonitor.isAnother(after: .offline)
    #expect(!gone && !isBack)
  }

  @Test("a folder that has another name is not told of under the old one")
  func renamedFolder() throws {
    try Command.shell("mkdir \"$1/away\" && mv \"$1/Mail/INBOX\" \"$1/away\"", [folder.path])
    watch.read()
    _ = inbox.takeItems()
    try Command.shell(": > \"$1/away/INBOX/cur/a:2,S\"", [folder.path])
    #expect(try told("mkdir away/INBOX/more; :") == [])
  }

  @Test("directories that a sync makes are its own, once")
  func ownDirectories() {
    let own = OwnChanges()
    for name in ["A/B", ""] { own.noteMaking(Array(name.utf8)) }
    let cases: [(String, Bool)] = [
      ("A", true), ("A", false), ("A/B", true), ("A/B/cur", true), ("A/cur", false), ("", true),
      ("new", true), ("A/B/more", false),
    ]
    for (path, isOwn) in cases {
      #expect(own.take(directory: Array(path.utf8)) == isOwn, "\(path)")
    }
    own.forget()
    let isKept = own.take(directory: Array("A/B/new".utf8))
    #expect(!isKept)
  }

  /// Changes of hidden files are not told of, but the system keeps them all the same.
  @Test(
    "where the system forgot changes, all is looked at, and folders that came are watched",
    arguments: [(100, []), (nil, [.news(.localChange)])] as [(Int?, [Inbox.Item])]
  )
  func overflow(_ files: Int?, _ told: [Inbox.Item]) throws {
    let limit = Files.text("/proc/sys/fs/inotify/max_queued_events") ?? ""
    let most = try #require(Int(limit.filter(\.isNumber)))
    let script = "cd \"$1/Mail/INBOX/cur\" && seq -f .%g \"$2\" | xargs touch"
    try Command.shell(script, [folder.path, "\(files ?? most / 2 + 100)"])
    for part in files == nil ? ["cur", "new"] : [] {
      try Files.makeDirectories(folder["Mail/Lost/\(part)"])
    }
    watch.read()
    #expect(inbox.takeItems() == told)
    guard files == nil else { return }
    try Command.shell(": > \"$1/Mail/Lost/cur/found:2,S\"", [folder.path])
    watch.read()
    let isTold = inbox.takeItems().contains { if case .file = $0 { true } else { false } }
    #expect(isTold)
  }

  @Test("where folders cannot be watched, a look finds what changed, once")
  func looks() throws {
    watch.look()
    watch.look()
    #expect(inbox.takeItems().isEmpty)
    try Command.shell(": > \"$1/Mail/INBOX/cur/c\"", [folder.path])
    watch.look()
    #expect(inbox.takeItems() == [.news(.localChange)])
    watch.look()
    #expect(inbox.takeItems().isEmpty)
  }

  @Test("a sync's own change is taken out once, another program's is not")
  func ownChanges() {
    let own = OwnChanges()
    func file(_ name: String, _ part: Subdirectory) -> ScannedFile {
      ScannedFile(name: FileName(Array(name.utf8)), subdirectory: part)
    }
    func mark(_ name: String, _ part: Subdirectory, _ isThere: Bool) -> FileMark {
      FileMark(folder: [], subdirectory: part, name: Array(name.utf8), isThere: isThere)
    }
    own.recordChanges([
      .added(folder: [], file("a", .new)),
      .renamed(folder: [], file("b:2,", .cur), toFolder: [], file("b:2,S", .cur)),
      .removed(folder: [], file("c:2,", .cur)),
    ])
    let cases: [(FileMark, Bool)] = [
      (mark("a", .new, true), true), (mark("a", .new, true), false),
      (mark("a", .new, false), false), (mark("b:2,", .cur, false), true),
      (mark("b:2,S", .cur, true), true), (mark("b:2,S", .cur, false), false),
      (mark("c:2,", .cur, false), true), (mark("d", .cur, true), false),
    ]
    for (mark, isOwn) in cases { #expect(own.takeMark(mark) == isOwn, "\(mark)") }
  }
}
