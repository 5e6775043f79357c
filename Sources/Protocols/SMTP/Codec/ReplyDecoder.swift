internal import Octets

/// Cuts the stream into replies (RFC 5321 §4.2).
///
/// Tolerates what servers do: lines that end with LF alone, and codes without text or with a tab before it. Where codes differ
/// within a reply, the last one counts.
struct ReplyDecoder: Sendable {
  private let limits: ReplyLimits

  /// The beginning of a line whose end has not come.
  private var gathered: [UInt8] = []

  /// The lines of the reply that is not complete.
  private var lines: [[UInt8]] = []

  init(limits: ReplyLimits) {
    self.limits = limits
  }

  /// Whether the stream stands between two replies.
  var isBetweenReplies: Bool { gathered.isEmpty && lines.isEmpty }

  /// The next reply, its octets taken from `input`; `nil` when more must come.
  mutating func next(_ input: inout ArraySlice<UInt8>) throws(SMTPProtocolError) -> Reply? {
    while let lineFeed = input.firstIndex(of: ASCII.lineFeed) {
      try gather(input[...lineFeed])
      input = input[(lineFeed + 1)...]
      if let reply = try endLine() { return reply }
    }
    try gather(input)
    input = input[input.endIndex...]
    return nil
  }

  private mutating func gather(_ piece: ArraySlice<UInt8>) throws(SMTPProtocolError) {
    guard gathered.count + piece.count <= limits.lineLength else {
      throw SMTPProtocolError(
        .lineTooLong(limit: limits.lineLength),
        line: gathered + piece.prefix(SMTPProtocolError.lineLimit)
      )
    }
    gathered += piece
  }

  /// Parses the line gathered; returns the reply that it is the last line of.
  private mutating func endLine() throws(SMTPProtocolError) -> Reply? {
    let line = Self.withoutLineEnd(gathered[...])
    gathered = []
    guard let parsed = Self.parse(line) else {
      throw SMTPProtocolError(.malformedReply, line: line)
    }
    guard lines.count < limits.lineCount else {
      throw SMTPProtocolError(.tooManyLines(limit: limits.lineCount), line: line)
    }
    lines.append(parsed.text)
    guard parsed.isLast else { return nil }
    defer { lines = [] }
    return Reply(code: parsed.code, lines: lines)
  }

  private static func parse(
    _ line: ArraySlice<UInt8>
  ) -> (code: UInt16, isLast: Bool, text: [UInt8])? {
    let digits = line.prefix(3)
    var cursor = Cursor(digits)
    guard digits.count == 3, let code = cursor.decimal(), cursor.isAtEnd,
      (200...599).contains(code)
    else { return nil }
    let rest = line.dropFirst(3)
    guard let separator = rest.first else { return (UInt16(code), true, []) }
    guard separator == ASCII.minus || ASCII.isBlank(separator) else { return nil }
    return (UInt16(code), separator != ASCII.minus, [UInt8](rest.dropFirst()))
  }

  private static func withoutLineEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.dropLast()
    if line.last == ASCII.carriageReturn { line.removeLast() }
    return line
  }
}
