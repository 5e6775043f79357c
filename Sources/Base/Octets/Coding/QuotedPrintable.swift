/// The quoted-printable encoding of bodies (RFC 2045 §6.7), read with tolerance for damage.
package enum QuotedPrintable {
  /// More white space than this before a line end is content, so that only so much has to be seen at once.
  private static let blankLimit = 1 << 16

  /// How far decoding came.
  package struct Progress: Sendable {
    /// What was made of the text.
    package fileprivate(set) var octets: [UInt8] = []
    /// How many octets of the text that took; those behind them are to be decoded together with what follows.
    package fileprivate(set) var taken = 0
    /// Whether that ends in white space which is content, whatever follows.
    package fileprivate(set) var endsInContent = false
  }

  /// The octets that the text stands for.
  ///
  /// Nothing is refused. An `=` without two hexadecimal digits behind it stands for itself, and so do octets above 127. Digits
  /// may be lowercase. White space before a line end is removed, since transports add it. An `=` at the end of a line or of the
  /// text joins lines.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    decode(text, isEnd: true, endsInContent: false).octets
  }

  /// The same of a text that may go on, as far as what follows makes no difference.
  ///
  /// `endsInContent` is what is known of what was taken before.
  package static func decode(
    _ text: ArraySlice<UInt8>,
    isEnd: Bool,
    endsInContent: Bool
  ) -> Progress {
    var progress = Progress()
    progress.endsInContent = endsInContent
    progress.octets = text.withUnsafeBufferPointer { text in
      [UInt8](unsafeUninitializedCapacity: text.count) { result, count in
        count = decode(text, isEnd, into: result, &progress)
      }
    }
    return progress
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    _ isEnd: Bool,
    into result: UnsafeMutableBufferPointer<UInt8>,
    _ progress: inout Progress
  ) -> Int {
    var count = 0
    var kept = 0  // what precedes is no white space that may still turn out to end a line
    var blanks = progress.endsInContent ? blankLimit + 1 : 0
    var index = 0
    while index < text.count {
      let octet = text[index]
      switch octet {
      case ASCII.equals:
        switch escape(text, index + 1, isEnd) {
        case .octet(let value):
          result[count] = value
          index += 2
        case .softBreak(let next):
          (index, kept, blanks) = (next, count, 0)
          continue
        case .none: result[count] = octet
        case .open:
          (progress.taken, progress.endsInContent) = (index, false)
          return count
        }
      case ASCII.space, ASCII.tab:
        result[count] = octet
        count += 1
        index += 1
        blanks += 1
        if blanks > blankLimit { kept = count }
        continue
      case ASCII.lineFeed:
        count = kept
        result[count] = octet
      case ASCII.carriageReturn:
        let next = index + 1
        if next == text.count, !isEnd {
          progress.taken = index - (count - kept)
          progress.endsInContent = blanks > blankLimit
          return kept
        }
        if next < text.count, text[next] == ASCII.lineFeed { count = kept }
        result[count] = octet
      default:
        result[count] = octet
      }
      count += 1
      index += 1
      (kept, blanks) = (count, 0)
    }
    progress.endsInContent = blanks > blankLimit
    progress.taken = isEnd ? text.count : text.count - (count - kept)
    return isEnd ? count : kept
  }

  /// What an `=` stands for.
  private enum Escape {
    case octet(UInt8)
    /// Nothing: the text goes on here.
    case softBreak(Int)
    /// Itself.
    case none
    /// What follows will tell.
    case open
  }

  @inline(__always)
  private static func escape(
    _ text: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ isEnd: Bool
  ) -> Escape {
    if let value = value(text, start) { return .octet(value) }
    if !isEnd, start + 1 == text.count, digit(text[start]) != nil { return .open }
    return softBreak(text, start, isEnd)
  }

  /// The octet whose two digits stand at the index; `nil` when they do not.
  @inline(__always)
  private static func value(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8? {
    guard index + 1 < text.count else { return nil }
    guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
    return high << 4 | low
  }

  @inline(__always)
  private static func digit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case 0x30...0x39: octet - 0x30
    case 0x41...0x46: octet - 0x37
    case 0x61...0x66: octet - 0x57
    default: nil
    }
  }

  /// Where the next line begins if nothing but white space is left of this one.
  private static func softBreak(
    _ text: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ isEnd: Bool
  ) -> Escape {
    // Longer runs of padding are not seen, and a bound keeps `=   =   =` from being read anew.
    let limit = min(text.count, start + 80)
    var index = start
    while index < limit, ASCII.isBlank(text[index]) { index += 1 }
    if index == text.count { return isEnd ? .softBreak(index) : .open }
    guard index < limit else { return .none }
    if text[index] == ASCII.lineFeed { return .softBreak(index + 1) }
    guard text[index] == ASCII.carriageReturn else { return .none }
    index += 1
    if index == text.count { return isEnd ? .softBreak(index) : .open }
    return .softBreak(text[index] == ASCII.lineFeed ? index + 1 : index)
  }
}

extension QuotedPrintable {
  private static let digits = [UInt8](ascii: "0123456789ABCDEF")

  /// Text with LF line ends as quoted-printable, in lines of 76 octets at most; see `QuotedPrintableEncoder`.
  package static func encode(_ text: [UInt8]) -> [UInt8] {
    QuotedPrintableEncoder().converted(text)
  }

  /// The octet as `=XX`.
  package static func escaped(_ octet: UInt8) -> [UInt8] {
    [ASCII.equals, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
  }
}

/// Makes text with LF line ends quoted-printable (RFC 2045 §6.7), in lines of 76 octets at most.
///
/// Also encoded is what some program on the way may change: blanks at the end of a line, `From ` at its beginning, a
/// line of one dot.
package struct QuotedPrintableEncoder: OctetConverter {
  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  /// How many octets decide how the first of them is written.
  private static let mark = [UInt8](ascii: "From ")

  /// How long the line is that is being written.
  private var length = 0

  /// What cannot be written before what follows is known.
  private var rest: [UInt8] = []

  /// An encoder at the beginning of a text.
  package init() {}

  /// The next octets as quoted-printable; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    let text = rest + octets
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    var index = 0
    while index < text.count {
      let window = text[index..<min(text.count, index + Self.mark.count)]
      let end = window.firstIndex(of: ASCII.lineFeed)
      guard isEnd || end != nil || window.count == Self.mark.count else { break }
      if end == index {
        result.append(ASCII.lineFeed)
        length = 0
      } else {
        let line = window[..<(end ?? window.endIndex)]
        write(line, isLast: line.count == 1 && (end != nil || index + 1 == text.count), to: &result)
      }
      index += 1
    }
    rest = [UInt8](text[index...])
    return result
  }

  /// Writes the first of the octets that come next in a line.
  private mutating func write(_ line: ArraySlice<UInt8>, isLast: Bool, to result: inout [UInt8]) {
    let octet = line[line.startIndex]
    let room = Self.lineLimit - (isLast ? 0 : 1) - length
    if room < 3, room < 1 || !isPlain(line, isLast) {
      result += [ASCII.equals, ASCII.lineFeed]
      length = 0
    }
    if isPlain(line, isLast) {
      result.append(octet)
      length += 1
    } else {
      result += QuotedPrintable.escaped(octet)
      length += 3
    }
  }

  /// Whether the first of the octets can be written as it is.
  private func isPlain(_ line: ArraySlice<UInt8>, _ isLast: Bool) -> Bool {
    let octet = line[line.startIndex]
    if length == 0, line == Self.mark[...] || isLast && octet == ASCII.dot { return false }
    return ASCII.isBlank(octet) ? !isLast : (0x21...0x7E).contains(octet) && octet != ASCII.equals
  }
}
