internal import Octets

/// A line of `notmuch dump`: tags, and the message that has them.
///
///     +tag +other%20one -- id:a@x.test
///
/// Of several messages of one Message-ID, which are one to notmuch, a comment tells what each has:
///
///     #magnum 0123456789abcdef +tag -- id:a@x.test
package struct TagLine: Hashable, Sendable {
  /// The Message-ID, without its brackets.
  package let id: [UInt8]
  package let tags: [[UInt8]]
  /// The checksum of what the message says; nil where all messages of the Message-ID are meant.
  package let content: UInt64?

  package init(id: [UInt8], tags: [[UInt8]], content: UInt64? = nil) {
    (self.id, self.tags, self.content) = (id, tags, content)
  }

  private static let comment = [UInt8](ascii: "#magnum")

  /// The line before all others.
  package static let title = [UInt8](ascii: "#notmuch-dump batch-tag:3 tags\n")

  /// The line, with its end.
  package var octets: [UInt8] {
    var octets: [UInt8] = []
    if let content { octets = Self.comment + [ASCII.space] + Hex.digits(content) + [ASCII.space] }
    for tag in tags { octets += [ASCII.plus] + Self.escaped(tag) + [ASCII.space] }
    return octets + [UInt8](ascii: "-- id:") + Self.quoted(id) + [ASCII.lineFeed]
  }

  /// An id as a term of a query; what would end the line is percent-encoded.
  private static func quoted(_ id: [UInt8]) -> [UInt8] {
    let isPlain =
      id.first != ASCII.quote
      && !id.contains { $0 <= ASCII.space || $0 == ASCII.closeParenthesis || $0 == ASCII.delete }
    if isPlain { return id }
    if id.contains(where: { $0 < ASCII.space || $0 == ASCII.delete }) { return escaped(id) }
    return [ASCII.quote] + id.replacing([ASCII.quote], with: [ASCII.quote, ASCII.quote])
      + [ASCII.quote]
  }

  /// The id with what is percent-encoded in it decoded, as lines of earlier versions have it; nil for an id without.
  var decodedID: [UInt8]? {
    guard id.contains(ASCII.percent), let decoded = PercentEscape.unescape(id), decoded != id else {
      return nil
    }
    return decoded
  }

  /// What notmuch leaves as it is (`hex-escape.c`).
  static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { octet in
      !(ASCII.isLetter(octet) || ASCII.isDigit(octet)
        || [UInt8](ascii: "+-_@=.:,").contains(octet))
    }
  }

  /// What a line says; nil for an empty one and a comment.
  ///
  /// - Throws: that it is none of `notmuch dump`.
  package init?(_ line: some Collection<UInt8>) throws(TagLineError) {
    var rest = [UInt8](line)[...]
    var content: UInt64?
    var words: [[UInt8]] = []
    while let word = Self.word(&rest), word != Self.separator {
      words.append(word)
      if rest.isEmpty { break }
    }
    if words.first == Self.comment, words.count > 1, let number = Hex.value(words[1]) {
      content = number
      words.removeFirst(2)
    }
    let first = words.first ?? (rest.isEmpty ? nil : Self.separator)
    guard let first, first.first != UInt8(ascii: "#") else { return nil }
    guard let id = Self.id(rest) else { throw TagLineError() }
    var tags: [[UInt8]] = []
    for word in words {
      guard word.first == ASCII.plus, let tag = PercentEscape.unescape(word.dropFirst()),
        !tag.isEmpty
      else { throw TagLineError() }
      tags.append(tag)
    }
    self.init(id: id, tags: tags, content: content)
  }

  private static let separator: [UInt8] = [ASCII.minus, ASCII.minus]

  /// The next word of a line, without it; nil where there is none.
  static func word(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    rest = rest.drop { $0 <= ASCII.space }
    let word = rest.prefix { $0 > ASCII.space }
    rest = rest[word.endIndex...].drop { $0 <= ASCII.space }
    return word.isEmpty ? nil : [UInt8](word)
  }

  /// Whether a line is about a property of a message (`#=`) or a setting of the database, such as a named query (`#@`).
  package static func isOther(_ line: some Collection<UInt8>) -> Bool {
    line.starts(with: [UInt8](ascii: "#=")) || line.starts(with: [UInt8](ascii: "#@"))
  }

  /// The id that is all of a text: `id:x@y`, or in quotation marks.
  private static func id(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.starts(with: [UInt8](ascii: "id:")) else { return nil }
    var id = [UInt8](text.dropFirst(3))
    while let last = id.last, last <= ASCII.space { id.removeLast() }
    if id.count >= 2, id.first == ASCII.quote, id.last == ASCII.quote {
      id = [UInt8](id.dropFirst().dropLast())
        .replacing([ASCII.quote, ASCII.quote], with: [ASCII.quote])
    } else if id.contains(where: { $0 <= ASCII.space }) {
      return nil
    }
    return id.isEmpty ? nil : id
  }
}

/// A line that says nothing about tags.
package struct TagLineError: Error {}

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
