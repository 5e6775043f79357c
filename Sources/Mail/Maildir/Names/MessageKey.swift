internal import Octets

/// The identity of a pulled message, as its file name carries it.
package struct MessageKey: Hashable, Sendable {
  /// The UIDVALIDITY of the mailbox that it was pulled from (RFC 9051 §2.3.1.1); not 0.
  package let validity: UInt32

  /// The UID within that mailbox; not 0.
  package let uid: UInt32

  /// The number that Magnum gave to the mailbox.
  package let mailbox: UInt64

  package init(validity: UInt32, uid: UInt32, mailbox: UInt64) {
    self.validity = validity
    self.uid = uid
    self.mailbox = mailbox
  }

  /// Finds the key in a base name `<anything>.V<validity>U<uid>.<mailbox, 16 digits>[,<anything>]`.
  ///
  /// The date before the key and the sizes behind it are decoration: they may change, or be missing. Nil where there
  /// is no key, or one that ``baseName(date:key:size:wireSize:)`` would have written in another way.
  package init?(baseName: some Collection<UInt8>) {
    var cursor = Cursor(Array(baseName))
    _ = cursor.take { $0 != ASCII.dot && $0 != ASCII.comma }
    guard cursor.skip(ASCII.dot), cursor.skip(UInt8(ascii: "V")),
      let validity = Self.number(&cursor), cursor.skip(UInt8(ascii: "U")),
      let uid = Self.number(&cursor), cursor.skip(ASCII.dot),
      let mailbox = Self.mailbox(cursor.take { $0 != ASCII.comma })
    else { return nil }
    self.init(validity: validity, uid: uid, mailbox: mailbox)
  }

  /// The base name of a new file.
  ///
  /// - Parameters:
  ///   - date: in seconds since 1970; times before that count as 1970.
  ///   - key: the identity.
  ///   - size: of the file, in octets (Maildir++ and Dovecot: S).
  ///   - wireSize: of the message with CRLF line ends, in octets (Dovecot: W).
  /// - Returns: such as `1700000000.V17U5.0123456789abcdef,S=1234,W=1260`.
  package static func baseName(date: Int64, key: MessageKey, size: Int, wireSize: Int) -> [UInt8] {
    OwnName(
      date: max(0, date),
      key: key,
      size: UInt64(size),
      wireSize: UInt64(wireSize)
    ).withOctets { [UInt8]($0) }
  }

  /// The base name of a file that has only parts of its message, and keeps the name when it gets the others: without sizes.
  package static func baseName(date: Int64, key: MessageKey) -> [UInt8] {
    [UInt8](decimal: max(0, date)) + [ASCII.dot] + key.text
  }

  /// The key alone: `V17U5.0123456789abcdef`.
  package var text: [UInt8] {
    var text = [UInt8(ascii: "V")] + [UInt8](decimal: validity)
    text.append(UInt8(ascii: "U"))
    text += [UInt8](decimal: uid)
    text.append(ASCII.dot)
    text += Hex.digits(mailbox)
    return text
  }

  /// Reads a number as ``text`` writes it: not 0, and no 0 before it.
  private static func number(_ cursor: inout Cursor) -> UInt32? {
    guard cursor.peek != ASCII.zero, let number = cursor.decimal() else { return nil }
    return UInt32(exactly: number)
  }

  private static func mailbox(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard digits.count == 16, !digits.contains(where: { $0 &- 0x41 < 26 }) else { return nil }
    return Hex.value(digits)
  }
}
