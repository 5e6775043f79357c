internal import Octets

/// A line of `notmuch tag --batch`: changes of tags, and a query for the messages.
///
///     +tag -other%20one -- subject:invoice and from:shop
package struct TagBatchLine: Hashable, Sendable {
  /// The tags with their signs, decoded.
  package let words: [String]
  /// The query, as it stands in the line.
  package let query: String

  /// What a line says; nil for an empty one and a comment.
  ///
  /// - Parameters:
  ///   - line: its octets, without the end.
  ///   - mayLackTags: whether a query alone is enough.
  /// - Throws: that it names no tag or no message, or is not UTF-8.
  package init?(
    _ line: some Collection<UInt8>,
    mayLackTags: Bool = false
  ) throws(TagLineError) {
    var rest = [UInt8](line)[...]
    var words: [String] = []
    rest = rest.drop { $0 <= ASCII.space }
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    while true {
      let before = rest
      guard let word = TagLine.word(&rest), word != [ASCII.minus, ASCII.minus] else { break }
      guard word.count > 1, word.first == ASCII.plus || word.first == ASCII.minus else {
        rest = before
        break
      }
      guard let decoded = PercentEscape.unescape(word),
        let text = String(validating: decoded, as: UTF8.self)
      else { throw TagLineError() }
      words.append(text)
    }
    while let last = rest.last, last <= ASCII.space { rest.removeLast() }
    guard !rest.isEmpty, mayLackTags || !words.isEmpty,
      let query = String(validating: rest, as: UTF8.self)
    else { throw TagLineError() }
    (self.words, self.query) = (words, query)
  }
}
