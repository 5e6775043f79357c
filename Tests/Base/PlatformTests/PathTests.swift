import Octets
import Platform
import TestSupport
import Testing

@Suite struct PathTests {
  @Test(arguments: try Fixtures.load("Fixtures/paths.txt"))
  func parts(_ fixture: Fixture) throws {
    let path = Path(try fixture.octets())
    #expect(path.parent.octets == (try fixture.octets("parent")))
    #expect(path.lastComponent == (try fixture.octets("last")))
  }

  @Test(arguments: [
    ("/a", "b", "/a/b"), ("/a/", "b", "/a/b"), ("", "b", "b"), ("/", "b", "/b"), ("/a", "", "/a"),
  ])
  func appending(_ path: String, _ component: String, _ expected: String) {
    #expect(Path(path).appending(component) == Path(expected))
  }

  @Test func validation() {
    #expect(Path(validating: []) == nil)
    #expect(Path(validating: [47, 0]) == nil)
    #expect(Path(validating: [47, 255])?.octets == [47, 255])
  }

  @Test func displayShowsWhatIsNotText() {
    #expect(Path([47, 99, 0xE9, 10]).display == "/c\\xE9\\x0A")
  }

  @Test func orderIsThatOfTheOctets() {
    #expect(Path("a") < Path("a/b"))
    #expect(Path("a/b") < Path("b"))
    #expect(!(Path([0xC3]) < Path("z")))
  }

  /// A C function would see the file before the NUL.
  @Test func pathWithNULIsRefused() throws {
    let directory = try TempDirectory("path")
    try directory.write("x", to: "a")
    let path = Path(Array(directory["a"].utf8) + [0, 98])
    #expect(throws: SystemError(operation: "unlink", path: path, code: 22)) {
      try FileSystem.remove(path)
    }
    #expect(throws: SystemError.self) { try FileSystem.status(path) }
    #expect(throws: SystemError.self) { try FileSystem.rename(Path(directory["a"]), to: path) }
    #expect(Files.exists(directory["a"]))
  }
}
