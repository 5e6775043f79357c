internal import MailModel
internal import Octets

/// A line of what gpg and gpgsm list with `--with-colons` (doc/DETAILS of GnuPG).
struct ColonRecord {
  private let fields: [ArraySlice<UInt8>]

  /// The lines of a listing.
  static func records(in listing: [UInt8]) -> [ColonRecord] {
    listing.split(separator: ASCII.lineFeed).map { line in
      ColonRecord(fields: line.split(separator: ASCII.colon, omittingEmptySubsequences: false))
    }
  }

  /// Whether it is of that type.
  func `is`(_ name: StaticString) -> Bool {
    fields.first?.elementsEqual([UInt8](ascii: name)) == true
  }

  /// Whether it begins a key.
  var beginsKey: Bool { self.is("pub") || self.is("crt") || self.is("sec") || self.is("crs") }

  /// Whether it begins a key below the one before it.
  var beginsSubkey: Bool { self.is("sub") || self.is("ssb") }

  /// A field, counted from 1; empty where it is missing.
  subscript(number: Int) -> ArraySlice<UInt8> {
    fields.count >= number ? fields[number - 1] : []
  }

  /// What calculated validity says: `f` and `u` that it is certified.
  var validity: UInt8? { self[2].first }

  var isCertified: Bool { validity == UInt8(ascii: "f") || validity == UInt8(ascii: "u") }

  /// The user id, its escapes undone: colons and controls are written `\xNN`.
  var userID: [UInt8] {
    var result: [UInt8] = []
    var rest = self[10]
    while let octet = rest.popFirst() {
      guard octet == ASCII.backslash, rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let value = Hex.decode(rest.dropFirst().prefix(2))?.first
      else {
        result.append(octet)
        continue
      }
      result.append(value)
      rest = rest.dropFirst(3)
    }
    return result
  }
}

/// A moment as gpg and gpgsm write it: in seconds, or as `20261201T101317`.
enum ToolTime {
  /// Seconds since 1970; nil for none, which 0 stands for too.
  static func seconds(_ word: ArraySlice<UInt8>) -> Int64? {
    if let t = word.firstIndex(of: UInt8(ascii: "T")) {
      guard let day = number(word[..<t]), let clock = number(word[(t + 1)...]) else { return nil }
      let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100)
      let seconds = clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100
      return Int64(date.days * 86_400 + seconds)
    }
    return number(word).flatMap { $0 > 0 ? Int64($0) : nil }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var cursor = Cursor(digits)
    guard digits.count < 16, let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Int(number)
  }
}
