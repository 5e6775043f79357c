import MessageContent
import Platform
import TestSupport
import Testing

/// Files of messages: their octets on the wire, and what shows that they were written anew.
@Suite struct FileTests {
  private static let second: Int64 = 1_000_000_000

  /// A copy keeps whole seconds at most.
  @Test(arguments: [
    (10, 1_500_000_000, true, false), (10, 1_000_000_000, true, true),
    (10, 1_500_000_001, false, false), (10, 2_000_000_000, false, false),
    (11, 1_000_000_000, false, false), (11, 1_500_000_000, false, false),
  ])
  func versions(_ size: Int64, _ modified: Int64, _ isLike: Bool, _ isCopy: Bool) {
    let original = FileVersion(size: 10, modified: Self.second + Self.second / 2)
    let version = FileVersion(size: size, modified: modified)
    #expect(version.isLike(original) == isLike)
    #expect(version.isCopy(of: original) == isCopy)
  }

  @Test(arguments: [1, 2, 3, 100])
  func octetsOfTheWire(atMost count: Int) throws {
    let folder = try TempDirectory()
    let path = Path(try folder.write(Array("a: b\n\none\r\n\ntwo".utf8), to: "file"))
    var reader = try WireReader(path)
    var octets: [UInt8] = []
    while true {
      let next = try reader.next(atMost: count)
      if next.isEmpty { break }
      #expect(next.count <= count)
      octets += next
    }
    #expect(String(decoding: octets, as: UTF8.self) == "a: b\r\n\r\none\r\n\r\ntwo")
    withExtendedLifetime(folder) {}
  }
}
