internal import Octets

/// A file written into text with uuencode, from its `begin` to its `end` line (POSIX uuencode).
package struct Uuencode: Sendable, Hashable {
  /// The name after the mode on the `begin` line, as written.
  package let name: [UInt8]

  /// The lines from `begin` to `end`, in the text where they were found.
  package let octets: ArraySlice<UInt8>

  private let data: ArraySlice<UInt8>

  /// The files in a text, in order.
  ///
  /// One whose `end` is missing reaches to the last line before the first that is no data.
  package static func blocks(_ text: ArraySlice<UInt8>) -> [Uuencode] {
    var blocks: [Uuencode] = []
    var index = text.startIndex
    var ends: [Int]?
    while index < text.endIndex {
      let next = lineEnd(text, index)
      guard let name = beginName(text[index..<next]) else {
        index = next
        continue
      }
      let known = ends ?? lineStarts(of: "end", in: text[next...])
      ends = known
      if let block = block(text, start: index, data: next, name: name, ends: known) {
        blocks.append(block)
        index = block.octets.endIndex
      } else {
        index = next
      }
    }
    return blocks
  }

  /// The octets of the file as far as damage lets.
  package func decode() -> [UInt8] {
    var result: [UInt8] = []
    var index = data.startIndex
    while index < data.endIndex {
      let next = Uuencode.lineEnd(data, index)
      Uuencode.decode(line: data[index..<next], to: &result)
      index = next
    }
    return result
  }

  /// Reads the block that begins there; `ends` are where lines begin that end one.
  private static func block(
    _ text: ArraySlice<UInt8>,
    start: Int,
    data: Int,
    name: [UInt8],
    ends: [Int]
  ) -> Uuencode? {
    var index = data
    // Damage may be skipped only up to an end, and not where most of it is no data: it is text then.
    var (good, damaged, goodEnd) = (0, 0, data)
    let end = ends[ends.firstPosition { $0 >= data }...].first
    while index < text.endIndex, index != end {
      let next = lineEnd(text, index)
      let line = trimmed(text[index..<next])
      if isData(line) {
        good += 1
        if damaged == 0 { goodEnd = next }
      } else {
        damaged += 1
        if end == nil || beginName(text[index..<next]) != nil { break }
      }
      index = next
    }
    if index == end, damaged <= good {
      let next = lineEnd(text, index)
      return Uuencode(name: name, octets: text[start..<next], data: text[data..<index])
    }
    guard goodEnd > data else { return nil }
    return Uuencode(name: name, octets: text[start..<goodEnd], data: text[data..<goodEnd])
  }

  /// How many of its lines do not decode: what stands in them is cut to the length that they tell.
  package var damagedLines: Int {
    var count = 0
    var index = data.startIndex
    while index < data.endIndex {
      let next = Uuencode.lineEnd(data, index)
      if !Uuencode.isData(Uuencode.trimmed(data[index..<next])) { count += 1 }
      index = next
    }
    return count
  }

  private static func lineStarts(of word: StaticString, in text: ArraySlice<UInt8>) -> [Int] {
    var starts: [Int] = []
    var index = text.startIndex
    while index < text.endIndex {
      let next = lineEnd(text, index)
      if trimmed(text[index..<next]).equalsCaseless(word) { starts.append(index) }
      index = next
    }
    return starts
  }

  private static func beginName(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.starts(with: [UInt8](ascii: "begin ")) else { return nil }
    let rest = trimmed(line).dropFirst(6)
    let mode = rest.prefix { (0x30...0x37).contains($0) }
    guard (3...4).contains(mode.count), rest.dropFirst(mode.count).first == ASCII.space else {
      return nil
    }
    return [UInt8](rest.dropFirst(mode.count + 1))
  }

  /// Whether the line is as long as its first character says, give or take lost spaces.
  private static func isData(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, (0x20...0x60).contains(first) else { return line.isEmpty }
    let needed = (Int(first - 0x20 & 0x3F) + 2) / 3 * 4
    return line.count <= needed + 2 && line.allSatisfy { (0x20...0x60).contains($0) }
  }

  private static func decode(line: ArraySlice<UInt8>, to result: inout [UInt8]) {
    let line = trimmed(line)
    guard let first = line.first else { return }
    var count = Int((first &- 0x20) & 0x3F)
    var index = line.startIndex + 1
    while count > 0 {
      var bits: UInt32 = 0
      for offset in 0..<4 {
        let character = index + offset < line.endIndex ? line[index + offset] : 0x20
        bits = bits << 6 | UInt32((character &- 0x20) & 0x3F)
      }
      for shift in [16, 8, 0].prefix(count) {
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift)))
      }
      count -= 3
      index += 4
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == ASCII.lineFeed { line.removeLast() }
    if line.last == ASCII.carriageReturn { line.removeLast() }
    return line
  }

  private static func lineEnd(_ text: ArraySlice<UInt8>, _ start: Int) -> Int {
    text[start...].firstIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? text.endIndex
  }
}
