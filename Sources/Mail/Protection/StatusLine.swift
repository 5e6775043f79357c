internal import Octets

/// A line that gpg or gpgsm writes for programs (doc/DETAILS of GnuPG): `[GNUPG:] KEYWORD ARGUMENTS`.
struct StatusLine: Hashable {
  let keyword: [UInt8]
  /// The words behind the keyword, each as it was written.
  let words: [ArraySlice<UInt8>]

  private static let mark = [UInt8](ascii: "[GNUPG:] ")

  /// The lines of an output.
  ///
  /// - Returns: nil where it is not such lines alone, each with its end: then it says nothing.
  static func lines(of octets: [UInt8]) -> [StatusLine]? {
    guard octets.last ?? ASCII.lineFeed == ASCII.lineFeed else { return nil }
    var lines: [StatusLine] = []
    for line in octets.split(separator: ASCII.lineFeed) {
      guard line.starts(with: mark), let parsed = StatusLine(line.dropFirst(mark.count)) else {
        return nil
      }
      lines.append(parsed)
    }
    return lines
  }

  private init?(_ text: ArraySlice<UInt8>) {
    var text = text
    if text.last == ASCII.carriageReturn { text.removeLast() }
    keyword = [UInt8](text.prefix { $0 != ASCII.space })
    guard !keyword.isEmpty,
      keyword.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.underscore
      })
    else { return nil }
    words = text.dropFirst(keyword.count + 1).split(separator: ASCII.space)
  }

  func `is`(_ name: StaticString) -> Bool { keyword.elementsEqual([UInt8](ascii: name)) }

  /// The word of that place, from 0; nil where there is none.
  func word(_ place: Int) -> ArraySlice<UInt8>? {
    words.indices.contains(place) ? words[place] : nil
  }

  /// The number that the word of that place is; nil where it is none.
  func number(_ place: Int) -> UInt64? {
    guard let word = word(place) else { return nil }
    var cursor = Cursor(word)
    let number = cursor.decimal()
    return cursor.isAtEnd ? number : nil
  }

  /// Whether it says that there was no way to ask for the passphrase, or no answer: GPG_ERR_CANCELED, GPG_ERR_FULLY_CANCELED,
  /// GPG_ERR_NO_PIN_ENTRY.
  var isCancellation: Bool {
    if self.is("CANCELED_BY_USER") { return true }
    guard self.is("ERROR") || self.is("FAILURE"), let code = number(1) else { return false }
    return [99, 198, 86].contains(code & 0xFFFF)
  }
}

/// The number of a key or of its certificate in hexadecimal digits, as gpg and gpgsm print it.
package struct KeyNumber: Sendable, Hashable {
  /// 16 to 64 digits, letters large.
  package let digits: [UInt8]

  /// The number that a text is; nil for a text of anything but so many digits: it goes into arguments of programs.
  package init?(_ text: some Collection<UInt8>) {
    guard (16...64).contains(text.count), text.allSatisfy({ Hex.nibble($0) != nil }) else {
      return nil
    }
    digits = text.map { ASCII.uppercased($0) }
  }

  /// Whether it is a whole fingerprint, and not the end of one.
  package var isFingerprint: Bool { digits.count >= 32 }

  /// Whether it is the end of another number, or the same.
  func isEnd(of other: KeyNumber) -> Bool { other.digits.suffix(digits.count) == digits[...] }

  /// The last 16 digits.
  package var short: [UInt8] { [UInt8](digits.suffix(16)) }
}
