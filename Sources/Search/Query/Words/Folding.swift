/// What becomes of each character when text is cut into words: capitals become small, marks on letters go.
///
/// A value of its own for each thread, since it remembers what it has looked up.
struct Folding {
  /// What a character is to a word.
  enum Character: Hashable {
    /// It stands between words.
    case separator
    /// It is not there: marks over letters, soft hyphens, joiners of no width.
    case dropped
    /// It is this letter or digit, or these two.
    case letters(UInt32, UInt32?)
  }

  /// What is known of the characters below ``tableSize``: 0 for nothing, 1 for a separator, 2 for one to drop, else
  /// one letter, or two, the second in the upper half.
  private var table: [UInt32]

  private static let tableSize = 0x2000

  init() {
    table = Self.initial
  }

  /// What a character is to a word.
  mutating func character(_ scalar: UInt32) -> Character {
    guard scalar < Self.tableSize else { return Self.meaning(Self.code(scalar)) }
    let known = table[Int(scalar)]
    if known != 0 { return Self.meaning(known) }
    let code = Self.code(scalar)
    table[Int(scalar)] = code
    return Self.meaning(code)
  }

  private static let initial: [UInt32] = {
    var table = [UInt32](repeating: 0, count: tableSize)
    for (written, letters) in FoldedLetters.groups {
      let scalars = written.unicodeScalars.map(\.value)
      let code = scalars[0] | (scalars.count > 1 ? scalars[1] << 16 : 0)
      for letter in letters.unicodeScalars { table[Int(letter.value)] = code }
    }
    for mark in 0x300..<0x370 { table[mark] = 2 }
    for range in points {
      for point in range { table[point] = 2 }
    }
    for (letter, written) in hamzas { table[letter] = written }
    return table
  }()

  /// What Hebrew and Arabic write above and below letters, and mostly leave out; the stretching of Arabic lines.
  private static let points: [ClosedRange<Int>] = [
    0x591...0x5BD, 0x5BF...0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7...0x5C7, 0x610...0x61A,
    0x640...0x640, 0x64B...0x65F, 0x670...0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8,
    0x6EA...0x6ED, 0x8D3...0x8E1, 0x8E3...0x8FF,
  ]

  /// Arabic letters with a mark on them, and the letters without it; those of Persian and Urdu keyboards that look the same.
  private static let hamzas: [(Int, UInt32)] = [
    (0x649, 0x64A), (0x6A9, 0x643), (0x6AA, 0x643), (0x6C1, 0x647), (0x6CC, 0x64A), (0x622, 0x627),
    (0x623, 0x627), (0x624, 0x648), (0x625, 0x627), (0x626, 0x64A), (0x671, 0x627),
    (0x6C0, 0x6D5), (0x6C2, 0x6C1), (0x6D3, 0x6D2),
  ]

  private static func meaning(_ code: UInt32) -> Character {
    switch code {
    case 1: .separator
    case 2: .dropped
    case 0x1_0000...:
      code >> 24 == 0xFF ? .letters(code & 0xFF_FFFF, nil) : .letters(code & 0xFFFF, code >> 16)
    default: .letters(code, nil)
    }
  }

  /// A letter above U+FFFF is told from two letters by its highest octet.
  private static func one(_ scalar: UInt32) -> UInt32 {
    scalar < 0x1_0000 ? scalar : scalar | 0xFF00_0000
  }

  private static func code(_ value: UInt32) -> UInt32 {
    if let narrow = narrow(value) { return narrow }
    if let letter = hebrew(value) { return letter }
    guard let scalar = Unicode.Scalar(value) else { return 1 }
    if isInvisible(value) { return 2 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter:
      return one(properties.lowercaseMapping.unicodeScalars.first?.value ?? value)
    // The digits of all scripts are those of ASCII.
    case .decimalNumber:
      guard let digit = properties.numericValue, (0...9).contains(digit) else { return one(value) }
      return 0x30 + UInt32(digit)
    case .lowercaseLetter, .modifierLetter, .otherLetter, .letterNumber,
      .otherNumber, .nonspacingMark, .spacingMark, .connectorPunctuation:
      return one(value)
    default: return 1
    }
  }

  /// The ASCII letter or digit that a wide one (U+FF10 and on) stands for.
  private static func narrow(_ value: UInt32) -> UInt32? {
    switch value {
    case 0xFF10...0xFF19, 0xFF41...0xFF5A: value - 0xFEE0
    case 0xFF21...0xFF3A: value - 0xFEE0 + 0x20
    default: nil
    }
  }

  /// The Hebrew letter of a character that holds its points too; nil for other characters.
  private static func hebrew(_ value: UInt32) -> UInt32? {
    switch value {
    case 0xFB1D: 0x5D9
    case 0xFB2A...0xFB2D: 0x5E9
    case 0xFB2E, 0xFB2F: 0x5D0
    case 0xFB30...0xFB4A: value - 0xFB30 + 0x5D0
    case 0xFB4B: 0x5D5
    case 0xFB4C: 0x5D1
    case 0xFB4D: 0x5DB
    case 0xFB4E: 0x5E4
    default: nil
    }
  }

  private static func isInvisible(_ value: UInt32) -> Bool {
    switch value {
    case 0xAD, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060...0x2064, 0x20D0...0x20FF,
      0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF, 0x1F3FB...0x1F3FF:
      true
    default: false
    }
  }
}
