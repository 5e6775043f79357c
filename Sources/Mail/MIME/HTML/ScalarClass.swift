/// What a character is to text that is shown.
enum ScalarClass {
  /// It is seen.
  case text
  /// It is a gap: all kinds of spaces, and line ends.
  case white
  /// It changes the form of its neighbours, and means nothing beside a gap.
  case joiner
  /// It is a control, is invisible, or turns the direction of text.
  case unwanted

  @inline(__always)
  init(_ scalar: UInt32) {
    if scalar > 0x20, scalar < 0x7F {
      self = .text
    } else {
      self = ScalarClass.uncommon(scalar)
    }
  }

  private static func uncommon(_ scalar: UInt32) -> ScalarClass {
    switch scalar {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
      .white
    case 0x200C, 0x200D: .joiner
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5,
      0x180B...0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF,
      0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      .unwanted
    default: .text
    }
  }
}
