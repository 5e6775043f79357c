internal import Octets

/// Text whose paragraphs are cut into lines that end with a space (RFC 3676).
enum FlowedText {
  /// The text with its paragraphs in one line each, quote marks kept before every paragraph.
  ///
  /// - Parameters:
  ///   - text: UTF-8 with LF line ends.
  ///   - deletesSpace: Whether the space before a soft line end goes, `DelSp=yes`.
  /// - Returns: UTF-8 with LF line ends.
  static func unflow(_ text: [UInt8], deletesSpace: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var openDepth: Int?
    for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      let depth = line.prefix { $0 == ASCII.greaterThan }.count
      var content = line.dropFirst(depth)
      if content.first == ASCII.space { content = content.dropFirst() }
      let isSignature = content.elementsEqual([ASCII.minus, ASCII.minus, ASCII.space])
      if openDepth != depth || isSignature {
        if openDepth != nil { result.append(ASCII.lineFeed) }
        appendMark(depth, to: &result)
      }
      let isOpen = content.last == ASCII.space && !isSignature
      result += isOpen && deletesSpace ? content.dropLast() : content
      if !isOpen { result.append(ASCII.lineFeed) }
      openDepth = isOpen ? depth : nil
    }
    if openDepth == nil, result.last == ASCII.lineFeed { result.removeLast() }
    return result
  }

  private static func appendMark(_ depth: Int, to result: inout [UInt8]) {
    guard depth > 0 else { return }
    result += [UInt8](repeating: ASCII.greaterThan, count: depth)
    result.append(ASCII.space)
  }
}
