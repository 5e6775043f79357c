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
