internal import Octets

/// The charset of text that does not tell it, by what its octets can be.
///
/// Only charsets of East Asia, whose text is unreadable in any other. Text that is more likely windows-1252 counts as that. It
/// takes several characters to distinguish them from it, and from each other.
enum CharsetGuess {
  /// How many octets are looked at.
  private static let sampleSize = 1 << 14

  /// The name of the charset that it is most likely; nil where none of those.
  static func charset(of text: ArraySlice<UInt8>) -> String? {
    let text = text.prefix(sampleSize)
    guard !isMostlyUTF8(text) else { return nil }
    if let pairs = Pairs(text, lead: 0xA1...0xFE, trails: [0xA1...0xFE]), pairs.areRuns {
      return euc(pairs)
    }
    if let name = japanese(text) { return name }
    if let pairs = Pairs(text, lead: 0xA1...0xF9, trails: [0x40...0x7E, 0xA1...0xFE]),
      pairs.count >= 3, pairs.share(of: 0xA4...0xC6) >= 0.8
    {
      return "BIG5"
    }
    if let pairs = Pairs(text, lead: 0x81...0xFE, trails: [0x40...0x7E, 0x80...0xFE]),
      pairs.count >= 3, pairs.areRuns, pairs.share(of: 0xB0...0xD7) >= 0.6
    {
      return "GB18030"
    }
    return nil
  }

  /// Whether text that is said to be UTF-16 has an octet a character.
  static func isNarrow(_ text: ArraySlice<UInt8>) -> Bool {
    let isPlain = text.allSatisfy {
      (0x20..<0x7F).contains($0) || (ASCII.tab...ASCII.carriageReturn).contains($0)
    }
    return isPlain && (text.count % 2 == 1 || text.contains { $0 <= ASCII.space })
  }

  /// Pairs of octets alone: Korean, Chinese and Japanese, which differ by the characters that they have most of.
  private static func euc(_ pairs: Pairs) -> String {
    if pairs.share(of: 0xA4...0xA5) >= 0.2 { return "EUC-JP" }
    let frequent = pairs.frequent
    // Syllables of Korean and the usual kanji of Japanese lie in a part of the pairs, Chinese in all of them.
    let korean = pairs.share(of: 0xB0...0xC8) >= 0.9 ? frequent.korean : -1
    let japanese = pairs.share(of: 0xB0...0xCF) >= 0.9 ? frequent.japanese : -1
    if korean >= max(frequent.chinese, japanese) { return "CP949" }
    return japanese > frequent.chinese ? "EUC-JP" : "GB18030"
  }

  private static func japanese(_ text: ArraySlice<UInt8>) -> String? {
    if let pairs = Pairs(
      text,
      lead: 0x81...0xFC,
      trails: [0x40...0x7E, 0x80...0xFC],
      singles: 0xA1...0xDF
    ), pairs.count + pairs.singles >= 3, pairs.share(of: 0x82...0x83) >= 0.3 {
      return "CP932"
    }
    guard let pairs = Pairs(text, lead: 0x8E...0xFE, trails: [0xA1...0xFE]), pairs.areRuns,
      pairs.share(of: 0xA4...0xA5) >= 0.2
    else { return nil }
    return "EUC-JP"
  }

  /// Whether it is UTF-8 that is damaged.
  private static func isMostlyUTF8(_ text: ArraySlice<UInt8>) -> Bool {
    var (right, index) = (0, text.startIndex)
    let high = text.count { $0 >= 0x80 }
    while index < text.endIndex {
      let (value, length) = UTF8Repair.scalar(text, index)
      if length > 2, value != 0xFFFD { right += length }
      index += max(1, length)
    }
    return right * 10 >= high * 7
  }

  /// Text as ASCII and pairs of octets.
  private struct Pairs {
    private(set) var count = 0
    private(set) var singles = 0
    private(set) var frequent = FrequentCharacters()
    private var leads = [Int](repeating: 0, count: 256)
    private var runs = 0

    /// Nil where it is not that; the last pair may be cut.
    init?(
      _ text: ArraySlice<UInt8>,
      lead: ClosedRange<UInt8>,
      trails: [ClosedRange<UInt8>],
      singles range: ClosedRange<UInt8>? = nil
    ) {
      var (index, isInRun) = (text.startIndex, false)
      while index < text.endIndex {
        let octet = text[index]
        index += 1
        guard octet >= 0x80 else {
          isInRun = false
          continue
        }
        if !isInRun { runs += 1 }
        isInRun = true
        if range?.contains(octet) == true {
          singles += 1
          continue
        }
        guard lead.contains(octet) else { return nil }
        guard index < text.endIndex else { break }
        guard trails.contains(where: { $0.contains(text[index]) }) else { return nil }
        leads[Int(octet)] += 1
        frequent.count(UInt16(octet) << 8 | UInt16(text[index]))
        count += 1
        index += 1
      }
      if count + singles == 0 { return nil }
    }

    /// Whether characters stand side by side, two in a row on the average: letters with accents do not.
    var areRuns: Bool { count >= 2 && count >= runs * 2 }

    /// How many of the characters begin with such an octet.
    func share(of range: ClosedRange<UInt8>) -> Double {
      Double(leads[Int(range.lowerBound)...Int(range.upperBound)].reduce(0, +))
        / Double(max(1, count))
    }
  }
}

/// The most frequent characters of languages, as pairs of octets with their high bits set.
///
/// The octets of one of them are as a rule no frequent character of another one, so that even a subject of few characters tells
/// the language.
struct FrequentCharacters {
  private(set) var korean = 0
  private(set) var chinese = 0
  private(set) var japanese = 0

  mutating func count(_ character: UInt16) {
    if Self.korean.contains(character) { korean += 1 }
    if Self.chinese.contains(character) { chinese += 1 }
    if Self.japanese.contains(character) { japanese += 1 }
  }

  /// Syllables in EUC-KR.
  private static let korean: Set<UInt16> = [
    0xB0A1, 0xB0CD, 0xB0D4, 0xB0ED, 0xB0F8, 0xB0FA, 0xB1B8, 0xB1D7, 0xB1E2, 0xB3AA, 0xB4C2, 0xB4CF,
    0xB4D9, 0xB4EB, 0xB5B5, 0xB5E5, 0xB5E9, 0xB6F3, 0xB7CE, 0xB8A6, 0xB8AE, 0xB8B8, 0xB8DE, 0xB8E9,
    0xB9AE, 0xBAB8, 0xBACE, 0xBBE7, 0xBBF3, 0xBCAD, 0xBCBC, 0xBCF6, 0xBDBA, 0xBDC0, 0xBDC3, 0xBDCA,
    0xBEC6, 0xBEC8, 0xBEEE, 0xBFA1, 0xBFA9, 0xBFC0, 0xBFE4, 0xBFEC, 0xBFF8, 0xC0BA, 0xC0BB, 0xC0C7,
    0xC0CC, 0xC0CE, 0xC0CF, 0xC0D6, 0xC0DA, 0xC0E5, 0xC0FC, 0xC1A4, 0xC1A6, 0xC1D6, 0xC1F6, 0xC7CF,
    0xC7D1, 0xC7D5, 0xC7D8, 0xC7DF, 0xC8B8,
  ]

  /// In GB 2312.
  private static let chinese: Set<UInt16> = [
    0xB0A1, 0xB1BE, 0xB2BB, 0xB2BF, 0xB2FA, 0xB3C9, 0xB3F6, 0xB4F3, 0xB5BD, 0xB5C4, 0xB5D8, 0xB5E3,
    0xB5E7, 0xB6A8, 0xB6D4, 0xB6E0, 0xB7A2, 0xB7BD, 0xB7D6, 0xB8DF, 0xB8F6, 0xB9A4, 0xB9AB, 0xB9D8,
    0xB9FA, 0xBAC3, 0xBACD, 0xBBE1, 0xBCDB, 0xBCFE, 0xBEAD, 0xBECD, 0xBFAA, 0xBFC9, 0xC0B4, 0xC0ED,
    0xC1CB, 0xC3C0, 0xC3C7, 0xC3F7, 0xC4DC, 0xC4E3, 0xC4EA, 0xC4FA, 0xC6B7, 0xC6DA, 0xC7EB, 0xC8CB,
    0xC8D5, 0xC8E7, 0xC9CF, 0xC9FA, 0xCAB1, 0xCAC7, 0xCBAD, 0xCBBE, 0xCBFB, 0xCCEC, 0xCDAC, 0xCEAA,
    0xCECA, 0xCED2, 0xCFC2, 0xD0BB, 0xD0C2, 0xD0C4, 0xD0D0, 0xD2AA, 0xD2B5, 0xD3C3, 0xD3D0, 0xD4C2,
    0xD4DA, 0xD5E2, 0xD6D0, 0xD7F7,
  ]

  /// Kanji in EUC-JP, most of them of mail about work: text in sentences has kana, which tell more.
  private static let japanese: Set<UInt16> = [
    0xB0C6, 0xB0E6, 0xB2BC, 0xB2C3, 0xB2F1, 0xB2F3, 0xB3CE, 0xB3D8, 0xB3F4, 0xB4D6, 0xB4EA, 0xB5C4,
    0xB5FE, 0xB6C8, 0xB6E8, 0xB7EE, 0xB7EF, 0xB8AB, 0xB8E5, 0xB8E6, 0xB9B9, 0xB9D4, 0xB9E2, 0xB9E6,
    0xB9F0, 0xB9F1, 0xB9FE, 0xBAA3, 0xBAB4, 0xBBB2, 0xBBB3, 0xBBD4, 0xBBF1, 0xBBF6, 0xBBFE, 0xBCB0,
    0xBCD2, 0xBCF5, 0xBDBB, 0xBDD0, 0xBDEA, 0xBDF1, 0xBEE5, 0xBEEC, 0xBFB7, 0xBFBD, 0xBFCD, 0xC0B8,
    0xC0E8, 0xC0EE, 0xC1B0, 0xC1F7, 0xC2BC, 0xC2E7, 0xC3E6, 0xC3ED, 0xC4B9, 0xC4EA, 0xC5C4, 0xC5C5,
    0xC5D4, 0xC5E7, 0xC5EC, 0xC6A3, 0xC6E2, 0xC6FC, 0xC6FE, 0xC7A7, 0xC7AF, 0xC8AF, 0xC8D6, 0xC9D5,
    0xC9F4, 0xCAAC, 0xCAB8, 0xCAD1, 0xCAF3, 0xCAFD, 0xCBA1, 0xCBDC, 0xCCB3, 0xCCBE, 0xCCDA, 0xCDBD,
    0xCDCD, 0xCDED, 0xCEC1, 0xCEEB, 0xCFA2, 0xCFC3,
  ]
}
