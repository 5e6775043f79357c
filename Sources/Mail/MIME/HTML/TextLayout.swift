internal import Octets

/// Lines of text being written: breaks and spaces are held back until something follows them.
struct TextLayout {
  /// What was written so far.
  private(set) var octets: [UInt8] = []

  /// How many quoted blocks the text lies in.
  var quoteDepth = 0

  /// How many lists the text lies in.
  var listDepth = 0

  /// What the next line of text begins with, such as `* `.
  var mark: [UInt8] = []

  /// How many lines were begun, empty ones not counted.
  private(set) var lineCount = 0

  /// Whether nothing was written yet of a block that needs no empty line before its content.
  var isAtBlockStart = false

  private var breaks = 0
  private var spaces = 0
  private var joiner: UInt32?
  private var writtenQuoteDepth = 0

  /// Deeper quotes and lists are written as deep as this, so that the text stays in proportion.
  private static let depthLimit = 10

  /// Asks for that many line ends before what follows; asking twice is asking once.
  mutating func breakLine(_ count: Int) {
    breaks = max(breaks, isAtBlockStart || listDepth > 0 ? min(count, 1) : count)
    spaces = 0
  }

  /// Asks for one line end more, up to an empty line.
  mutating func addBreak() {
    breaks = min(2, breaks + 1)
    spaces = 0
  }

  /// Asks for one line end, whatever was asked for.
  mutating func breakOnce() {
    breaks = 1
    spaces = 0
  }

  /// Takes the line ends asked for back and asks for a gap in the line instead.
  mutating func gapInsteadOfBreak() {
    breaks = 0
    spaces = 2
  }

  mutating func space() {
    spaces = max(spaces, 1)
    joiner = nil
  }

  /// Writes text without controls and white space, or with spaces that are to stay.
  mutating func write(_ text: ArraySlice<UInt8>) {
    guard !text.isEmpty else { return }
    flush()
    octets += text
  }

  /// Writes a character as it means to be: white space is held back, what is invisible is left out.
  mutating func write(scalar: UInt32) {
    switch ScalarClass(scalar) {
    case .white: space()
    case .joiner: joiner = scalar
    case .unwanted: break
    case .text:
      flush()
      octets.append(utf8: scalar)
    }
  }

  /// Appends to what was written last, before breaks that were asked for.
  mutating func annotate(_ text: [UInt8]) {
    octets += text
  }

  private mutating func flush() {
    if octets.isEmpty {
      beginLine()
    } else if breaks > 0 {
      for _ in 1..<breaks { endEmptyLine() }
      octets.append(ASCII.lineFeed)
      beginLine()
    } else if spaces > 0 {
      octets += [UInt8](repeating: ASCII.space, count: spaces)
    } else if let joiner {
      octets.append(utf8: joiner)
    }
    breaks = 0
    spaces = 0
    joiner = nil
    isAtBlockStart = false
  }

  private mutating func endEmptyLine() {
    octets.append(ASCII.lineFeed)
    let depth = min(quoteDepth, writtenQuoteDepth, TextLayout.depthLimit)
    for _ in 0..<depth { octets.append(ascii: "> ") }
    if depth > 0 { octets.removeLast() }
  }

  private mutating func beginLine() {
    lineCount += 1
    for _ in 0..<min(quoteDepth, TextLayout.depthLimit) { octets.append(ascii: "> ") }
    let indent = min(listDepth, TextLayout.depthLimit) * 2 - (mark.isEmpty ? 0 : 2)
    octets += [UInt8](repeating: ASCII.space, count: max(0, indent))
    octets += mark
    mark = []
    writtenQuoteDepth = quoteDepth
  }
}

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
