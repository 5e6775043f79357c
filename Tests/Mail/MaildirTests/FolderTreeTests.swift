import Glibc
import MailModel
import Maildir
import Platform
import TestSupport
import Testing

@Suite struct FolderTreeTests {
  @Test(
    arguments: try Fixtures.load("Fixtures/folders.txt"),
    [FolderLayout.verbatim, .maildirPlusPlus]
  )
  func directoryAndBack(_ fixture: Fixture, _ layout: FolderLayout) throws {
    let components = try fixture.lines().map { try Fixtures.unescape($0) }
    let tree = FolderTree(root: Path("/mail"), layout: layout)
    let expected = try fixture.octets(layout == .verbatim ? "verbatim" : "maildir++")
    #expect(tree.naming.directory(for: components) == expected)
    #expect(tree.naming.components(of: expected) == components)
  }

  @Test(arguments: try Fixtures.load("Fixtures/folders-foreign.txt"))
  func directoriesOfNoMailbox(_ fixture: Fixture) throws {
    let layout: FolderLayout =
      try fixture.text("layout") == "verbatim" ? .verbatim : .maildirPlusPlus
    let tree = FolderTree(root: Path("/mail"), layout: layout)
    #expect(tree.naming.components(of: try fixture.octets()) == nil)
  }

  @Test func emptyLevelsAreKept() {
    let verbatim = FolderTree(root: Path("/mail"), layout: .verbatim)
    #expect(verbatim.naming.directory(for: [[], [97], []]) == Array("%/a/%".utf8))
    #expect(verbatim.naming.components(of: Array("%/a/%".utf8)) == [[], [97], []])
    let flat = FolderTree(root: Path("/mail"), layout: .maildirPlusPlus)
    #expect(flat.naming.directory(for: [[]]) == Array(".%".utf8))
    #expect(flat.naming.components(of: Array(".%".utf8)) == [[]])
  }

  /// Whatever a server says: it comes back, it is unique, it stays below the root and can be made.
  @Test(arguments: [FolderLayout.verbatim, .maildirPlusPlus])
  func anyNameIsSafe(_ layout: FolderLayout) throws {
    var random = SeededGenerator(seed: 4711)
    let tree = FolderTree(root: Path("/mail"), layout: layout)
    let alphabet = Array("./%\0a\n".utf8) + [0xC3, 0xBC, 0xFF, 0x7F]
    var seen: [[UInt8]: [[UInt8]]] = [:]
    for _ in 0..<5000 {
      let components = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? 0
        }
      }
      let relative = try #require(tree.naming.directory(for: components))
      #expect(tree.naming.components(of: relative) == components)
      #expect(seen.updateValue(components, forKey: relative) ?? components == components)
      let parts = relative.split(separator: 47, omittingEmptySubsequences: false)
      #expect(
        !parts.contains { $0.isEmpty || $0.elementsEqual([46]) || $0.elementsEqual([46, 46]) }
      )
      #expect(!relative.contains { $0 < 32 || $0 == 127 })
      if layout == .maildirPlusPlus { #expect(parts.count == 1) }
    }
  }

  @Test func whatTheSystemCannotHoldIsRefused() {
    let verbatim = FolderTree(root: Path("/mail"), layout: .verbatim)
    let flat = FolderTree(root: Path("/mail"), layout: .maildirPlusPlus)
    let long = [UInt8](repeating: 97, count: 255)
    #expect(verbatim.naming.directory(for: [long]) == long)
    #expect(flat.naming.directory(for: [long]) == nil)
    #expect(flat.naming.directory(for: [Array(long.dropLast())])?.count == 255)
    #expect(verbatim.naming.directory(for: [long + [97]]) == nil)
    #expect(verbatim.naming.directory(for: [Array(repeating: 0x2F, count: 86)]) == nil)
    #expect(verbatim.naming.directory(for: Array(repeating: long, count: 14)) != nil)
    #expect(verbatim.naming.directory(for: Array(repeating: long, count: 16)) == nil)
    #expect(verbatim.naming.directory(for: []) == nil)
  }

  @Test(arguments: [FolderLayout.verbatim, .maildirPlusPlus])
  func madeFoldersAreFound(_ layout: FolderLayout) throws {
    let directory = try TempDirectory("tree")
    let tree = FolderTree(root: Path(directory["mail"]), layout: layout)
    #expect(try tree.maildirs().maildirs == [])
    let mailboxes = [["INBOX"], ["Lists", "swift"], ["Lists"], ["cur", "b"], ["z", ".."]]
      .map { $0.map { Array($0.utf8) } }
    for mailbox in mailboxes { try tree.create(try #require(tree.naming.directory(for: mailbox))) }
    try tree.create(try #require(tree.naming.directory(for: mailboxes[0])))
    let found = try tree.maildirs().maildirs
    #expect(Set(found.map { tree.naming.components(of: $0) }) == Set(mailboxes))
    #expect(found == found.sorted { $0.lexicographicallyPrecedes($1) })
    for relative in found {
      for subdirectory in Subdirectory.allCases {
        let status = try FileSystem.status(subdirectory.path(in: tree.path(of: relative)))
        #expect(status?.kind == .directory)
        #expect(status?.mode == 0o700)
      }
      let marker = tree.path(of: relative).appending("maildirfolder")
      let isMarked = try FileSystem.status(marker) != nil
      #expect(isMarked == (layout == .maildirPlusPlus && !relative.isEmpty))
    }
  }

  @Test func whatIsNotMailIsLeftOut() throws {
    let directory = try TempDirectory("tree")
    for name in [
      "a/cur", "a/new", "a/tmp", "a/cur/x/cur", "a/cur/x/new", "only-cur/cur", "only-new/new",
      ".magnum/b/cur", ".magnum/b/new", "_magnum/c/cur", "_magnum/c/new", "deep/er/cur",
      "deep/er/new", ".dot/cur", ".dot/new", "tmp/x/cur", "tmp/x/new",
    ] { try Files.makeDirectories(directory[name]) }
    try directory.write("", to: "files/cur")
    try directory.write("", to: "files/new")
    let listing = try FolderTree(root: Path(directory.path), layout: .verbatim).maildirs()
    #expect(listing.maildirs.map(text) == [".dot", "a", "deep/er", "tmp/x"])
    #expect(
      listing.visited.map { text($0.relative) }.sorted() == [
        "", ".dot", "a", "deep", "deep/er", "files", "only-cur", "only-cur/cur", "only-new",
        "only-new/new", "tmp", "tmp/x",
      ]
    )
    for (relative, fingerprint) in listing.visited {
      let path = Path(directory.path).appending(relative)
      #expect(try FileSystem.status(path)?.fingerprint == fingerprint)
    }
  }

  @Test func linksAreFollowedOnce() throws {
    let directory = try TempDirectory("tree")
    for name in ["root/a/cur", "root/a/new", "elsewhere/cur", "elsewhere/new"] {
      try Files.makeDirectories(directory[name])
    }
    symlink("../elsewhere", directory["root/link"])
    symlink(".", directory["root/self"])
    symlink("..", directory["root/a/up"])
    symlink("nowhere", directory["root/dangling"])
    symlink("circle", directory["root/circle"])
    let listing = try FolderTree(root: Path(directory["root"]), layout: .verbatim).maildirs()
    #expect(listing.maildirs.map(text) == ["a", "link"])
  }

  private func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
}
