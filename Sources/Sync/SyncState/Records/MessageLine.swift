internal import MailModel
internal import Octets
internal import SyncPlan

/// The line of a message in a map, taken apart without making arrays of its words: a map has a hundred thousand of them.
///
/// Reads what is written for nearly every message; whatever is the least bit else is left to `RecordCodec`, which decides
/// what a line may be.
struct MessageLine {
  let uid: UInt32
  let flags: SystemFlags
  /// 0 where it is not known.
  let size: UInt64
  /// 0 where it is not known.
  let date: Int64
  let identity: ContentIdentity?
  /// Where the text of its keywords stands among the octets; empty where it has none.
  let keywords: Range<Int>
  /// Where the base name stands among the octets.
  let name: Range<Int>

  private static let kind = [UInt8](ascii: "message ")

  /// Reads the line that begins and ends there, its line end not among it; nil where it is no message, or one with an
  /// escaped name.
  init?(_ octets: UnsafeRawBufferPointer, _ range: Range<Int>) {
    var words = Words(octets: octets, position: range.lowerBound, end: range.upperBound)
    guard words.skip(Self.kind), let uid = words.number(), let uid = UInt32(exactly: uid),
      let flags = words.flags(), let size = words.number(), let date = words.number(),
      let date = Int64(exactly: date), let identity = words.identity(),
      let keywords = words.keywords(), let name = words.last()
    else { return nil }
    self.uid = uid
    self.flags = flags
    self.size = size
    self.date = date
    switch identity {
    case .none: self.identity = nil
    case .known(let identity): self.identity = identity
    }
    self.keywords = keywords
    self.name = name
  }

  private enum Identity {
    case none
    case known(ContentIdentity)
  }

  /// The words of the line; each but the last is taken with the space behind it.
  private struct Words {
    let octets: UnsafeRawBufferPointer
    var position: Int
    let end: Int

    mutating func skip(_ word: [UInt8]) -> Bool {
      guard end - position >= word.count,
        word.withUnsafeBytes({
          OctetScan.isEqual(
            $0,
            UnsafeRawBufferPointer(rebasing: octets[position..<(position + $0.count)])
          )
        })
      else { return false }
      position += word.count
      return true
    }

    /// Takes `- `.
    mutating func skipNone() -> Bool {
      guard position + 1 < end, octets[position] == LineFormat.none,
        octets[position + 1] == ASCII.space
      else { return false }
      position += 2
      return true
    }

    mutating func number() -> UInt64? {
      let start = position
      var value: UInt64 = 0
      while position < end, octets[position] != ASCII.space {
        let digit = octets[position] &- ASCII.zero
        // Nineteen digits always fit.
        guard digit < 10, position - start < 19 else { return nil }
        value = value &* 10 &+ UInt64(digit)
        position += 1
      }
      let count = position - start
      guard count > 0, position < end, octets[start] != ASCII.zero || count == 1 else { return nil }
      position += 1
      return value
    }

    mutating func flags() -> SystemFlags? {
      if skipNone() { return SystemFlags() }
      let start = position
      var flags = SystemFlags()
      while position < end, octets[position] != ASCII.space {
        guard let flag = SystemFlags(character: octets[position]) else { return nil }
        flags.insert(flag)
        position += 1
      }
      guard position > start, position < end else { return nil }
      position += 1
      return flags
    }

    mutating func identity() -> Identity? {
      if skipNone() { return Identity.none }
      guard position + 64 < end, octets[position + 64] == ASCII.space, let messageID = digits(),
        let high = digits(), let low = digits(), let header = digits()
      else { return nil }
      position += 1
      return .known(
        ContentIdentity(messageID: messageID, bodyHigh: high, bodyLow: low, header: header)
      )
    }

    mutating func keywords() -> Range<Int>? {
      if skipNone() { return position..<position }
      let start = position
      position = OctetScan.index(of: ASCII.space, in: octets, from: start, to: end) + 1
      return start < position - 1 && position < end ? start..<(position - 1) : nil
    }

    /// The number that 16 hexadecimal digits stand for, letters small.
    private mutating func digits() -> UInt64? {
      guard let high = eightDigits(at: position), let low = eightDigits(at: position + 8)
      else { return nil }
      position += 16
      return high << 32 | low
    }

    /// The number that 8 digits stand for, all at once: each octet of a word is one.
    private func eightDigits(at position: Int) -> UInt64? {
      let ones: UInt64 = 0x0101_0101_0101_0101
      let word = UInt64(
        bigEndian: octets.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      )
      let isLetter = word >> 6 & ones
      var value = (word & (ones &* 0x0F)) &+ isLetter &* 9
      // Letters are ten and more, digits less, and written again they are what was read.
      guard value & (ones &* 0xF0) == 0, (value &+ ones &* 6) >> 4 & ones == isLetter,
        value &+ ones &* 0x30 &+ isLetter &* 0x27 == word
      else { return nil }
      value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
      value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
      return (value | value >> 16) & 0xFFFF_FFFF
    }

    /// The last word, in which nothing is escaped.
    func last() -> Range<Int>? {
      guard position < end,
        OctetScan.index(of: ASCII.space, in: octets, from: position, to: end) == end,
        OctetScan.index(of: ASCII.percent, in: octets, from: position, to: end) == end
      else { return nil }
      return position..<end
    }
  }
}
