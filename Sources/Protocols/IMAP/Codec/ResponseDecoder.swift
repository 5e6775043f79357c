internal import Octets

/// The cutting of the stream into responses, with literals gathered and bodies passed through.
///
/// Holds at most one response without its body (`Limits.lineLength`); a line that is complete in
/// the input is parsed in place.
struct ResponseDecoder {
  private enum Phase {
    /// Looking for the end of a line.
    case line
    /// Gathering a literal into the response; so many octets are still to come.
    case literal(remaining: Int)
    /// Passing a body on; so many octets are still to come.
    case body(remaining: UInt64)
  }

  private let limits: Limits
  private var phase = Phase.line

  /// Whether the first line was seen, which has to be a greeting.
  private var isGreeted = false

  /// What came of the response so far, literals with their markers and line ends included.
  private var gathered: [UInt8] = []

  /// Where in `gathered` the line begins that is being looked at: behind the last literal.
  private var lineStart = 0

  /// The FETCH whose body was streamed; the rest of its attributes comes next.
  private var openFetch: FetchParser?

  /// Steps found but not handed out yet, the next one last.
  private var queue: [Response] = []

  /// Whether `trace` gets a line for each response.
  var isTracing = false

  /// The responses of late, one line each, literals cut.
  var trace: [[UInt8]] = []

  private var tracedLine: [UInt8] = []

  init(limits: Limits) {
    self.limits = limits
  }

  /// Whether the stream stands between two responses.
  var isBetweenResponses: Bool {
    guard case .line = phase else { return false }
    return gathered.isEmpty && openFetch == nil && queue.isEmpty
  }

  /// The next response or step of one, its octets taken from `input`; `nil` when more must come.
  mutating func next(_ input: inout ArraySlice<UInt8>) throws(ProtocolError) -> Response? {
    while true {
      if let response = queue.popLast() { return response }
      guard !input.isEmpty else { return nil }
      switch phase {
      case .body(let remaining): return pass(&input, remaining)
      case .literal(let remaining): gather(&input, remaining)
      case .line:
        if let response = try line(&input) { return response }
      }
    }
  }

  private mutating func pass(_ input: inout ArraySlice<UInt8>, _ remaining: UInt64) -> Response {
    let count = Int(min(remaining, UInt64(input.count)))
    let chunk = input.prefix(count)
    input = input.dropFirst(count)
    if UInt64(count) == remaining {
      queue.append(.data(.bodyEnd))
      phase = .line
    } else {
      phase = .body(remaining: remaining - UInt64(count))
    }
    return .data(.bodyChunk(chunk))
  }

  private mutating func gather(_ input: inout ArraySlice<UInt8>, _ remaining: Int) {
    let count = min(remaining, input.count)
    gathered += input.prefix(count)
    input = input.dropFirst(count)
    count == remaining ? endLiteral() : (phase = .literal(remaining: remaining - count))
  }

  private mutating func endLiteral() {
    phase = .line
    lineStart = gathered.count
  }
}

// Lines.
extension ResponseDecoder {
  /// Takes a line, or the beginning of one; `nil` when that completes no step.
  private mutating func line(
    _ input: inout ArraySlice<UInt8>
  ) throws(ProtocolError) -> Response? {
    guard let lineFeed = LineEnd.first(in: input) else {
      try gatherLine(input)
      input = input[input.endIndex...]
      return nil
    }
    let piece = input[...lineFeed]
    input = input[(lineFeed + 1)...]
    let text = Self.withoutLineEnd(piece)
    if gathered.isEmpty, text.last != ASCII.closeBrace {
      try checkLength(piece)
      traceText(text, isLast: true)
      return try complete(text)
    }
    try gatherLine(piece)
    return try endOfGatheredLine()
  }

  private mutating func gatherLine(_ piece: ArraySlice<UInt8>) throws(ProtocolError) {
    try checkLength(piece)
    gathered += piece
  }

  private func checkLength(_ piece: ArraySlice<UInt8>) throws(ProtocolError) {
    guard gathered.count + piece.count > limits.lineLength else { return }
    throw ProtocolError(
      .lineTooLong(limit: limits.lineLength),
      line: gathered.prefix(200) + piece.prefix(200)
    )
  }

  /// A line has ended in `gathered`: with it ends the response, or a literal begins.
  private mutating func endOfGatheredLine() throws(ProtocolError) -> Response? {
    let text = Self.withoutLineEnd(gathered[lineStart...])
    guard let marker = LiteralMarker(endOf: text), mayHoldLiterals else {
      traceText(text, isLast: true)
      return try completeGathered()
    }
    traceText(text, isLast: false)
    // A body is not gathered: the attributes before it are parsed now, those behind it later.
    if announcesBody(text[..<marker.start]) { return try completeGathered() }
    try beginLiteral(marker.size)
    return nil
  }

  private mutating func beginLiteral(_ size: UInt64) throws(ProtocolError) {
    let limit = UInt64(min(limits.shortLiteralSize, limits.lineLength - gathered.count))
    guard size <= limit else {
      throw ProtocolError(.literalTooLarge(size: size, limit: limit), line: gathered)
    }
    phase = .literal(remaining: Int(size))
    if size == 0 { endLiteral() }
  }

  /// Whether a `{n}` at the end means a literal: words for people may end so too.
  private var mayHoldLiterals: Bool {
    if openFetch != nil { return true }
    var lexer = Lexer(gathered[...], limits: limits)
    guard lexer.skip(ASCII.asterisk) else { return false }
    lexer.skipSpaces()
    return ResponseParser.statusKind(lexer.word()) == nil
  }

  /// Whether a literal behind this text is the body of a message: `… BODY[] ` within a FETCH.
  private func announcesBody(_ text: ArraySlice<UInt8>) -> Bool {
    guard openFetch != nil || isFetch else { return false }
    var text = Self.withoutBlanks(text)
    if text.last == ASCII.greaterThan, let origin = text.lastIndex(of: ASCII.lessThan) {
      text = text[..<origin]
    }
    return text.suffix(6).equalsCaseless("BODY[]") || text.suffix(7).equalsCaseless(" RFC822")
      || text.suffix(7).equalsCaseless("(RFC822")
  }

  private var isFetch: Bool {
    var lexer = Lexer(gathered[...], limits: limits)
    guard lexer.skip(ASCII.asterisk) else { return false }
    lexer.skipSpaces()
    guard (try? lexer.digits()) != nil else { return false }
    lexer.skipSpaces()
    return lexer.word().equalsCaseless("FETCH")
  }

  private static func withoutBlanks(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = text.lastIndex { !ASCII.isBlank($0) }.map { $0 + 1 } ?? text.startIndex
    return text[..<end]
  }

  private static func withoutLineEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == ASCII.lineFeed { line.removeLast() }
    if line.last == ASCII.carriageReturn { line.removeLast() }
    return line
  }
}

// Responses.
extension ResponseDecoder {
  private mutating func completeGathered() throws(ProtocolError) -> Response {
    let response = Self.withoutLineEnd(gathered[...])
    gathered = []
    lineStart = 0
    return try complete(response)
  }

  /// Parses a logical line: a whole response, or the part of a FETCH before or behind a body.
  private mutating func complete(_ text: ArraySlice<UInt8>) throws(ProtocolError) -> Response {
    do throws(Problem) {
      return try isGreeted ? begin(try parse(text)) : greeting(text)
    } catch {
      throw ProtocolError(error, line: text)
    }
  }

  /// The first line: one of the few things that tell an IMAP server from any other.
  private mutating func greeting(_ text: ArraySlice<UInt8>) throws(Problem) -> Response {
    isGreeted = true
    guard let response = try? ResponseParser.parse(text, limits: limits),
      case .status(let status) = response, status.kind != .no, status.kind != .bad
    else { throw .noGreeting }
    return response
  }

  private mutating func parse(_ text: ArraySlice<UInt8>) throws(Problem) -> Response {
    guard var parser = openFetch else { return try ResponseParser.parse(text, limits: limits) }
    openFetch = nil
    var lexer = Lexer(text, limits: limits)
    switch try parser.parse(&lexer) {
    case .complete: return .fetch(parser)
    case .body(let size): return .body(parser, size: size)
    }
  }

  private mutating func begin(_ response: Response) throws(Problem) -> Response {
    switch response {
    case .body(let parser, let size):
      guard size <= limits.literalSize else {
        throw .literalTooLarge(size: size, limit: limits.literalSize)
      }
      openFetch = parser
      phase = size == 0 ? .line : .body(remaining: size)
      if size == 0 { queue = [.data(.bodyEnd)] }
      return .data(.bodyBegin(size: size))
    case .fetch(let parser):
      guard let body = parser.inlineBody else { return .data(.fetch(parser.fetch)) }
      queue = [.data(.fetch(parser.fetch)), .data(.bodyEnd)]
      if !body.isEmpty { queue.append(.data(.bodyChunk(body))) }
      return .data(.bodyBegin(size: UInt64(body.count)))
    default: return response
    }
  }

  /// Adds to the trace the part of a response that one line of the wire holds.
  private mutating func traceText(_ text: ArraySlice<UInt8>, isLast: Bool) {
    guard isTracing else { return }
    // A line of many literals is not worth more than this.
    if tracedLine.count < 2000 {
      tracedLine += text.prefix(2000)
      if !isLast { tracedLine += " …".utf8 }
    }
    guard isLast else { return }
    trace.append(tracedLine)
    tracedLine = []
  }
}
