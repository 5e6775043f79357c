internal import Octets
internal import Platform
internal import Terminal

/// How wide the text of a message is, and in which colours it is printed.
struct TextStyle {
  /// When there are colours.
  enum Colour: String, CaseIterable {
    case auto, always, never
  }

  /// The columns of a line; nil where lines are as long as they come.
  let width: Int?
  let hasColours: Bool
  let palette: Palette
  /// Whether rules are drawn through, as long as a line; else they are a few dashes, for pipes, screen readers and terminals
  /// that show no other characters than ASCII.
  let drawsRules: Bool

  /// What suits standard output: a terminal gets colours and lines that fit, a pipe or a file the text as it is.
  init(_ colour: Colour, _ output: TerminalTraits) {
    width = output.isTerminal ? output.width : nil
    drawsRules = output.showsLines
    palette = .current
    hasColours =
      switch colour {
      case .auto: output.allowsColours
      case .always: true
      case .never: false
      }
  }

  /// Whether what shows the text breaks its lines anywhere, without a width that is known.
  private var isBrokenAnywhere = false

  /// Text for a page, which breaks its lines as it likes.
  static let page: TextStyle = {
    let none = TerminalTraits(isTerminal: false, term: nil, noColour: nil, columns: nil)
    var style = TextStyle(.never, none)
    style.isBrokenAnywhere = true
    return style
  }()

  /// A kind of line.
  enum Kind {
    case field, rule, text
    /// What is to be known of the protection of a message.
    case verdict

    /// Whether others chose what stands in it.
    var isOfOthers: Bool {
      switch self {
      case .field, .text: true
      case .rule, .verdict: false
      }
    }
  }

  /// The octets of a line, with line ends: cut between words where it is too long, and in its colours.
  func lines(_ line: ArraySlice<UInt8>, _ kind: Kind, nameLength: Int = 0) -> [UInt8] {
    let mark = kind == .text ? Quote.mark(of: line) : []
    let isIndented = kind == .field || kind == .verdict
    let prefix = isIndented ? [UInt8](repeating: ASCII.space, count: 4) : mark
    var lines = width.map { LineWrap.lines(line, width: $0, prefix: prefix) } ?? [Array(line)]
    // What is broken off a long line must not look like a verdict either: a terminal breaks a word that is too long for it.
    if kind.isOfOthers {
      let known = width ?? (isBrokenAnywhere ? 0 : .max)
      lines = lines.flatMap { $0.count > known ? ProtectionLines.cut($0) : [$0] }
        .map { ProtectionLines.toldApart($0) }
    }
    guard hasColours else {
      return Array(lines.joined(separator: [ASCII.lineFeed])) + [ASCII.lineFeed]
    }
    return lines.enumerated().flatMap { number, line in
      coloured(line, kind, nameLength: number == 0 ? nameLength : 0) + [ASCII.lineFeed]
    }
  }

  /// Each line begins and ends its colours, since pagers may show any of them first.
  private func coloured(_ line: [UInt8], _ kind: Kind, nameLength: Int) -> [UInt8] {
    switch kind {
    // A name with blanks in it may be broken too.
    case .field: Self.colour(palette.field, line.prefix(nameLength)) + line.dropFirst(nameLength)
    case .rule: Self.colour(palette.rule, line[...])
    case .verdict: Self.colour(palette.field, line[...])
    case .text:
      switch Quote.depth(of: line[...]) {
      case 0: line
      case let depth:
        Self.colour(depth.isMultiple(of: 2) ? palette.innerQuote : palette.quote, line[...])
      }
    }
  }

  private static func colour(_ code: String, _ text: ArraySlice<UInt8>) -> [UInt8] {
    text.isEmpty || code.isEmpty
      ? Array(text) : Array("\u{1B}[\(code)m".utf8) + text + Array("\u{1B}[0m".utf8)
  }
}

/// What stands before quoted text.
private enum Quote {
  /// The marks and blanks before the first word: `> > `.
  static func mark(of line: ArraySlice<UInt8>) -> [UInt8] {
    Array(line.prefix { $0 == ASCII.greaterThan || $0 == ASCII.space })
  }

  /// How many answers ago it was written.
  static func depth(of line: ArraySlice<UInt8>) -> Int {
    line.first == ASCII.greaterThan ? mark(of: line).count { $0 == ASCII.greaterThan } : 0
  }
}

/// The colours of what is shown, as numbers for the terminal (SGR), such as `1;34`.
///
/// The usual ones can be read on a light and on a dark ground.
struct Palette {
  /// The names of header fields.
  var field = "1"
  /// Text that is quoted.
  var quote = "32"
  /// Text that is quoted in a quotation.
  var innerQuote = "35"
  /// The lines between messages.
  var rule = "2"

  /// The usual ones, except for those that `MAGNUM_COLORS` sets: `field=1;34:quote=36`.
  static var current: Palette { Palette(Environment.value("MAGNUM_COLORS") ?? "") }

  /// The usual ones, except for those that a text sets; what it says otherwise has no effect.
  init(_ settings: String) {
    for setting in settings.split(separator: ":") {
      let halves = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, halves[1].utf8.allSatisfy(Self.isPart) else { continue }
      let colour = String(halves[1])
      switch halves[0] {
      case "field": field = colour
      case "quote": quote = colour
      case "quote2": innerQuote = colour
      case "rule": rule = colour
      default: continue
      }
    }
  }

  /// Nothing else reaches the terminal.
  private static func isPart(_ octet: UInt8) -> Bool {
    ASCII.isDigit(octet) || octet == UInt8(ascii: ";")
  }
}
