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
  let size: UInt64
  let date: Int64
  let identity: ContentIdentity?
  /// Where the base name stands among the octets.
  let name: Range<Int>

  private static let kind = [UInt8](ascii: "message ")

  /// Reads the line that begins and ends there, its line end not among it; nil where it is no message, or one with keywords
  /// or an escaped name.
  init?(_ octets: UnsafeRawBufferPointer, _ range: Range<Int>) {
    var words = Words(octets: octets, position: range.lowerBound, end: range.upperBound)
    guard words.skip(Self.kind), let uid = words.number(), let uid = UInt32(exactly: uid),
      let flags = words.flags(), let size = words.number(), let date = words.number(),
      let date = Int64(exactly: date), let identity = words.identity(), words.skipNone(),
      let name = words.last()
    else { return nil }
    self.uid = uid
    self.flags = flags
    self.size = size
    self.date = date
    switch identity {
    case .none: self.identity = nil
    case .known(let identity): self.identity = identity
    }
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
      if skipNone() { return [] }
      let start = position
      var flags: SystemFlags = []
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

    /// The number that 16 hexadecimal digits stand for.
    private mutating func digits() -> UInt64? {
      var value: UInt64 = 0
      for index in position..<(position + 16) {
        guard let four = Hex.nibble(octets[index]) else { return nil }
        value = value << 4 | UInt64(four)
      }
      position += 16
      return value
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
