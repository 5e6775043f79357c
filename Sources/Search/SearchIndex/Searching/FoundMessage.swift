package import Maildir
internal import MIME
internal import Octets
package import Platform
internal import SyncState
package import Threads

/// A message that was found, or one of its thread.
package struct FoundMessage: Sendable {
  /// Its Message-ID, without angle brackets.
  package let id: [UInt8]

  package let thread: ThreadID

  /// When it was written, in seconds since 1970.
  package let date: Int64

  /// Octets of its file.
  package let size: UInt64

  /// Its subject, as UTF-8.
  package let subject: [UInt8]

  /// Its authors.
  package let from: [Person]

  /// Its receivers.
  package let to: [Person]

  /// Those who were sent a copy, openly or not.
  package let cc: [Person]

  /// The beginning of what its author wrote, about 120 octets in one line.
  package let snippet: [UInt8]

  /// What can be said of it in a word, sorted.
  package var tags: [Tag]

  /// Its files: several where it lies in several folders.
  package var files: [FoundFile]

  /// Where it lies on other machines.
  package var copies: [ArchivedCopy] = []

  /// Whether the query found it.
  package var isMatch: Bool

  /// What threading knows of it.
  package let member: ThreadMember

  /// A checksum of what it says: copies have the same one.
  package let content: UInt64

  package init(
    id: [UInt8],
    thread: ThreadID,
    date: Int64,
    size: UInt64,
    subject: [UInt8],
    from: [Person],
    to: [Person],
    cc: [Person],
    snippet: [UInt8],
    tags: [Tag],
    files: [FoundFile],
    copies: [ArchivedCopy] = [],
    isMatch: Bool,
    member: ThreadMember,
    content: UInt64
  ) {
    self.id = id
    self.thread = thread
    self.date = date
    self.size = size
    self.subject = subject
    self.from = from
    self.to = to
    self.cc = cc
    self.snippet = snippet
    self.tags = tags
    self.files = files
    self.copies = copies
    self.isMatch = isMatch
    self.member = member
    self.content = content
  }

  /// A hash that only its copies share, except for a collision once in a billion mailboxes.
  package var identity: UInt64 {
    var hash = Hash64()
    hash.update(content)
    hash.update(id)
    return hash.value
  }

  /// Whether it has one of some tags, whatever the case of their letters.
  package func hasTag(_ names: [[UInt8]]) -> Bool {
    names.contains { name in
      tags.contains { Array($0.rawValue.utf8).equalsCaseless(name) }
    }
  }
}

// A message may lie in several places, in some of them without its attachments.
extension FoundMessage {
  /// The present path of the first file that has all attachments.
  ///
  /// That of the first file where none has them all; nil where all files are gone.
  package func currentPath() -> Path? {
    let paths = files.lazy.compactMap { $0.currentPath() }
    let whole = files.count > 1 ? paths.first { Self.isWhole($0) } : nil
    return whole ?? paths.first
  }

  /// Whether octets of it, as an archive has them, are those of a partial file: what the machine of the archive found sealed.
  package func isPartial(_ octets: [UInt8]) -> Bool {
    tags.contains(.partial) && !PartialDetector.marks(in: octets).isEmpty
  }

  private static func isWhole(_ file: Path) -> Bool {
    (try? PartialFiles(above: file).finding(file: file)) == .whole
  }
}

/// What messages are put in order by, in every index alike: their dates, and of the same second their ids.
struct MessageMoment: Hashable, Comparable {
  let date: Int64
  let key: LinkKey

  static func < (left: MessageMoment, right: MessageMoment) -> Bool {
    (left.date, left.key) < (right.date, right.key)
  }
}

extension MessageMoment {
  init(_ message: FoundMessage) {
    self.init(date: message.date, key: message.member.id)
  }
}

/// A file of a message in an archive on another machine: where it lies there is not told.
package struct ArchivedCopy: Hashable, Sendable {
  package let archive: String
  /// The folder as people know it there.
  package let folder: [UInt8]

  package init(archive: String, folder: [UInt8]) {
    self.archive = archive
    self.folder = folder
  }
}

/// A file of a message that was found.
package struct FoundFile: Hashable, Sendable {
  /// The Maildir that holds it.
  package let maildir: Path

  /// The folder as people know it: `INBOX`, `Lists/swift`.
  package let folder: [UInt8]

  /// The file as the index knows it.
  package let file: ScannedFile

  /// Its path as the index knows it.
  package var path: Path { file.path(in: maildir) }

  /// Its path now: other programs change flags, and the index learns of it later.
  ///
  /// - Returns: nil where it is gone.
  package func currentPath() -> Path? {
    (try? CurrentPath.find(path)) ?? nil
  }
}
