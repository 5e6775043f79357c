/// Where a text in UTF-8 is cut that is too long.
package enum LineCut {
  /// How much of a text is at most so long: whole lines, or, where the first one is longer, whole characters of it.
  ///
  /// At least one octet of a text that has any, so that cutting it into pieces ends.
  package static func end(of text: ArraySlice<UInt8>, within size: Int) -> Int {
    guard text.count > size else { return text.count }
    let piece = text.prefix(size)
    if let line = piece.lastIndex(of: ASCII.lineFeed) { return line + 1 - text.startIndex }
    var end = piece.endIndex
    while end > piece.startIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
    return max(1, end - text.startIndex)
  }
}
