internal import Octets

/// Names of tags.
package enum TagName {
  /// The tag of what lies in the inbox.
  package static let inbox = [UInt8](ascii: "inbox")

  /// Longer ones no index takes.
  private static let sizeLimit = 100

  /// The words that say something else of a message than that a person gave it this tag, in small letters.
  private static let reserved: Set<[UInt8]> = {
    let words: [StaticString] = [
      "attachment", "draft", "encrypted", "flagged", "inbox", "partial", "passed", "replied",
      "signed", "trash", "trashed", "unread", "seen", "read", "deleted", "forwarded", "answered",
      "attach", "spam", "sent", "important", "muted",
    ]
    return Set(words.map { [UInt8](ascii: $0) })
  }()

  /// Whether the name, in small letters, means something else than what a person calls by it.
  static func isReserved(_ name: [UInt8]) -> Bool { reserved.contains(name) }

  /// Whether a message can have such a tag.
  package static func isOne(_ tag: [UInt8]) -> Bool {
    !tag.isEmpty && tag.count <= sizeLimit && tag != [ASCII.asterisk]
      && tag.first != ASCII.minus && tag.first != ASCII.plus && tag.first != ASCII.backslash
      && !tag.contains { ASCII.isControl($0) } && String(validating: tag, as: UTF8.self) != nil
  }
}
