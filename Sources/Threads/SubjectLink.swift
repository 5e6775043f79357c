internal import Octets

/// A subject as it links messages that have nothing else to be linked by.
package struct SubjectLink: Hashable, Sendable {
  /// The key of the subject without marks, in small letters, white space made equal.
  package let key: LinkKey

  /// Whether the subject has a mark of an answer or of passing on, such as `Re:`.
  package let isReply: Bool

  /// A link from what an index keeps of it.
  package init(key: LinkKey, isReply: Bool) {
    self.key = key
    self.isReply = isReply
  }

  /// The link of a subject (UTF-8); nil where nothing is left of it without its marks.
  package init?(_ subject: [UInt8]) {
    let base = SubjectBase(subject)
    guard !base.text.isEmpty else { return nil }
    let folded = String(decoding: base.text, as: UTF8.self).lowercased()
    key = LinkKey(id: folded.utf8)
    isReply = base.isReply
  }
}
