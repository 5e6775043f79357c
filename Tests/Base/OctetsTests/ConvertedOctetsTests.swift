import Octets
import TestSupport
import Testing

/// What is converted piece by piece is what the whole is converted to.
@Suite struct ConvertedOctetsTests {
  private static let pieces: [[UInt8]] = [
    [UInt8](ascii: "From "), [UInt8](ascii: "From"), [UInt8](ascii: "."), [UInt8](ascii: "\n"),
    [UInt8](ascii: "\r\n"), [UInt8](ascii: " "), [UInt8](ascii: "\t\n"), [UInt8](ascii: "="),
    [UInt8](repeating: UInt8(ascii: "x"), count: 74), [0, 255], [UInt8](ascii: "QUJDRA=="),
  ]

  private static func octets(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var octets: [UInt8] = []
    while octets.count < count { octets += pieces.randomElement(using: &generator) ?? [] }
    return octets
  }

  private func expectSame(_ converter: some OctetConverter, _ octets: [UInt8]) throws {
    let whole = converter.converted(octets)
    var (pieced, rest, result, size) = (converter, octets[...], [UInt8](), 1)
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      result += pieced.convert(piece, isEnd: rest.isEmpty)
      size = size % 7 + 1
    }
    if !octets.isEmpty { #expect(result == whole) }
    let source = try ConvertedOctets(octets, converter)
    #expect(source.count == whole.count)
    #expect(try source.whole() == whole)
    for start in stride(from: 0, to: whole.count, by: 4_999) {
      let end = min(whole.count, start + 20_000)
      #expect(try Array(source.octets(in: start..<end)) == Array(whole[start..<end]))
    }
  }

  @Test(arguments: [0, 1, 5, 300, 16_384, 40_000])
  func piecesBecomeWhatTheWholeBecomes(_ count: Int) throws {
    for seed in 0..<UInt64(3) {
      let octets = Self.octets(count, seed)
      try expectSame(QuotedPrintableEncoder(), octets)
      try expectSame(Base64Rewrapper(keepsBlankEnd: true), octets)
    }
  }

  /// Gives octets in blocks, each the other way round.
  private struct Reversal: OctetConverter {
    private var held: [UInt8] = []

    var heldBack: Int { held.count }

    mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
      var result: [UInt8] = []
      for octet in octets {
        held.append(octet)
        guard held.count == 50_000 else { continue }
        result += held.reversed()
        held = []
      }
      return isEnd ? result + held.reversed() : result
    }
  }

  /// It can be read from anywhere although there is no place to begin at for long.
  @Test(arguments: [1, 16_384, 50_000, 170_000])
  func octetsAreHeldBack(_ count: Int) throws {
    try expectSame(Reversal(), Self.octets(count, 1))
  }

  /// What is encoded is decoded to what it was, and no line is too long or changed on the way.
  @Test func quotedPrintableIsDecodedToWhatItWas() {
    for seed in 0..<UInt64(200) {
      let octets = Self.octets(Int(seed) * 5, seed).filter { $0 != 13 }
      let encoded = QuotedPrintable.encode(octets)
      #expect(QuotedPrintable.decode(encoded[...]) == octets)
      for line in encoded.split(separator: 10) {
        #expect(line.count <= 76 && !line.starts(with: "From ".utf8) && line != [46])
        #expect(line.last.map(ASCII.isBlank) != true)
      }
    }
  }

  /// Characters that are cut where pieces end are whole.
  @Test(arguments: ["\u{FC}\u{20AC}\u{1F600}", "a\u{20AC}", "", "plain"])
  func charactersMayBeCut(_ text: String) {
    let octets = Array(text.utf8)
    for size in 1...4 {
      for count in 0...octets.count {
        var check = UTF8Check()
        for start in stride(from: 0, to: count, by: size) {
          check.readOctets(octets[start..<min(count, start + size)])
        }
        let isWhole = String(validating: octets[..<count], as: UTF8.self) != nil
        #expect(check.isValid == isWhole, "\(count) octets by \(size)")
      }
    }
    var broken = UTF8Check()
    broken.readOctets([0xFC, 0x61])
    broken.readOctets([0x61])
    #expect(!broken.isValid)
  }
}
