/// The line ends of one message on their way from the wire (CRLF) to the disk (LF).
///
/// It takes the message in runs of any size and gives back the same with LF for each CRLF. Afterwards
/// ``isReversible`` tells whether the way back, CRLF for each LF, leads to the same octets; only then is the message
/// to be stored in this form. A line feed alone spoils it, and so does CR CR LF: programs that read a Maildir take
/// the CR LF that would be left of it for a line end.
package struct LineEnds: Sendable {
  /// Whether the octets so far can be had back.
  package private(set) var isReversible = true

  /// Whether there was an octet 0, which IMAP cannot carry outside of binary literals (RFC 9051 §4.3).
  package private(set) var containsNUL = false

  /// The octets taken so far.
  package private(set) var wireSize = 0

  /// Whether a CR at the end of the last run waits for the octet behind it.
  package private(set) var isHoldingReturn = false

  /// Whether another CR came right before the one held.
  private var isHeldAfterReturn = false

  /// A message of which nothing is known yet.
  package init() {}

  /// Takes the next run.
  ///
  /// - Returns: its converted form; a CR at its end is held back until the next run or ``finish()``.
  package mutating func convert(_ run: ArraySlice<UInt8>) -> [UInt8] {
    wireSize += run.count
    return run.withUnsafeBytes { source in
      [UInt8](unsafeUninitializedCapacity: source.count + 1) { target, count in
        count = convert(source, into: UnsafeMutableRawBufferPointer(target))
      }
    }
  }

  /// Gives out what was held back.
  package mutating func finish() -> [UInt8] {
    defer { isHoldingReturn = false }
    return isHoldingReturn ? [ASCII.carriageReturn] : []
  }

  /// The way back: CRLF for each LF.
  package static func restored(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + octets.count / 16)
    var rest = octets
    while let end = rest.firstIndex(of: ASCII.lineFeed) {
      result += rest[..<end]
      result += [ASCII.carriageReturn, ASCII.lineFeed]
      rest = rest[(end + 1)...]
    }
    result += rest
    return result
  }

  /// Works line by line: several times as fast as octet by octet.
  private mutating func convert(
    _ source: UnsafeRawBufferPointer,
    into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let start = source.baseAddress, let output = target.baseAddress else { return 0 }
    if !containsNUL { containsNUL = Self.index(of: 0, in: source, from: 0) != nil }
    var line = 0
    var written = 0
    while let lineFeed = Self.index(of: ASCII.lineFeed, in: source, from: line) {
      written += releaseReturn(beforeLineFeed: lineFeed == line, into: output + written)
      let length = textLength(source, from: line, to: lineFeed)
      (output + written).copyMemory(from: start + line, byteCount: length)
      written += length
      output.storeBytes(of: ASCII.lineFeed, toByteOffset: written, as: UInt8.self)
      written += 1
      line = lineFeed + 1
    }
    return written + convertTail(source, from: line, into: output + written)
  }

  private static func index(
    of octet: UInt8,
    in octets: UnsafeRawBufferPointer,
    from start: Int
  ) -> Int? {
    let index = OctetScan.index(of: octet, in: octets, from: start, to: octets.count)
    return index < octets.count ? index : nil
  }

  /// Puts out a CR held from the run before, unless the line feed behind it makes it a part of a line end.
  private mutating func releaseReturn(
    beforeLineFeed: Bool,
    into output: UnsafeMutableRawPointer
  ) -> Int {
    guard isHoldingReturn, !beforeLineFeed else { return 0 }
    isHoldingReturn = false
    isHeldAfterReturn = true
    output.storeBytes(of: ASCII.carriageReturn, as: UInt8.self)
    return 1
  }

  /// The length of a line without its CR, and a look at whether the line end can be had back.
  private mutating func textLength(
    _ source: UnsafeRawBufferPointer,
    from line: Int,
    to lineFeed: Int
  ) -> Int {
    defer {
      isHoldingReturn = false
      isHeldAfterReturn = false
    }
    let length = lineFeed - line
    guard length > 0 else {
      // The CR, if there is one, was held.
      if !isHoldingReturn || isHeldAfterReturn { isReversible = false }
      return 0
    }
    guard source[lineFeed - 1] == ASCII.carriageReturn else {
      isReversible = false
      return length
    }
    // isHeldAfterReturn: the octet before this run was a CR.
    let isSecond =
      length > 1 ? source[lineFeed - 2] == ASCII.carriageReturn : isHeldAfterReturn
    if isSecond { isReversible = false }
    return length - 1
  }

  /// Puts out what follows the last line feed, and holds a CR at its end.
  private mutating func convertTail(
    _ source: UnsafeRawBufferPointer,
    from line: Int,
    into output: UnsafeMutableRawPointer
  ) -> Int {
    let tail = source[line...]
    guard let last = tail.last, let start = source.baseAddress else { return 0 }
    let released = releaseReturn(beforeLineFeed: false, into: output)
    isHoldingReturn = last == ASCII.carriageReturn
    let length = tail.count - (isHoldingReturn ? 1 : 0)
    (output + released).copyMemory(from: start + line, byteCount: length)
    let isAfterReturn =
      length > 0 ? source[line + length - 1] == ASCII.carriageReturn : isHeldAfterReturn
    isHeldAfterReturn = isHoldingReturn && isAfterReturn
    return released + length
  }
}
