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
    return table
  }()

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
    guard let scalar = Unicode.Scalar(value) else { return 1 }
    if isInvisible(value) { return 2 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter:
      return one(properties.lowercaseMapping.unicodeScalars.first?.value ?? value)
    case .lowercaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber,
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

  private static func isInvisible(_ value: UInt32) -> Bool {
    switch value {
    case 0xAD, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060...0x2064, 0x20D0...0x20FF,
      0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF:
      true
    default: false
    }
  }
}
