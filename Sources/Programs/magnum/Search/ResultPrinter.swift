internal import Octets
internal import Terminal

/// Puts out results one after another in one of the formats.
struct ResultPrinter {
  let console: Console
  let format: SearchOptions.Format
  /// Whether results are only counted.
  let isQuiet: Bool
  private(set) var count = 0
  /// The columns of the terminal that results go to; nil where they go elsewhere.
  private let width: Int?

  init(_ console: Console, _ format: SearchOptions.Format, isQuiet: Bool = false) {
    self.isQuiet = isQuiet
    self.console = console
    self.format = format
    width = console.isOutputTerminal ? TerminalTraits.of(descriptor: 1).width : nil
  }

  private var isJSON: Bool { format.isStructured }

  /// A result as a word or line: as it is, on a terminal without anything that it would obey, or as a string of JSON.
  mutating func add(_ text: [UInt8]) {
    if isJSON { return add(json: JSONText.string(text)) }
    var text = text
    if console.isOutputTerminal {
      text = Array(Printable.text(text, limit: .max).utf8)
    }
    put(octets: text + [format == .text0 ? 0 : ASCII.lineFeed])
    count += 1
  }

  /// A result as a line for people, or as an object.
  mutating func add(_ line: @autoclosure () -> String, _ object: @autoclosure () -> JSONLine) {
    if isJSON { return add(json: Array(object().octets.dropLast())) }
    put(octets: Array(fitting(line()).utf8) + [format == .text0 ? 0 : ASCII.lineFeed])
    count += 1
  }

  /// A line as wide as the terminal at most; what goes elsewhere is whole.
  private func fitting(_ text: String) -> String {
    guard let width, format != .text0 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { DisplayWidth.cut(String($0), to: width) }.joined(separator: "\n")
  }

  /// A piece of JSON.
  mutating func add(json: [UInt8]) {
    let before: [UInt8] =
      format == .jsonl ? [] : count == 0 ? [ASCII.openBracket] : [ASCII.comma, ASCII.lineFeed]
    put(json: before + json + (format == .jsonl ? [ASCII.lineFeed] : []))
    count += 1
  }

  private func put(octets: [UInt8]) {
    if !isQuiet { console.print(octets: octets) }
  }

  /// Brackets and objects, as the format writes them.
  private func put(json: [UInt8]) {
    put(octets: format == .sexp ? SexpText.of(json: json) : json)
  }

  /// What comes after the last result.
  func finish() {
    guard format == .json || format == .sexp else { return }
    put(
      json: (count == 0 ? [ASCII.openBracket] : []) + [ASCII.closeBracket, ASCII.lineFeed]
    )
  }
}

/// Strings of JSON that stand alone.
enum JSONText {
  /// The octets as a string, in quotation marks.
  static func string(_ octets: [UInt8]) -> [UInt8] {
    var line = JSONLine()
    line.add("", String(decoding: octets, as: UTF8.self))
    // {"":"…"} and a line end.
    return Array(line.octets.dropFirst(4).dropLast(2))
  }
}

/// What results have in common.
enum ResultWords {
  /// The version of the JSON format, in every object.
  static let version = 1

  /// `id:x@y`, quoted where a query would end it too early.
  static func id(_ id: [UInt8]) -> [UInt8] {
    let isPlain = id.allSatisfy { octet in
      octet > ASCII.space && octet != ASCII.delete && octet != ASCII.quote
        && octet != ASCII.openParenthesis && octet != ASCII.closeParenthesis
    }
    let start = [UInt8](ascii: "id:")
    if isPlain { return start + id }
    let quoted = id.flatMap { $0 == ASCII.quote ? [ASCII.quote, ASCII.quote] : [$0] }
    return start + [ASCII.quote] + quoted + [ASCII.quote]
  }
}
