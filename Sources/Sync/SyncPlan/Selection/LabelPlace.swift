package import MailModel
internal import Octets

/// A mailbox of a server with labels: what its messages have where labels are tags, and where it is mirrored.
package struct LabelPlace: Hashable, Sendable {
  /// What messages have that are in the mailbox.
  package enum Meaning: Hashable, Sendable {
    /// Nothing: it is that of all mail.
    case all
    case trash, junk
    /// The flag D.
    case drafts
    case tag([UInt8])
    /// Nothing that a tag stands for.
    case other
  }

  /// Its name here.
  package let levels: [[UInt8]]
  /// What its messages have.
  package let meaning: Meaning
  /// Its Maildir, relative to the root of the account; nil where it is not mirrored.
  package let directory: [UInt8]?

  package init(levels: [[UInt8]], meaning: Meaning, directory: [UInt8]?) {
    (self.levels, self.meaning, self.directory) = (levels, meaning, directory)
  }

  /// A mailbox of a list in which `all` is that of all mail; nil where none is.
  package init(_ mailbox: ServerMailbox, all: MailboxName?, directory: [UInt8]?) {
    self.init(
      levels: mailbox.path.components,
      meaning: Meaning(mailbox, all),
      directory: directory
    )
  }
}

extension LabelPlace.Meaning {
  fileprivate init(_ mailbox: ServerMailbox, _ all: MailboxName?) {
    switch mailbox.attributedRole {
    case _ where mailbox.name == all: self = .all
    case .all: self = .all
    case .trash: self = .trash
    case .junk: self = .junk
    case .drafts: self = .drafts
    default:
      guard let label = mailbox.label(besides: all),
        case .tag(let tag) = LabelMeaning(label: label)
      else {
        self = .other
        return
      }
      self = .tag(tag)
    }
  }
}

extension ServerMailbox {
  /// The label that the mailbox shows, as it is on the wire; nil where it shows none, as the others beside that of all mail.
  package func label(besides all: MailboxName?) -> [UInt8]? {
    if name.isInbox { return [UInt8](ascii: "\\Inbox") }
    switch attributedRole {
    case .important: return [UInt8](ascii: "\\Important")
    case .sent: return [UInt8](ascii: "\\Sent")
    case .drafts, .flagged, .snoozed, .all, .trash, .junk: return nil
    case .archive, .inbox, nil: return isBeside(all) ? nil : name.wire
    }
  }

  private func isBeside(_ all: MailboxName?) -> Bool {
    guard let all, let delimiter, let end = all.wire.lastIndex(of: delimiter) else { return false }
    return name.wire.starts(with: all.wire[...end])
  }
}
