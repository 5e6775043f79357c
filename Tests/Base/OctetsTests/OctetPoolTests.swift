import Octets
import TestSupport
import Testing

@Suite("Octets in one piece of memory")
struct OctetPoolTests {
  @Test("strings are found by their keys, and the first of a key keeps its place")
  func insertion() {
    var pool = OctetPool()
    for number in 0..<5000 {
      let added = insert("\(number / 2):\(number % 2)", &pool)
      #expect(added.number == number / 2)
      #expect(added.isNew == (number % 2 == 0))
    }
    #expect(pool.count == 2500)
    for number in 0..<2500 {
      #expect(pool.number(of: Array("\(number)".utf8)) == number)
      #expect(pool.withOctets(number) { [UInt8]($0) } == Array("\(number):0".utf8))
      #expect(pool.withKey(number) { [UInt8]($0) } == Array("\(number)".utf8))
    }
    for absent in ["", "2500", "1:", "01"] {
      #expect(pool.number(of: Array(absent.utf8)) == nil)
    }
  }

  @Test("the last of a key takes it over")
  func appending() {
    var pool = OctetPool(minimumCapacity: 3)
    #expect(!append("", &pool).isKnown)
    #expect(!append("abcdefghi", &pool).isKnown)
    #expect(append("abcdefghi", &pool) == (2, true))
    #expect(pool.number(of: Array("abcdefghi".utf8)) == 2)
    #expect(pool.number(of: []) == 0)
    #expect(pool.count == 3)
  }

  private func insert(_ text: String, _ pool: inout OctetPool) -> (number: Int, isNew: Bool) {
    let octets = Array(text.utf8)
    let keyCount = octets.firstIndex(of: ASCII.colon) ?? octets.count
    return octets.withUnsafeBytes { pool.insert($0, keyCount: keyCount) }
  }

  private func append(_ text: String, _ pool: inout OctetPool) -> (number: Int, isKnown: Bool) {
    Array(text.utf8).withUnsafeBytes { pool.append($0, keyCount: $0.count) }
  }
}
