internal import Configuration
internal import Folders
internal import MailModel
package import MailStore
internal import Maildir
internal import Platform
internal import SyncPlan
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
