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
