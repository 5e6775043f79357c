internal import Octets
package import Platform
package import Query
package import SearchIndex

/// Where the sent mail of an account is: all messages of a folder, or, where labels are tags, those of all mail that have a tag.
package struct SentMail: Hashable, Sendable {
  /// Its Maildir.
  package let maildir: Path
  /// The folder by the name that searches know it by.
  private let folder: [UInt8]
  /// What sent messages have there; nil where all were sent.
  private let tag: [UInt8]?

  /// The tag that sent messages have where labels are tags; only the server sets it.
  package static let tag = [UInt8](ascii: "sent")

  /// - Parameters:
  ///   - maildir: its Maildir.
  ///   - folder: the folder by the name that searches know it by.
  ///   - isTagged: whether a tag distinguishes sent messages from others there.
  package init(maildir: Path, folder: [UInt8], isTagged: Bool) {
    (self.maildir, self.folder, tag) = (maildir, folder, isTagged ? Self.tag : nil)
  }

  /// Finds the messages that have a copy there, and the tag.
  package var query: Query {
    let place = Query.exact(.folder, folder)
    return tag.map { .and([place, .exact(.tag, $0)]) } ?? place
  }

  /// Whether a file in the folder is of a sent message, by the tags of the message.
  package func holdsSent(_ tags: [[UInt8]]) -> Bool {
    tag.map { tag in tags.contains { $0.equalsCaseless(tag) } } ?? true
  }

  /// Whether a file of a message is there, and the message was sent.
  package func holds(_ file: FoundFile, of message: FoundMessage) -> Bool {
    file.maildir == maildir && (tag.map { message.hasTag([$0]) } ?? true)
  }
}
