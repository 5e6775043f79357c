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

  /// What the text stands for as far as it goes; foreign characters are passed over.
  ///
  /// After padding the text may go on, as some programs join encoded pieces; a line with foreign
  /// characters behind it, such as the footer of a mailing list, ends it.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.withUnsafeBufferPointer { text in
      [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { result, count in
        values.withUnsafeBufferPointer { count = decode(text, into: result, $0) }
      }
    }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    into result: UnsafeMutableBufferPointer<UInt8>,
    _ values: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var index = 0
    var bits: UInt32 = 0
    var held = 0
    while index < text.count {
      if held == 0 { fast(text, &index, result, &count, values) }
      guard index < text.count else { break }
      let value = values[Int(text[index])]
      if value != invalid {
        bits = bits << 6 | UInt32(value)
        held += 6
        if held == 24 { flush(&bits, &held, result, &count) }
      } else if text[index] == ASCII.equals {
        flush(&bits, &held, result, &count)
        guard goesOn(text, &index, values) else { return count }
        continue
      }
      index += 1
    }
    flush(&bits, &held, result, &count)
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

  /// Moves past padding and white space; whether the line behind them is base64 again.
  private static func goesOn(
    _ text: UnsafeBufferPointer<UInt8>,
    _ index: inout Int,
    _ values: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    while index < text.count, text[index] == ASCII.equals || text[index] <= ASCII.space {
      index += 1
    }
    var end = index
    while end < text.count, values[Int(text[end])] != invalid { end += 1 }
    return end > index
      && (end == text.count || text[end] == ASCII.equals || text[end] == ASCII.carriageReturn
        || text[end] == ASCII.lineFeed)
  }
}
