internal import Octets

/// One field of a header, kept as it was received (RFC 5322 §2.2).
package struct HeaderField: Sendable, Hashable {
  /// The field with its name, colon, folded lines and final line end.
  ///
  /// The fields of a header, joined, are its octets.
  package let raw: ArraySlice<UInt8>

  private let nameLength: Int32
  private let bodyOffset: Int32

  /// A field of those octets; `nameLength` is 0 for a line that is no field.
  init(raw: ArraySlice<UInt8>, nameLength: Int, bodyOffset: Int) {
    self.raw = raw
    self.nameLength = Int32(clamping: nameLength)
    self.bodyOffset = Int32(clamping: bodyOffset)
  }

  /// The name as it was written.
  ///
  /// Empty for a line that is no field: an mbox `From ` line, or rubbish between fields.
  package var name: ArraySlice<UInt8> {
    raw.prefix(Int(nameLength))
  }

  /// What follows the colon, without the final line end, folds kept.
  package var rawBody: ArraySlice<UInt8> {
    var body = raw.dropFirst(Int(bodyOffset))
    if body.last == ASCII.lineFeed { body.removeLast() }
    if body.last == ASCII.carriageReturn { body.removeLast() }
    return body
  }

  /// The value in one line: folds undone, white space around it cut, line ends, NUL and other
  /// controls within it turned into spaces (RFC 5322 §2.2.3).
  package var body: [UInt8] {
    HeaderField.unfold(rawBody)
  }

  /// The value for people, as UTF-8: encoded words decoded, octets above 127 understood as UTF-8,
  /// else as windows-1252 (RFC 2047, RFC 6532).
  package func text(_ decoder: CharsetDecoder) -> [UInt8] {
    EncodedWord.decode(body[...], decoder)
  }

  /// Whether the field has that name; letters in either case are equal.
  package func isNamed(_ name: StaticString) -> Bool {
    Int(nameLength) == name.utf8CodeUnitCount && self.name.equalsCaseless(name)
  }

  static func unfold(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    for octet in raw {
      switch octet {
      case ASCII.carriageReturn, ASCII.lineFeed: continue
      case _ where ASCII.isControl(octet): result.append(ASCII.space)
      default: result.append(octet)
      }
    }
    let start = result.firstIndex { $0 != ASCII.space } ?? result.endIndex
    let end = result.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? start
    return start == 0 && end == result.count ? result : [UInt8](result[start..<end])
  }
}
