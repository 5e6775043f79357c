internal import Octets

/// How far an index has come: what tells whether any message has changed since, and which have.
package struct IndexRevision: Hashable, Sendable {
  /// Which index this is, as 36 characters; an index that is made anew has another one.
  ///
  /// Revisions can be compared within one index only.
  package let uuid: String

  /// How many transactions have changed messages; each message has the number of the last that changed it.
  package let number: UInt64

  /// A random identifier (RFC 9562 §5.4) for a new index.
  static func newUUID() -> String {
    var digits = Array(
      Hex.digits(UInt64.random(in: 0...(.max))) + Hex.digits(UInt64.random(in: 0...(.max)))
    )
    digits[12] = UInt8(ascii: "4")
    digits[16] = UInt8(ascii: "a")
    let text = String(decoding: digits, as: UTF8.self)
    var rest = text[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}
