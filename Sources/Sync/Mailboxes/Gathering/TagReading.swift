internal import MailModel
internal import MailStore
package import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// What people did to the tags of messages in mailboxes that are seen together, and the server is still to be told of.
struct TagReading {
  private let context: MailboxContext
  private let group: [OpenMailbox]

  /// Of mailboxes that are planned together.
  init(_ context: MailboxContext, _ group: [OpenMailbox]) {
    self.context = context
    self.group = group
  }

  /// Whether the server is still to be told of tags in a folder.
  static func isPending(in maildir: Path) -> Bool {
    guard let status = try? FileSystem.status(TagFile.path(in: maildir)), status.size > 0 else {
      return false
    }
    return (try? TagFile.of(maildir))?.isPending ?? false
  }

  private func isWanted(_ mailbox: OpenMailbox) -> Bool {
    context.isWriting(in: mailbox.mailbox) || !context.policy(of: mailbox.mailbox).pushes
  }

  /// What the server is still to be told of, by mailbox and the base names of files: wherever a file was moved to, its tags
  /// are those of its base name.
  func read() -> [UInt64: [[UInt8]: KeywordChange]] {
    var all: [[UInt8]: KeywordChange] = [:]
    for mailbox in group where isWanted(mailbox) {
      for (base, tags) in mailbox.tagFile?.tags ?? [:] where tags.isPending {
        all[base] = KeywordChange(adding: tags.added, removing: tags.removed)
      }
    }
    guard !all.isEmpty else { return [:] }
    // Those of a mailbox that is only pulled are blocked.
    var changes: [UInt64: [[UInt8]: KeywordChange]] = [:]
    for mailbox in group {
      let kept = mailbox.remote.keptFlags
      changes[mailbox.mailbox.id] = all.mapValues { change in
        KeywordChange(adding: change.adding.filter(kept.keeps), removing: change.removing)
      }
    }
    return changes
  }
}

extension OpenMailbox {
  /// The tags of its folder; nil where nothing is on record of any.
  package var tagFile: TagFile? {
    guard let status = try? FileSystem.status(TagFile.path(in: directory)),
      status.size > 0
    else { return nil }
    return try? TagFile.of(directory)
  }
}
