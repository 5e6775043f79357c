import MailModel
import Octets
import TestSupport
import Testing

@testable import Maildir

@Suite("Names that Magnum gives itself")
struct OwnNameTests {
  @Test("are made of their parts as they are written, and taken apart again")
  func roundTrip() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let key = MessageKey(
        validity: .random(in: 1 ... .max, using: &random),
        uid: .random(in: 1 ... .max, using: &random),
        mailbox: random.next()
      )
      let date = Int64.random(in: 0...(Bool.random(using: &random) ? .max : 9), using: &random)
      let size = Int.random(in: 0...(Bool.random(using: &random) ? 1 << 40 : 11), using: &random)
      let name = MessageKey.baseName(date: date, key: key, size: size, wireSize: size + 7)
      let text =
        "\(date).V\(key.validity)U\(key.uid)."
        + String(decoding: Hex.digits(key.mailbox), as: UTF8.self)
      #expect(String(decoding: name, as: UTF8.self) == text + ",S=\(size),W=\(size + 7)")
      let own = OwnName(
        date: date,
        key: key,
        size: UInt64(size),
        wireSize: UInt64(size + 7)
      )
      #expect(own.withOctets { [UInt8]($0) } == name)
      #expect(name.withUnsafeBytes { OwnName($0) } == own)
    }
  }

  @Test("what is the least bit else is none: what is taken apart is made again octet by octet")
  func others() {
    var random = SeededGenerator(seed: 4)
    let name = Array("1700000000.V17U5.0123456789abcdef,S=1234,W=1260".utf8)
    var taken = 0
    for _ in 0..<20_000 {
      var other = name
      let place = Int.random(in: other.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: other.remove(at: place)
      case 1:
        other.insert(Array("0195aAfF.,=VUSW".utf8).randomElement(using: &random) ?? 0, at: place)
      default: other[place] = Array("0195aAfF.,=VUSW".utf8).randomElement(using: &random) ?? 0
      }
      guard let own = other.withUnsafeBytes({ OwnName($0) }) else { continue }
      taken += 1
      #expect(own.withOctets { [UInt8]($0) } == other)
    }
    #expect(taken > 500)
    #expect(Array("".utf8).withUnsafeBytes { OwnName($0) } == nil)
  }
}
