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
  /// The tags that it has.
  package let tags: [[UInt8]]
  /// The checksum of what the message says; nil where all messages of the Message-ID are meant.
  package let content: UInt64?

  /// A line of these parts.
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
    return octets + [UInt8](ascii: "-- id:") + Self.escaped(id) + [ASCII.lineFeed]
  }

  /// What notmuch leaves as it is (`hex-escape.c`).
  private static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { octet in
      !(ASCII.isLetter(octet) || ASCII.isDigit(octet)
        || [UInt8](ascii: "+-_@=.:,").contains(octet))
    }
  }

  /// What a line says; nil for an empty one and a comment.
  ///
  /// - Throws: that it is none of `notmuch dump`.
  package init?(_ line: some Collection<UInt8>) throws(TagLineError) {
    var words = line.split { $0 <= ASCII.space }.map { [UInt8]($0) }
    var content: UInt64?
    if words.first == Self.comment, words.count > 1, let number = Hex.value(words[1]) {
      content = number
      words.removeFirst(2)
    }
    guard let first = words.first, first.first != UInt8(ascii: "#") else { return nil }
    guard let separator = words.firstIndex(of: [ASCII.minus, ASCII.minus]),
      words.count == separator + 2, let id = Self.id(words[separator + 1])
    else { throw TagLineError() }
    var tags: [[UInt8]] = []
    for word in words[..<separator] {
      guard word.first == ASCII.plus, let tag = PercentEscape.unescape(word.dropFirst()),
        !tag.isEmpty
      else { throw TagLineError() }
      tags.append(tag)
    }
    self.init(id: id, tags: tags, content: content)
  }

  /// Whether a line is about a property of a message (`#=`) or a setting of the database, such as a named query (`#@`).
  package static func isOther(_ line: some Collection<UInt8>) -> Bool {
    line.starts(with: [UInt8](ascii: "#=")) || line.starts(with: [UInt8](ascii: "#@"))
  }

  private static func id(_ word: [UInt8]) -> [UInt8]? {
    guard word.starts(with: [UInt8](ascii: "id:")),
      var id = PercentEscape.unescape(word.dropFirst(3))
    else { return nil }
    if id.count >= 2, id.first == ASCII.quote, id.last == ASCII.quote {
      id = [UInt8](id.dropFirst().dropLast())
        .replacing([ASCII.quote, ASCII.quote], with: [ASCII.quote])
    }
    return id.isEmpty ? nil : id
  }
}

/// A line that says nothing about tags.
package struct TagLineError: Error {}
