import TestSupport
import Testing

/// The page of formats names each file and directory that the programs write, and none besides.
@Suite struct StateFileNameTests {
  /// What writes and reads files of other programs, and files that go before the program ends.
  private static let others = [
    "Sync/AccountExport/MbsyncExport.swift", "Sync/AccountExport/OfflineIMAPExport.swift",
    "Accounts/AccountImport", "Mail/Maildir/Adoption", "Search/SearchIndex/Building",
    "Programs/magnum/Accounts",
  ]
  /// Names of files that a person or another program writes.
  private static let foreign: Set<String> = [
    "aliases", "config.toml", ".config", ".gnupg", "dovecot-keywords",
  ]

  /// What stands before the name of a file in code.
  private static let places = ["appending(", "ileName = [UInt8](ascii: "]

  /// The names in a source file; of one that is put together, what it begins with.
  private static func names(in text: String) -> [String] {
    var names: [String] = []
    for line in text.split(separator: "\n") {
      let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
      for (before, name) in zip(pieces, pieces.dropFirst())
      where places.contains(where: { before.hasSuffix($0) }) {
        let whole: Substring = name.prefix { $0 != "\\" }
        names += whole.split(separator: "/").map { "\($0)" }
      }
    }
    return names
  }

  /// The names in the source files below a directory.
  private static func names(below directory: String) -> Set<String> {
    var names: Set<String> = []
    for name in Files.names(in: directory).map({ String(decoding: $0, as: UTF8.self) }) {
      let path = "\(directory)/\(name)"
      if others.contains(where: { path.hasSuffix("/Sources/\($0)") }) { continue }
      if Files.isDirectory(path) {
        names.formUnion(Self.names(below: path))
      } else if name.hasSuffix(".swift") {
        names.formUnion(Self.names(in: Files.text(path) ?? ""))
      }
    }
    return names
  }

  private static var known: Set<String> {
    names(below: Fixtures.project("Sources")).subtracting(foreign)
  }

  /// The parts of the paths in lines of mdoc.
  private static func paths(_ lines: [String]) -> Set<String> {
    var paths: Set<String> = []
    for line in lines where line.hasPrefix(".") {
      let words = line.dropFirst().split(separator: " ")
      for (macro, word) in zip(words, words.dropFirst()) where macro == "Pa" {
        paths.formUnion(word.split(separator: "/").map { "\($0)" })
      }
    }
    return paths
  }

  @Test func thePageNamesEachFile() {
    let known = Self.known
    #expect(known.count > 50)
    let inPage = Self.paths(ManualPage("magnum-formats.5").lines)
    let missing = known.filter { name in !inPage.contains { $0.hasPrefix(name) } }
    #expect(missing == [], "not in the page")
  }

  @Test func thePageNamesNoOtherFile() {
    let listed = Self.paths(ManualPage("magnum-formats.5").section("FILES"))
    #expect(listed.count > 20)
    // The state by the layout of folders, and files of a mailbox, which are an id with an ending.
    let known = Self.known.union([".magnum", "_magnum", ".map", ".log"])
    #expect(listed.subtracting(known) == [], "in the page only")
  }
}
