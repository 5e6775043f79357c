import MailModel
import Maildir
import Octets
import Platform
import TestSupport
import Testing

@Suite struct NameSearchTests {
  /// Where each of the names stands, as directories relative to the root.
  private func places(
    _ names: [String],
    _ files: [String],
    excluding excluded: [String] = []
  ) throws -> [String: [String]] {
    let directory = try TempDirectory()
    for folder in ["one", "two"] {
      for part in ["new", "cur", "tmp"] {
        try Files.makeDirectories("\(directory.path)/\(folder)/\(part)")
      }
    }
    for file in files {
      if file.hasSuffix("/") {
        try Files.makeDirectories("\(directory.path)/\(file)")
      } else {
        try Files.write("x", to: "\(directory.path)/\(file)")
      }
    }
    let tree = FolderTree(root: Path(directory.path), layout: .verbatim)
    let search = NameSearch([tree], excluding: Set(excluded.map { tree.path(of: Array($0.utf8)) }))
    let found = try #require(try search.places(of: OctetSet(names.map { Array($0.utf8) })))
    var places: [String: [String]] = [:]
    for (name, directories) in found {
      places[String(decoding: name, as: UTF8.self)] = directories.map {
        String(decoding: $0.octets.dropFirst(directory.path.utf8.count + 1), as: UTF8.self)
      }.sorted()
    }
    return places
  }

  @Test func filesAreFoundByTheirBaseNames() throws {
    let files = [
      "one/new/a", "one/cur/b:2,S", "two/cur/a:2,FS", "two/new/c:1,x", "two/cur/ab:2,", "one/tmp/d",
      "one/cur/.e", "one/cur/f/", "one/new/b",
    ]
    let found = try places(["a", "b", "c", "d", ".e", "f", "g"], files)
    #expect(found == ["a": ["one", "two"], "b": ["one"], "c": ["two"]])
  }

  @Test func someFoldersAreNotSearched() throws {
    let files = ["one/new/a", "two/cur/a:2,"]
    #expect(try places(["a"], files, excluding: ["one"]) == ["a": ["two"]])
    #expect(try places(["a"], files, excluding: ["one", "two"]).isEmpty)
  }

  @Test func nothingIsFoundWhereNothingIsSought() throws {
    #expect(try places([], ["one/cur/a:2,"]).isEmpty)
  }
}
