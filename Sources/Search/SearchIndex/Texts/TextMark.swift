internal import Octets

/// A filter as an index knows it: which messages have something for it, and whether its texts are in.
package struct TextMark: Hashable, Sendable {
  /// The type of the parts, in small letters: `application/pdf`, or `application` for all of that main type.
  let type: [UInt8]
  /// What tells it from all other filters.
  let key: UInt64

  /// A filter for parts of that type; another key for each other filter.
  package init(type: [UInt8], key: UInt64) {
    self.type = type
    self.key = key
  }

  /// The term of messages that have a part for it.
  var wanting: [UInt8] { Schema.term(Schema.Prefix.type, type) }

  /// The term of messages whose texts of it are in.
  var done: [UInt8] { [Schema.Prefix.filter] + Schema.octets(key) }
}
