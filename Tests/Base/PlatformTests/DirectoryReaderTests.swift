import Glibc
import Platform
import TestSupport
import Testing

@Suite struct DirectoryReaderTests {
  @Test func namesAreOctetsAndKindsAreTold() throws {
    let directory = try TempDirectory("entries")
    let odd: [UInt8] = [0x63, 0x61, 0x66, 0xE9, 0x0A]
    try directory.write("", to: ".hidden")
    try directory.write("", to: "...")
    Files.withCPath(Array(directory.path.utf8) + [47] + odd) { _ = mkdir($0, 0o700) }
    symlink("x", directory["link"])
    mkfifo(directory["pipe"], 0o600)
    var found: [[UInt8]: EntryKind] = [:]
    let fingerprint = try FileSystem.entries(of: Path(directory.path)) { found[Array($0)] = $1 }
    #expect(
      found == [
        Array(".hidden".utf8): .regular, Array("...".utf8): .regular, odd: .directory,
        Array("link".utf8): .symbolicLink, Array("pipe".utf8): .other,
      ]
    )
    #expect(try FileSystem.status(Path(directory.path))?.fingerprint == fingerprint)
  }

  /// More than one buffer of records.
  @Test func eachOfManyNamesIsSeenOnce() throws {
    let directory = try TempDirectory("entries")
    let path = Path(directory.path)
    let names = (0..<3000).map { "\($0)-" + String(repeating: "x", count: 150) }
    for name in names { try Descriptor.open(path.appending(name), .createExclusive()).close() }
    var found: [String] = []
    try FileSystem.entries(of: path) { name, _ in
      found.append(String(decoding: name, as: UTF8.self))
    }
    #expect(found.sorted() == names.sorted())
  }

  @Test func missingOrOtherFilesAreErrors() throws {
    let directory = try TempDirectory("entries")
    try directory.write("", to: "file")
    for (name, code) in [("file", ENOTDIR), ("missing", ENOENT)] {
      let path = Path(directory[name])
      #expect(throws: SystemError(operation: "open", path: path, code: code)) {
        try FileSystem.entries(of: path) { _, _ in }
      }
    }
  }
}
