/// Japanese syllables that are written in two ways: in half width, and with their voicing marks apart.
enum Kana {
  /// The syllables from U+FF66 to U+FF9D in full width, in their order.
  private static let full: [UInt32] = """
    ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン
    """.unicodeScalars.map(\.value)

  /// The syllable in full width; other characters stay.
  static func widened(_ scalar: UInt32) -> UInt32 {
    guard (0xFF66...0xFF9D).contains(scalar) else { return scalar }
    return full[Int(scalar - 0xFF66)]
  }

  /// The syllable with the mark that follows it; nil where the two are no syllable.
  static func voiced(_ syllable: UInt32, by mark: UInt32) -> UInt32? {
    // Hiragana and katakana lie in the same order, 96 apart.
    let isKatakana = (0x30A1...0x30FA).contains(syllable)
    let letter = isKatakana ? syllable - 0x60 : syllable
    let isOfH = (0x306F...0x307B).contains(letter) && (letter - 0x306F) % 3 == 0
    switch mark {
    case 0xFF9E, 0x3099:
      if letter == 0x3046 { return isKatakana ? 0x30F4 : 0x3094 }
      let isOfK = (0x304B...0x3061).contains(letter) && (letter - 0x304B) % 2 == 0
      let isOfT = [0x3064, 0x3066, 0x3068].contains(letter)
      return isOfK || isOfT || isOfH ? syllable + 1 : nil
    case 0xFF9F, 0x309A: return isOfH ? syllable + 2 : nil
    default: return nil
    }
  }
}
