package import MailModel
internal import Octets

/// What a command does to messages.
package enum TriageVerb: Hashable, Sendable {
  case read, unread, flag, unflag
  case archive, delete, junk, notjunk
  /// Into the folder of that name, which may begin with that of another account.
  case move(String)
  /// A copy into the folder of that name, which may begin with that of another account.
  case copy(String)
  /// Out of Trash, for good.
  case expunge
  /// Other tags.
  case tag(TagEdit)
  /// Into the folder for snoozed messages.
  case snooze
  /// Out of the folder for snoozed messages, before their time.
  case unsnooze

  /// Whether it is about where messages lie, and so about one copy of each.
  package var isMoving: Bool {
    switch self {
    case .read, .unread, .flag, .unflag, .tag: false
    case .archive, .delete, .junk, .notjunk, .move, .copy, .expunge, .snooze, .unsnooze: true
    }
  }

  /// The flags that a message gets and loses.
  var marks: (on: SystemFlags, off: SystemFlags) {
    switch self {
    case .read: (.seen, [])
    case .unread: ([], .seen)
    case .flag: (.flagged, [])
    case .unflag: ([], .flagged)
    // There it is not to look as if it were on its way out.
    case .delete: ([], .deleted)
    case .tag(let edit): edit.marks
    case .snooze: (.seen, [])
    case .archive, .junk, .notjunk, .move, .copy, .expunge, .unsnooze: ([], [])
    }
  }

  /// What the folder is for to which messages go; nil where that is not said by a role.
  package var role: MailboxRole? {
    switch self {
    case .archive: .archive
    case .delete: .trash
    case .junk: .junk
    case .notjunk, .unsnooze: .inbox
    case .snooze: .snoozed
    case .tag(let edit): edit.move.map { $0 == .archive ? .archive : .inbox }
    case .read, .unread, .flag, .unflag, .move, .copy, .expunge: nil
    }
  }

  /// What the folder is for whose messages alone are meant; nil for any.
  var source: MailboxRole? {
    switch self {
    case .notjunk: .junk
    case .expunge: .trash
    case .unsnooze: .snoozed
    case .read, .unread, .flag, .unflag, .archive, .delete, .junk, .move, .copy, .tag, .snooze: nil
    }
  }

  /// The folder to which messages of an account go; nil where they go nowhere, or there is none.
  package func target(in folders: AccountFolders) throws(Explanation) -> [UInt8]? {
    switch self {
    case .read, .unread, .flag, .unflag, .expunge: nil
    case .tag: try role.flatMap { (role) throws(Explanation) in try folders.folder(for: role) }
    case .archive: try folders.folder(for: .archive)
    case .delete: try folders.folder(for: .trash)
    case .junk: try folders.folder(for: .junk)
    case .notjunk, .unsnooze: folders.inbox
    case .snooze: try folders.folder(for: .snoozed)
    case .move(let name), .copy(let name): try folders.existing([UInt8](name.utf8))
    }
  }

  /// What was done, before the number of messages.
  package var past: String { phrase.past + phrase.end }

  /// What is to be done to messages, as an order: `Archive 3 messages`.
  package func order(_ messages: String) -> String { "\(phrase.order) \(messages)\(phrase.end)" }

  private var phrase: (order: String, past: String, end: String) {
    switch self {
    case .read: ("Mark", "marked", " as read")
    case .unread: ("Mark", "marked", " as unread")
    case .flag: ("Flag", "flagged", "")
    case .unflag: ("Unflag", "no longer flagged", "")
    case .archive: ("Archive", "archived", "")
    case .delete: ("Move", "moved", " to Trash")
    case .junk: ("Move", "moved", " to Junk")
    case .notjunk: ("Move", "moved", " out of Junk")
    case .move(let name): ("Move", "moved", " to \(Printable.text(name.utf8, limit: 200))")
    case .copy(let name): ("Copy", "copied", " to \(Printable.text(name.utf8, limit: 200))")
    case .expunge: ("Delete", "deleted", " for good")
    case .tag: ("Tag", "tagged", "")
    case .snooze: ("Snooze", "snoozed", "")
    case .unsnooze: ("Move", "moved", " back to INBOX")
    }
  }

  /// The word of the command.
  package var word: String {
    switch self {
    case .read: "read"
    case .unread: "unread"
    case .flag: "flag"
    case .unflag: "unflag"
    case .archive: "archive"
    case .delete, .expunge: "delete"
    case .junk: "junk"
    case .notjunk: "notjunk"
    case .move: "move"
    case .copy: "copy"
    case .tag: "tag"
    case .snooze, .unsnooze: "snooze"
    }
  }
}
