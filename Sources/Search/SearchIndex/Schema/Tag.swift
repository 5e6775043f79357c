internal import MailModel
internal import Octets

/// What can be said of a message in a word: one of those here, or a keyword.
package struct Tag: RawRepresentable, Hashable, Sendable, Comparable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// It has something to save.
  static let attachment = Tag(rawValue: "attachment")
  /// The user is still writing it (D).
  static let draft = Tag(rawValue: "draft")
  /// Only its receivers can read it.
  static let encrypted = Tag(rawValue: "encrypted")
  /// The user marked it (F).
  static let flagged = Tag(rawValue: "flagged")
  /// It lies in the inbox; not kept as a term, but known by the folder, or by a keyword where labels are tags.
  static let inbox = Tag(rawValue: "inbox")
  /// Its attachments are only on the server.
  static let partial = Tag(rawValue: "partial")
  /// It was passed on (P).
  static let passed = Tag(rawValue: "passed")
  /// It was answered (R).
  static let replied = Tag(rawValue: "replied")
  /// It is signed.
  static let signed = Tag(rawValue: "signed")
  /// It is to be removed (T).
  static let trashed = Tag(rawValue: "trashed")
  /// No copy of it was seen (S).
  package static let unread = Tag(rawValue: "unread")

  /// The words that queries know as tags without any message having them: those here, and what Maildir, IMAP and mu call
  /// the same.
  package static let known =
    own.map(\.rawValue) + ["seen", "read", "deleted", "forwarded", "answered", "attach", "*"]

  /// All that are no keywords.
  static let own: [Tag] = [
    .attachment, .draft, .encrypted, .flagged, .inbox, .partial, .passed, .replied, .signed,
    .trashed, .unread,
  ]

  package static func < (left: Tag, right: Tag) -> Bool { left.rawValue < right.rawValue }
}

/// A keyword that a folder's file of keywords gives to a message there.
struct Keyword: Hashable {
  /// The number of the folder.
  let folder: Int
  /// The keyword as the server spells it.
  let name: [UInt8]

  /// Longer ones are no tags: the library could not take them.
  private static let sizeLimit = 100

  /// - Returns: nil where the keyword is too long, or would be taken for a tag that says something else.
  init?(folder: Int, _ name: [UInt8]) {
    let small = String(decoding: name.map { ASCII.lowercased($0) }, as: UTF8.self)
    let isOwn = Tag.own.contains(Tag(rawValue: small)) && name != TagName.inbox
    guard name.count <= Self.sizeLimit, !isOwn else { return nil }
    self.folder = folder
    self.name = name
  }

  var tag: Tag { Tag(rawValue: String(decoding: name, as: UTF8.self)) }

  func write(to writer: inout OctetWriter) {
    writer.add(folder)
    writer.add(name)
  }

  /// The keyword that was written; nil where it is no tag.
  init?(_ reader: inout OctetReader) {
    self.init(folder: reader.count(), reader.text())
  }
}
