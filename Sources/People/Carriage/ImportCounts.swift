package import MailModel
package import Mbox
package import Platform

/// What an import is asked to do.
package struct MailImportOptions: Sendable {
  /// The rules of the mbox.
  package var kind = MboxKind.auto
  /// Whether fields of other programs stay in the messages.
  package var keepsFields = false
  /// Whether a message is unread that says nothing of it.
  package var isUnread = false
  /// Whether deleted messages come too.
  package var includesDeleted = false
  /// What labels of Gmail say.
  package var labels = GmailLabels()
  /// Whether messages in Trash and Spam come too, where labels tell the folders.
  package var includesJunk = false
  /// Whether messages come that are there.
  package var again = false
  /// Tags for all messages.
  package var tags: [[UInt8]] = []
  /// Flags that all messages get and lose.
  package var marks: (on: SystemFlags, off: SystemFlags) = ([], [])
  package var isDryRun = false

  /// Those of a command without options.
  package init() {}
}

/// What became of a message, or of what should be one.
package enum ImportState: Hashable, Sendable {
  case added(folder: [UInt8], path: Path?)
  case there
  /// It was deleted where it comes from.
  case deleted
  case left(ImportFlaw)
}

/// A message of a source, and what became of it.
package struct ImportEvent: Sendable {
  package let source: Path
  /// Octets from the beginning of the source; nil where the source is the message.
  package let offset: Int?
  /// Its Message-ID without brackets; nil where it has none.
  package let id: [UInt8]?
  package let state: ImportState
}

/// How many messages an import has read, and what became of them; the last four add up to the first.
package struct ImportCounts: Sendable {
  package private(set) var read = 0
  package private(set) var added = 0
  package private(set) var there = 0
  package private(set) var deleted = 0
  package private(set) var left = 0
  /// Octets of the messages that were added, as they go over the wire.
  package private(set) var octets: UInt64 = 0
  /// Lines with the form of a separator that are text.
  package var lookalikes = 0
  /// Tags of messages that are not set, since no message can have them; and one of them.
  package private(set) var refusedTags: (count: Int, example: [UInt8]) = (0, [])
  /// Messages that were added and put together from several files.
  package internal(set) var joined = 0
  /// Labels of people that messages had, in their order; no more than ``labelLimit``.
  package private(set) var labels: [[UInt8]] = []
  private var knownLabels: Set<[UInt8]> = []
  /// So many labels are kept.
  package static let labelLimit = 1000
  /// Whether it was ended before all was read.
  package var isInterrupted = false

  mutating func add(labels found: [[UInt8]]) {
    for label in found where labels.count < Self.labelLimit {
      if knownLabels.insert(label).inserted { labels.append(label) }
    }
  }

  mutating func addRefused(_ tags: [[UInt8]]) {
    guard let last = tags.last else { return }
    refusedTags = (refusedTags.count + tags.count, last)
  }

  mutating func add(_ state: ImportState, size: UInt64) {
    read += 1
    switch state {
    case .added:
      added += 1
      octets += size
    case .there: there += 1
    case .deleted: deleted += 1
    case .left: left += 1
    }
  }
}
