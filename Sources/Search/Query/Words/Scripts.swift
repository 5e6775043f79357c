/// Characters of scripts that put no space between words: Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer.
enum Ideographs {
  /// Whether a character is Chinese or Japanese: a line of these is broken anywhere, and goes on in the next one.
  static func crossLines(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3041...0x3096: true
    case 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D: true
    case 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Whether a character belongs to them; marks of punctuation do not.
  static func contain(_ scalar: UInt32) -> Bool {
    switch scalar {
    case ..<0x0E01: false
    case 0x0E01...0x0E3A, 0x0E40...0x0E4E, 0x0E81...0x0ECE: true
    case 0x1000...0x103F, 0x1050...0x108F, 0x1780...0x17D3: true
    case 0x1100...0x11FF, 0x2E80...0x2FDF: true
    case 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3041...0x3096: true
    case 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x318E, 0x31A0...0x31FF: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    case 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF: true
    default: false
    }
  }
}

/// Korean syllables that are written as their letters, as in names of files of macOS (Unicode, 3.12).
enum Hangul {
  private static let (initials, vowels, finals) = (19 as UInt32, 21 as UInt32, 28 as UInt32)
  private static let (syllable, initial, vowel, final) =
    (0xAC00 as UInt32, 0x1100 as UInt32, 0x1161 as UInt32, 0x11A7 as UInt32)

  /// Whether a letter or syllable may go on with the next character.
  static func isOpen(_ scalar: UInt32) -> Bool {
    if (initial..<initial + initials).contains(scalar) { return true }
    let last = syllable + initials * vowels * finals
    return (syllable..<last).contains(scalar) && (scalar - syllable) % finals == 0
  }

  /// The syllable of an open one and what follows it; nil where the two are none.
  static func joined(_ open: UInt32, _ next: UInt32) -> UInt32? {
    if open < syllable {
      guard (vowel..<vowel + vowels).contains(next) else { return nil }
      return syllable + ((open - initial) * vowels + (next - vowel)) * finals
    }
    return (final + 1..<final + finals).contains(next) ? open + (next - final) : nil
  }
}

/// Letters of Hebrew in UTF-8, between which quotation marks belong to the word: `צה"ל`.
enum HebrewLetters {
  /// Whether a text ends with one.
  static func end(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count > 1, let last = text.last else { return false }
    return begin(text[text.endIndex - 2], last)
  }

  /// Whether two octets are one.
  static func begin(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0xD7 && (0x90...0xAA).contains(second)
  }
}

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
