internal import Octets

/// The parts of a base name that is just as `MessageKey.baseName` writes it.
package struct OwnName: Hashable, Sendable {
  /// Seconds since 1970, not negative.
  package let date: Int64
  package let key: MessageKey
  /// Octets of the file.
  package let size: UInt64
  /// Octets of the message with CRLF line ends.
  package let wireSize: UInt64

  package init(date: Int64, key: MessageKey, size: UInt64, wireSize: UInt64) {
    self.date = date
    self.key = key
    self.size = size
    self.wireSize = wireSize
  }

  /// Takes a base name apart; nil where it is the least bit else.
  package init?(_ name: UnsafeRawBufferPointer) {
    var parts = Parts(octets: name)
    guard let date = parts.number(), let date = Int64(exactly: date), parts.skip(".V"),
      let validity = parts.number(), let validity = UInt32(exactly: validity), parts.skip("U"),
      let uid = parts.number(), let uid = UInt32(exactly: uid), parts.skip("."),
      let mailbox = parts.digits(), parts.skip(",S="), let size = parts.number(),
      parts.skip(",W="), let wireSize = parts.number(), parts.isAtEnd
    else { return nil }
    self.date = date
    key = MessageKey(validity: validity, uid: uid, mailbox: mailbox)
    self.size = size
    self.wireSize = wireSize
  }

  /// Lends the name.
  package func withOctets<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: Writer.limit, alignment: 8) { buffer in
      var writer = Writer(octets: buffer)
      writer.write(UInt64(date))
      writer.write(".V")
      writer.write(UInt64(key.validity))
      writer.write("U")
      writer.write(UInt64(key.uid))
      writer.write(".")
      writer.writeDigits(key.mailbox)
      writer.write(",S=")
      writer.write(size)
      writer.write(",W=")
      writer.write(wireSize)
      return try body(UnsafeRawBufferPointer(rebasing: buffer[..<writer.count]))
    }
  }

  /// Takes a name apart from its start.
  private struct Parts {
    let octets: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool { position == octets.count }

    mutating func skip(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { text in
        guard position + text.count <= octets.count else { return false }
        for index in text.indices where octets[position + index] != text[index] { return false }
        position += text.count
        return true
      }
    }

    /// A number in its one decimal form, of 19 digits at most, which always fit.
    mutating func number() -> UInt64? {
      let start = position
      var value: UInt64 = 0
      while position < octets.count, octets[position] &- ASCII.zero < 10 {
        guard position - start < 19 else { return nil }
        value = value &* 10 &+ UInt64(octets[position] &- ASCII.zero)
        position += 1
      }
      let count = position - start
      return count == 0 || count > 1 && octets[start] == ASCII.zero ? nil : value
    }

    /// The number that 16 hexadecimal digits stand for, letters small.
    mutating func digits() -> UInt64? {
      guard position + 16 <= octets.count else { return nil }
      var value: UInt64 = 0
      for index in position..<(position + 16) {
        let octet = octets[index]
        guard let four = Hex.nibble(octet), octet &- 0x41 >= 26 else { return nil }
        value = value << 4 | UInt64(four)
      }
      position += 16
      return value
    }
  }

  /// Writes a name from its start.
  private struct Writer {
    /// Four numbers of 20 digits at most, 16 digits, and what stands between them.
    static let limit = 128

    let octets: UnsafeMutableRawBufferPointer
    var count = 0

    mutating func write(_ text: StaticString) {
      text.withUTF8Buffer { text in
        for index in text.indices { octets[count + index] = text[index] }
        count += text.count
      }
    }

    mutating func write(_ number: UInt64) {
      let start = count
      var rest = number
      repeat {
        octets[count] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
        count += 1
        rest /= 10
      } while rest > 0
      var digits = UnsafeMutableRawBufferPointer(rebasing: octets[start..<count])
      digits.reverse()
    }

    mutating func writeDigits(_ number: UInt64) {
      for index in 0..<16 {
        let four = UInt8(truncatingIfNeeded: number >> (60 - 4 * index)) & 0x0F
        octets[count + index] = four < 10 ? ASCII.zero + four : UInt8(ascii: "a") + four - 10
      }
      count += 16
    }
  }
}

/// The names of files that a person had `magnum` make as copies of messages.
///
/// The host that such a name tells is no host: another program that moves a message by a copy gives it another name.
package enum CopyName {
  private static let host = Array(".copy".utf8)

  /// The base name of a copy, which has these octets before the host.
  package static func base(_ unique: String) -> [UInt8] { Array(unique.utf8) + host }

  /// Whether a base name is that of such a copy.
  package static func isOne(_ base: [UInt8]) -> Bool { base.suffix(host.count).elementsEqual(host) }
}

/// The name in tmp of a message that is being fetched: `fetch.V17U5.0123456789abcdef`.
///
/// No file in new or cur is called so: another program may put a message from there into tmp, where it is no leftover.
package enum FetchName {
  private static let prefix = [UInt8](ascii: "fetch.")

  /// The name for a key, whose UID is a number that tells apart what is being fetched.
  package static func octets(_ key: MessageKey) -> [UInt8] { prefix + key.text }

  /// The key of such a name; nil for any other.
  static func key(in name: [UInt8]) -> MessageKey? {
    guard name.starts(with: prefix), let key = MessageKey(baseName: name),
      name.dropFirst(prefix.count).elementsEqual(key.text)
    else { return nil }
    return key
  }
}

/// The names of files with messages of Magnum's own for the user, which belong to no mailbox of a server.
package enum NoticeName {
  private static let ending = Array(".magnum".utf8)

  /// The base name of one.
  ///
  /// - Parameter name: what tells it from others.
  /// - Returns: the name with its ending.
  package static func base(_ name: [UInt8]) -> [UInt8] { name + ending }

  /// Whether a file of that base name is one.
  package static func isOne(_ base: [UInt8]) -> Bool {
    base.withUnsafeBytes(isOne)
  }

  /// Whether a file of that base name is one.
  static func isOne(_ base: UnsafeRawBufferPointer) -> Bool {
    base.last == ending.last && base.suffix(ending.count).elementsEqual(ending)
  }
}
