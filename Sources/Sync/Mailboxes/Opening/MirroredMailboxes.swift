internal import Configuration
internal import Folders
internal import Maildir
package import MailModel
package import MailStore
internal import Platform
package import SyncPlan
package import SyncState

/// The mailboxes of an account that take part in a run, with what the server and the last run said of them.
package struct MirroredMailboxes {
  /// In the order of work: INBOX, then by name.
  package let mailboxes: [MirroredMailbox]
  /// Mailboxes that cannot be mirrored.
  package let problems: [(mailbox: String, problem: MailboxProblem)]

  /// Chooses as configuration and command line say.
  ///
  /// Mailboxes that come for the first time take the Maildirs that other tools made for them.
  package static func choose(
    _ context: MailboxContext,
    _ listing: ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) -> MirroredMailboxes {
    let chosen = MirroredMailboxes(context, listing, summary)
    guard chosen.mailboxes.contains(where: { $0.entry == nil }) else { return chosen }
    let known = summary.known
    let folders = try attempt(
      FolderScan(context.tree, among: context.trees, known: known)
        .folders(lookingInside: false)
    )
    return MirroredMailboxes(context, listing, summary, FolderPlaces(folders, known).free)
  }

  /// Chooses without a look at the Maildirs; `existing` are those that no mailbox on record has.
  package init(
    _ context: MailboxContext,
    _ listing: ServerListing,
    _ summary: Summary,
    _ existing: [[UInt8]: UInt64] = [:]
  ) {
    let selection = MailboxSelection(
      listing.mailboxes,
      known: summary.entries.mapValues {
        MailboxSelection.Place(id: $0.header.id, directory: $0.header.directory)
      },
      rules: MailboxSelection.Rules(
        roles: context.rules.roles,
        naming: context.tree.naming,
        includesViews: context.rules.includesViews,
        isWanted: context.isWanted,
        existing: existing,
        makeID: MailboxID.random
      )
    )
    mailboxes = selection.choices.map { choice in
      let name = choice.mailbox.name
      return MirroredMailbox(choice, listing.status(of: name), summary.entries[name.wire])
    }
    problems = selection.refusals.map { path, obstacle in
      (path.display, Self.problem(obstacle, context.tree))
    }
  }

  private static func problem(
    _ obstacle: MailboxSelection.Obstacle,
    _ tree: FolderTree
  ) -> MailboxProblem {
    switch obstacle {
    case .unusableName: .unusableName
    case .directoryTaken(let directory): .directoryTaken(tree.path(of: directory))
    }
  }
}

/// A mailbox that is to be mirrored, with what the server and the last run said of it.
package struct MirroredMailbox: Sendable {
  /// Its name on the server.
  package let name: MailboxName
  /// The same, decoded and taken apart at its levels.
  package let path: MailboxPath
  /// What it is for; nil for an ordinary one.
  package let role: MailboxRole?
  /// The keyword of those unseen messages that are new to the user; nil where all are.
  package let arrivalKeyword: [UInt8]?
  /// The Maildir, relative to the account's root.
  package let directory: [UInt8]
  /// The mailbox's own id.
  package let id: UInt64
  /// The answer to STATUS; nil where the server gave none.
  package var status: ServerMailbox.Status?
  /// What the last run left; nil for the first time.
  package private(set) var entry: Summary.Entry?
  /// How many messages the run put there after it had looked at it; nil where it looks at it for the first time.
  private(set) var gained: UInt32?

  /// A mailbox that was chosen; `status` is nil where the server told none, `entry` for the first time.
  package init(
    _ choice: MailboxSelection.Choice,
    _ status: ServerMailbox.Status?,
    _ entry: Summary.Entry?
  ) {
    name = choice.mailbox.name
    path = choice.mailbox.path
    role = choice.role
    arrivalKeyword = choice.mailbox.arrivalKeyword
    directory = choice.place.directory
    id = choice.place.id
    self.status = status
    self.entry = entry
  }

  /// The mailbox as it is to be looked at once more in the same run, with what is now known of it; the run put `gained` messages
  /// there.
  package func again(_ entry: Summary.Entry?, gaining gained: UInt32) -> MirroredMailbox {
    var mailbox = self
    mailbox.status = nil
    mailbox.gained = gained
    if let entry { mailbox.entry = entry }
    return mailbox
  }

  /// Whether unseen messages in it are new to the user.
  package var isForArrivals: Bool { role?.isForArrivals ?? true }

  /// Whether the server's word is that nothing happened since the last run.
  ///
  /// Only a HIGHESTMODSEQ that the last EXAMINE gave counts: by itself STATUS can stand still while mail changes. The number of
  /// messages has to be the map's, since a server may not have shown all of them when they were read. Also, without QRESYNC a
  /// removal need not raise it (RFC 7162 §3.1.2.1). It says nothing where a window leaves some out.
  func isUnchangedOnServer(window: [UInt8], tellsVanished: Bool) -> Bool {
    guard let status, let entry, entry.isComplete, entry.header.window == window,
      entry.header.modSequence != nil
    else { return false }
    let header = entry.header
    let isWhole = status.messages.map { Int($0) } == entry.messages
    return status.identity.validity == header.validity && status.uidNext == header.uidNext
      && status.modSequence == header.modSequence
      && (isWhole
        || tellsVanished && (status.messages == nil || !MailboxContext.isWhole(window)))
  }
}
