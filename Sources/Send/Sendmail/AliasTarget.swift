internal import Octets

/// What stands behind a name in a file of aliases, or in a list that one includes.
struct AliasTarget: Hashable, Sendable {
  /// What is meant.
  enum Kind: Hashable, Sendable {
    /// Addresses, or a further name.
    case text([UInt8])
    /// The addresses and names in a file (`:include:`), by its path.
    case list([UInt8])
  }

  let kind: Kind

  /// Where it stands.
  let place: AliasPlace

  /// The targets in a text between commas; commands and other files are skipped.
  static func all(in text: ArraySlice<UInt8>, at place: AliasPlace) -> [AliasTarget] {
    split(text).compactMap { kind(of: unquoted(trimmed($0))) }.map {
      AliasTarget(kind: $0, place: place)
    }
  }

  /// The targets in a list: each of its lines is like what stands behind the colon of an alias.
  static func all(inList list: [UInt8], of path: [UInt8]) -> [AliasTarget] {
    list.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).enumerated()
      .flatMap { number, line in
        all(in: uncommented(line), at: AliasPlace(file: path, line: number + 1))
      }
  }

  private static func kind(of text: [UInt8]) -> Kind? {
    let mark: StaticString = ":include:"
    if text.startsCaseless(with: mark) {
      return .list([UInt8](trimmed(text.dropFirst(mark.utf8CodeUnitCount))))
    }
    guard let first = text.first, first != ASCII.slash, first != UInt8(ascii: "|"),
      first != ASCII.colon
    else { return nil }
    return .text(text)
  }
}

// The parts of a line.
extension AliasTarget {
  /// A line without its end and its comment.
  ///
  /// That begins with a `#` outside quotes, at the start or behind a blank or a comma; elsewhere `#` is a part of an address
  /// (RFC 5322 §3.2.3).
  static func uncommented(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isQuoted = false
    var mayBegin = true
    let end = line.firstIndex { octet in
      defer { mayBegin = ASCII.isBlank(octet) || octet == ASCII.comma }
      if octet == ASCII.quote { isQuoted.toggle() }
      return octet == ASCII.carriageReturn || octet == ASCII.hash && mayBegin && !isQuoted
    }
    return line[..<(end ?? line.endIndex)]
  }

  /// What stands between commas that are not in quotes.
  static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    return text.split { octet in
      if octet == ASCII.quote { isQuoted.toggle() }
      return octet == ASCII.comma && !isQuoted
    }
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: ASCII.isBlank)
    while let last = text.last, ASCII.isBlank(last) { text.removeLast() }
    return text
  }

  /// A text that is in quotes as a whole, without them.
  static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let isWhole =
      text.count > 1 && text.first == ASCII.quote && text.last == ASCII.quote
      && !text.dropFirst().dropLast().contains(ASCII.quote)
    return [UInt8](isWhole ? text.dropFirst().dropLast() : text)
  }
}
