internal import Octets

/// The validity of the UIDs in the names of a Maildir that mbsync keeps: its file `.uidvalidity`.
///
/// Two lines, the validity and the highest UID given away. mbsync makes both up itself, they are not the server's.
struct MbsyncValidity: Hashable {
  /// The validity, never 0.
  let validity: UInt32
  /// The highest UID that a file was given; 0 when none was.
  let highestUID: UInt32

  /// Reads the octets of the file; nil when they are something else or were cut short.
  init?(_ octets: [UInt8]) {
    var cursor = Cursor(octets)
    guard let validity = Self.number(&cursor), let highestUID = Self.number(&cursor),
      cursor.isAtEnd, validity != 0
    else { return nil }
    self.validity = validity
    self.highestUID = highestUID
  }

  private static func number(_ cursor: inout Cursor) -> UInt32? {
    guard let number = cursor.decimal(), cursor.skip(ASCII.lineFeed) else { return nil }
    return UInt32(exactly: number)
  }
}
