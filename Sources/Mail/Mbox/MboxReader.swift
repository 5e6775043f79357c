internal import Octets

/// The beginning of a message in a source.
package struct MboxHead: Hashable, Sendable {
  /// Where the message begins, in octets from the beginning of the source: at its separator where it has one.
  package let offset: Int
  /// The line before it; nil where the source is the message.
  package let separator: MboxSeparator?
  /// Its header as it was received, without the empty line behind it; empty where it has none.
  package let octets: [UInt8]
  /// Whether the header is longer than any; then only its beginning is here.
  package let isTooLong: Bool
}

/// What a source turns out to hold, piece by piece.
package enum MboxEvent: Hashable, Sendable {
  /// A message begins.
  case head(MboxHead)
  /// Octets of its body, from the empty line behind its header on.
  case body(ArraySlice<UInt8>)
  /// The message ends.
  case end
}

/// Divides an mbox into its messages while its octets pass by; or takes a single message as one.
///
/// A line is a separator if all of this holds:
///
/// 1. It is the first line, or follows an empty one; or it stands where a Content-Length ends; or X-Mozilla-Status or two of
///    some other fields follow it, since Thunderbird and others leave the empty line out.
/// 2. It ends in a date (``MboxSeparator``), or the first line of the file is as bare as this one.
/// 3. A header field or a line `>From ` follows, or the end.
///
/// Everything else is text. Nothing is held but a header, the lines that decide about a separator, and a body whose
/// Content-Length is to be looked at (``lengthLimit``).
package struct MboxReader: Sendable {
  /// The greatest header in octets.
  package static let headerLimit = 64 << 20
  /// Octets behind a body that are looked at for that.
  static let window = 16 << 10

  enum State {
    case start
    case header
    /// At the empty line behind a header whose Content-Length is still to be looked at.
    case length(Int)
    case body
  }

  let kind: MboxKind
  /// Whether the source is one message, which no line divides.
  package let isSingle: Bool
  private let skipsEmptyLines: Bool

  var state = State.start
  var buffer: [UInt8] = []
  /// What was given out of the buffer.
  var position = 0
  /// Where the buffer begins in the source.
  var base = 0
  var isEnded = false
  /// Whether the buffer goes on in the midst of a line that is known to be text.
  var isInLine = false
  var events: [MboxEvent] = []

  var header: [UInt8] = []
  var separator: MboxSeparator?
  /// Where the message begins that is being read.
  package internal(set) var messageStart = 0
  var bodyStart = 0
  var isFirstBare = false
  /// Where the body ends by its Content-Length, in the source.
  var lengthEnd: Int?
  /// Whether no line before ``lengthEnd`` is a separator.
  var trustsLength = false
  /// Whether all messages so far had a Content-Length that is right: then one that a sender wrote decides nothing.
  var haveLengths = true
  var unquotes = true

  /// Lines with the form of a separator that are text.
  package internal(set) var lookalikes = 0

  /// A reader of an mbox of a kind.
  package init(_ kind: MboxKind = .auto) {
    self.kind = kind
    isSingle = false
    skipsEmptyLines = true
  }

  /// A reader of a source that is one message; lines `From ` on top of it, quoted or not, are left out.
  ///
  /// `skipsEmptyLines` leaves out empty lines before a header too; without it they are the end of an empty header.
  package init(single: Void, skipsEmptyLines: Bool = false) {
    kind = .none
    isSingle = true
    self.skipsEmptyLines = skipsEmptyLines
  }

  /// Reads the next octets.
  package mutating func read(_ octets: ArraySlice<UInt8>) -> [MboxEvent] {
    if position > 0 {
      buffer.removeFirst(position)
      base += position
      position = 0
    }
    buffer += octets
    return advance()
  }

  /// Reads that nothing follows.
  package mutating func finish() -> [MboxEvent] {
    isEnded = true
    return advance()
  }

  private mutating func advance() -> [MboxEvent] {
    while step() {}
    if isEnded { endSource() }
    defer { events = [] }
    return events
  }

  /// Goes on; false where more octets are needed.
  private mutating func step() -> Bool {
    switch state {
    case .start: readStart()
    case .header: readLines(inHeader: true)
    case .length(let length): measure(length)
    case .body: readLines(inHeader: false)
    }
  }

  private mutating func endSource() {
    switch state {
    case .start: return
    case .header, .length: beginBody()
    case .body: break
    }
    events.append(.end)
    state = .start
    position = buffer.count
  }

  // MARK: The start

  /// Passes over a byte order mark and empty lines, and takes the first separator.
  private mutating func readStart() -> Bool {
    if isEnded, position == buffer.count { return false }
    if base == 0, position == 0, buffer.count < 3, !isEnded { return false }
    if base == 0, position == 0, buffer.starts(with: Self.byteOrderMark) {
      position = 3
    }
    if skipsEmptyLines {
      while position < buffer.count, emptyLine(at: position) > 0 {
        position += emptyLine(at: position)
      }
      guard position < buffer.count else { return false }
      // The other half of a line end may still come.
      if buffer[position] == ASCII.carriageReturn, position + 1 == buffer.count, !isEnded {
        return false
      }
    }
    if !isSingle {
      guard let line = wholeLine(at: position) else { return false }
      let found = line.text.flatMap { MboxSeparator($0) }
      // The caller made sure that there is one.
      isFirstBare = found?.isBare ?? false
      begin(found, at: position)
      position = found == nil ? position : line.end
    } else {
      begin(nil, at: position)
    }
    return true
  }

  private func isReturn(at index: Int) -> Bool {
    buffer[index] == ASCII.carriageReturn && index + 1 < buffer.count
      && buffer[index + 1] == ASCII.lineFeed
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  mutating func begin(_ separator: MboxSeparator?, at index: Int) {
    self.separator = separator
    messageStart = base + index
    header = []
    state = .header
    isInLine = false
    lengthEnd = nil
    trustsLength = false
    unquotes = kind != .none && kind != .cl2
  }

  // MARK: The header

  /// Ends the header at the empty line where the buffer stands.
  mutating func endHeader() {
    if let length = contentLength, length <= Self.lengthLimit { return state = .length(length) }
    haveLengths = false
    if let length = contentLength { lengthEnd = bodyBeginning + length }
    beginBody()
  }

  mutating func beginBody() {
    bodyStart = bodyBeginning
    events.append(
      .head(
        MboxHead(
          offset: messageStart,
          separator: separator,
          octets: header,
          isTooLong: header.count > Self.headerLimit
        )
      )
    )
    header = []
    state = .body
  }

  /// Where the body begins in the source, behind the empty line where the buffer stands.
  private var bodyBeginning: Int { base + position + emptyLine(at: position) }

  /// The length of the empty line at an index; 0 where there is none.
  func emptyLine(at index: Int) -> Int {
    guard index < buffer.count else { return 0 }
    if buffer[index] == ASCII.lineFeed { return 1 }
    return isReturn(at: index) ? 2 : 0
  }

  static let start = [UInt8](ascii: MboxSeparator.start)
}
