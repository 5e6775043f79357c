/// Syllables of Korean, which are computed and stand in no table (The Unicode Standard, section 3.12).
enum Hangul {
  private static let syllables: Range<UInt32> = 0xAC00..<0xAC00 + 11172
  private static let leading: Range<UInt32> = 0x1100..<0x1100 + 19
  private static let vowels: Range<UInt32> = 0x1161..<0x1161 + 21
  /// The first stands for none.
  private static let trailing: Range<UInt32> = 0x11A7..<0x11A7 + 28

  /// The letters of a syllable; nil for what is none.
  static func parts(of scalar: UInt32) -> [UInt32]? {
    guard syllables.contains(scalar) else { return nil }
    let index = scalar - syllables.lowerBound
    let last = trailing.lowerBound + index % 28
    let first = [leading.lowerBound + index / 588, vowels.lowerBound + index % 588 / 28]
    return last == trailing.lowerBound ? first : first + [last]
  }

  /// The syllable of two letters, or of a syllable and a letter; nil where there is none.
  static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if leading.contains(first), vowels.contains(second) {
      let number = (first - leading.lowerBound) * 21 + second - vowels.lowerBound
      return syllables.lowerBound + number * 28
    }
    let isOpen = syllables.contains(first) && (first - syllables.lowerBound) % 28 == 0
    guard isOpen, trailing.dropFirst().contains(second) else { return nil }
    return first + second - trailing.lowerBound
  }
}
