import MailModel
import Octets
import TestSupport
import Testing

@testable import Maildir

@Suite("Files of a Maildir in a table")
struct FileTableTests {
  /// Names as they may be known elsewhere.
  private struct Names: KnownNames {
    let token = NameToken()
    var pool = OctetPool()
    var count: Int { pool.count }

    func number(of name: UnsafeRawBufferPointer) -> Int? { pool.number(of: name) }

    func withName<Result>(
      _ number: Int,
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      try pool.withKey(number, body)
    }
  }

  @Test("a table is the same, whatever names are known", arguments: 1...6 as ClosedRange<UInt64>)
  func known(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var names = Names()
    for number in 0..<60 where Int.random(in: 0..<4, using: &random) > 0 {
      let base = Array("name\(number)".utf8)
      _ = base.withUnsafeBytes { names.pool.append($0, keyCount: $0.count) }
    }
    var (plain, knowing) = (FileTable(), FileTable(knowing: names))
    var first: [[UInt8]: ScannedFile] = [:]
    for _ in 0..<120 {
      let name = Self.name(&random)
      let place: Subdirectory = Bool.random(using: &random) ? .cur : .new
      let file = ScannedFile(name: FileName(name), subdirectory: place)
      let found = name.withUnsafeBytes { knowing.insert($0, FileName.Outline($0), place) }
      let expected = name.withUnsafeBytes { plain.insert($0, FileName.Outline($0), place) }
      #expect(found == expected)
      #expect(found.isNew == (first[file.name.base] == nil))
      if found.isNew { first[file.name.base] = file }
    }
    #expect(knowing.count == first.count)
    #expect(knowing.elementsEqual(plain))
    for position in plain.indices {
      #expect(knowing.flags(at: position) == plain[position].name.flags)
      #expect(knowing.base(at: position) == plain.base(at: position))
      #expect(first[plain.base(at: position)] == knowing[position])
    }
    for number in 0..<70 {
      let base = Array("name\(number)".utf8)
      #expect(knowing[base] == first[base])
      #expect(knowing.contains(base: base) == (first[base] != nil))
    }
    #expect(knowing.withoutNotices.elementsEqual(plain.withoutNotices))
    #expect(plain.withoutNotices.count < plain.count)
    let positions = try #require(knowing.positions(of: names))
    for number in 0..<names.count {
      let position = names.withName(number) { knowing.position(of: $0) }
      #expect(positions[number] == position.map { UInt32($0) } ?? FileTable.absent)
    }
    #expect(plain.positions(of: names) == nil)
    let other = knowing.replacing([2: knowing[2]])
    #expect(other.elementsEqual(knowing))
  }

  private static func name(_ random: inout SeededGenerator) -> [UInt8] {
    let endings = ["", ":2,", ":2,S", ":2,FS", ":2,SF", ":2,Sa", ":2,S,x", ":1,S", ":2"]
    let number = Int.random(in: 0..<70, using: &random)
    let base = number == 65 ? "notice.magnum" : "name\(number)"
    return Array((base + (endings.randomElement(using: &random) ?? "")).utf8)
  }
}
