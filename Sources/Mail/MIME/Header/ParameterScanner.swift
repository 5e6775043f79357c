internal import Octets

/// Reads `; name=value` pairs one after the other, tolerating what is between them.
struct ParameterScanner {
  private let whole: ArraySlice<UInt8>
  private var cursor: Cursor

  init(_ text: ArraySlice<UInt8>) {
    whole = text
    cursor = Cursor(text)
  }

  /// The next pair, its name in small letters; `nil` at the end.
  mutating func next() -> (name: [UInt8], value: [UInt8])? {
    while !cursor.isAtEnd {
      skipFiller()
      let name = cursor.take { !ParameterScanner.isEnd($0) && $0 != ASCII.equals }
      skipWhiteAndComments()
      if cursor.skip(ASCII.equals) {
        let value = value()
        if !name.isEmpty { return (name.map { ASCII.lowercased($0) }, value) }
      } else if name.isEmpty {
        _ = cursor.next()
      }
    }
    return nil
  }

  /// A token up to white space or one of `; , = (`.
  mutating func token() -> ArraySlice<UInt8> {
    skipFiller()
    return cursor.take { !ParameterScanner.isEnd($0) && $0 != ASCII.equals }
  }

  /// What was not read yet.
  var rest: ArraySlice<UInt8> { cursor.remaining }

  private mutating func value() -> [UInt8] {
    skipWhiteAndComments()
    if cursor.skip(ASCII.quote) { return quoted() }
    return [UInt8](withoutComment(trimmed(bare())))
  }

  /// A value without quotes: up to a semicolon, or where the next parameter begins behind a blank.
  private mutating func bare() -> ArraySlice<UInt8> {
    let start = cursor.remaining.startIndex
    while true {
      let piece = cursor.take { $0 != ASCII.semicolon && $0 != ASCII.quote && $0 != ASCII.equals }
      guard cursor.peek == ASCII.equals else { return whole[start..<piece.endIndex] }
      if let name = nameBegun(at: piece, start) {
        cursor = Cursor(whole[name...])
        return whole[start..<name]
      }
      _ = cursor.next()
    }
  }

  /// Where the name begins that ends the piece before an `=`; `nil` when none does.
  private func nameBegun(at piece: ArraySlice<UInt8>, _ start: Int) -> Int? {
    // `=?` begins an encoded word.
    if cursor.remaining.dropFirst().first == ASCII.questionMark { return nil }
    guard let space = piece.lastIndex(where: { ASCII.isBlank($0) }), space > start,
      space + 1 < piece.endIndex
    else { return nil }
    return space + 1
  }

  private func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value
    while let last = value.last, ASCII.isBlank(last) { value.removeLast() }
    return value
  }

  private func withoutComment(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard value.last == ASCII.closeParenthesis,
      let open = value.firstIndex(of: ASCII.openParenthesis), open > value.startIndex,
      ASCII.isBlank(value[open - 1])
    else { return value }
    return trimmed(value[..<open])
  }

  private mutating func quoted() -> [UInt8] {
    var result: [UInt8] = []
    while let octet = cursor.next() {
      if octet == ASCII.quote { return result }
      guard octet == ASCII.backslash, let next = cursor.peek else {
        result.append(octet)
        continue
      }
      // Paths of Windows are written without escapes: only quotes and backslashes are escaped.
      if next == ASCII.quote || next == ASCII.backslash {
        result.append(next)
        _ = cursor.next()
      } else {
        result.append(octet)
      }
    }
    return result
  }

  private mutating func skipFiller() {
    while let octet = cursor.peek {
      if octet == ASCII.openParenthesis {
        skipComment()
      } else if ParameterScanner.isEnd(octet) || octet == ASCII.closeParenthesis
        || octet == ASCII.quote
      {
        _ = cursor.next()
      } else {
        return
      }
    }
  }

  private mutating func skipWhite() {
    _ = cursor.take { ASCII.isBlank($0) }
  }

  private mutating func skipWhiteAndComments() {
    skipWhite()
    while cursor.peek == ASCII.openParenthesis {
      skipComment()
      skipWhite()
    }
  }

  private mutating func skipComment() {
    var depth = 0
    while let octet = cursor.next() {
      switch octet {
      case ASCII.openParenthesis: depth += 1
      case ASCII.closeParenthesis: depth -= 1
      case ASCII.backslash: _ = cursor.next()
      default: break
      }
      if depth == 0 { return }
    }
  }

  private static func isEnd(_ octet: UInt8) -> Bool {
    ASCII.isBlank(octet) || octet == ASCII.semicolon || octet == ASCII.comma
      || octet == ASCII.openParenthesis || octet == ASCII.quote
  }
}
