internal import Octets

/// Base64 as it comes in mail: broken into lines, cut, padded wrongly, with rubbish between.
enum DamagedBase64 {
  private static let invalid: UInt8 = 0xFF

  /// The six bits of each character, `invalid` for what is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in [UInt8](ascii: alphabet).enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()

  /// A longer line behind padding is base64 whatever ends it, so that only so much of it has to be seen at once.
  private static let lineLimit = 1 << 20

  /// How far decoding came.
  struct Progress {
    /// What was made of the text.
    fileprivate(set) var octets: [UInt8] = []
    /// How much of the text that took; what is behind it is to be decoded together with what follows.
    fileprivate(set) var taken = 0
    /// Whether nothing that follows stands for anything.
    fileprivate(set) var isOver = false
  }

  /// What the text stands for as far as it goes; foreign characters are skipped.
  ///
  /// After padding the text may go on, as some programs join encoded pieces; a line with foreign
  /// characters behind it, such as the footer of a mailing list, ends it.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] { decode(text, isEnd: true).octets }

  /// The same of a text that may go on, as far as what follows makes no difference.
  static func decode(_ text: ArraySlice<UInt8>, isEnd: Bool) -> Progress {
    var progress = Progress()
    progress.octets = text.withUnsafeBufferPointer { text in
      [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { result, count in
        values.withUnsafeBufferPointer {
          count = decode(text, isEnd, into: result, $0, &progress)
        }
      }
    }
    return progress
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    _ isEnd: Bool,
    into result: UnsafeMutableBufferPointer<UInt8>,
    _ values: UnsafeBufferPointer<UInt8>,
    _ progress: inout Progress
  ) -> Int {
    var count = 0
    var index = 0
    var bits: UInt32 = 0
    var held = 0
    var settled = 0
    while index < text.count {
      if held == 0 {
        fast(text, &index, result, &count, values)
        (progress.taken, settled) = (index, count)
      }
      guard index < text.count else { break }
      let value = values[Int(text[index])]
      if value != invalid {
        bits = bits << 6 | UInt32(value)
        held += 6
        if held == 24 { flush(&bits, &held, result, &count) }
      } else if text[index] == ASCII.equals {
        flush(&bits, &held, result, &count)
        switch goesOn(text, isEnd, &index, values) {
        case true?: continue
        case false?:
          progress.isOver = true
          return count
        case nil: return settled
        }
      }
      index += 1
    }
    if isEnd {
      flush(&bits, &held, result, &count)
      return count
    }
    guard held == 0 else { return settled }
    progress.taken = text.count
    return count
  }

  /// Decodes whole groups of four as long as they are clean.
  @inline(__always)
  private static func fast(
    _ text: UnsafeBufferPointer<UInt8>,
    _ index: inout Int,
    _ result: UnsafeMutableBufferPointer<UInt8>,
    _ count: inout Int,
    _ values: UnsafeBufferPointer<UInt8>
  ) {
    while index &+ 4 <= text.count {
      let first = values[Int(text[index])]
      let second = values[Int(text[index &+ 1])]
      let third = values[Int(text[index &+ 2])]
      let fourth = values[Int(text[index &+ 3])]
      if (first | second | third | fourth) & 0x80 != 0 { return }
      result[count] = first << 2 | second >> 4
      result[count &+ 1] = second << 4 | third >> 2
      result[count &+ 2] = third << 6 | fourth
      count &+= 3
      index &+= 4
    }
  }

  /// Writes the whole octets held and drops what is left over.
  private static func flush(
    _ bits: inout UInt32,
    _ held: inout Int,
    _ result: UnsafeMutableBufferPointer<UInt8>,
    _ count: inout Int
  ) {
    while held >= 8 {
      held -= 8
      result[count] = UInt8(truncatingIfNeeded: bits >> UInt32(held))
      count += 1
    }
    bits = 0
    held = 0
  }

  /// Moves past padding and white space; whether the line behind them is base64 again, nil where its end is not here yet.
  private static func goesOn(
    _ text: UnsafeBufferPointer<UInt8>,
    _ isEnd: Bool,
    _ index: inout Int,
    _ values: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    while index < text.count, text[index] == ASCII.equals || text[index] <= ASCII.space {
      index += 1
    }
    var end = index
    let limit = min(text.count, index + lineLimit)
    while end < limit, values[Int(text[end])] != invalid { end += 1 }
    if end == index + lineLimit { return true }
    if end == text.count { return isEnd ? end > index : nil }
    return end > index
      && (text[end] == ASCII.equals || text[end] == ASCII.carriageReturn
        || text[end] == ASCII.lineFeed)
  }
}

/// Decodes base64 that comes piece by piece, as `DamagedBase64.decode` does all of it.
struct Base64Converter: OctetConverter {
  /// What is to be decoded together with what follows.
  private var rest: [UInt8] = []
  private var isOver = false

  var heldBack: Int { rest.count }

  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    guard !isOver else { return [] }
    let text = rest + octets
    let progress = DamagedBase64.decode(text[...], isEnd: isEnd)
    isOver = progress.isOver || isEnd
    rest = isOver ? [] : Self.essence(of: text[progress.taken...])
    return progress.octets
  }

  /// The same text without what is skipped anyway.
  private static func essence(of text: ArraySlice<UInt8>) -> [UInt8] {
    let digits = text.prefix { $0 != ASCII.equals }
    let behind = text[digits.endIndex...].drop { $0 == ASCII.equals || $0 <= ASCII.space }
    let padding = digits.endIndex < text.endIndex ? [ASCII.equals] : []
    return digits.filter(Base64.isDigit) + padding + behind
  }
}
