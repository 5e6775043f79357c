internal import Configuration
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

// Names of mailboxes: those of the command line and of the configuration, and what is said of them.
extension AccountSync {
  /// Refuses names of the command line that fit nothing: silence would be taken for success.
  func checkNames(
    _ listing: ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) {
    let options = context.options
    let allowed = options.massDeletionAllowed.filter { $0.account == context.account.name }
    let wanted = options.fetchedAgain.filter { $0.account == context.account.name }
    if let unknown = try unknown(wanted.flatMap(\.patterns), listing, summary) {
      throw .unknownName(unknown)
    }
    if let unknown = try unknown(context.patterns, listing, summary) { throw .unknownName(unknown) }
    // No more than a warning: where the run before was cut short, the mailbox may be gone already.
    for pattern in allowed.flatMap(\.patterns) {
      guard let unknown = try unknown([pattern], listing, summary) else { continue }
      context.report(.problem(mailbox: nil, .unknownName(unknown)))
    }
  }

  private func unknown(
    _ patterns: [MailboxPattern],
    _ listing: ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) -> UnknownName? {
    guard !patterns.isEmpty else { return nil }
    return try NameCheck(listing.mailboxes).unknown(
      patterns,
      others: { () throws(SyncFailure) in try namesHere(summary) },
      isMirrored: context.mailboxes.isMirrored
    )
  }

  /// The names of the mailboxes on record, and of all folders, as far as the configuration lets them take part.
  private func namesHere(_ summary: Summary) throws(SyncFailure) -> [[UInt8]] {
    let folders = try attempt(context.tree.maildirs().maildirs)
    let recorded = summary.entries.values.map(\.header.directory)
    let names = (folders + recorded).map { context.tree.naming.name(of: $0) }
    return names.filter(context.mailboxes.isMirrored).flatMap(context.facts.names.forms)
  }

  func findTrash(_ listing: ServerListing, _ runState: RunState) {
    let finder = RoleFinder(listing.mailboxes, configured: context.roles)
    if let mailbox = finder.mailbox(for: .trash) {
      return context.trash.found(mailbox.name)
    }
    let wanted = context.roles[.trash] ?? Array("Trash".utf8)
    // A second Trash beside the server's own is never wanted.
    if let unknown = NameCheck(listing.mailboxes).unknown(.trash, wanted),
      case .marked = unknown.remedy, context.account.sync.localDeletion == .trash, context.isWriting
    {
      context.report(.problem(mailbox: nil, .mailbox(.otherTrash(unknown))))
      runState.markPartial()
      return
    }
    context.trash.couldMake(MailboxNaming(listing.mailboxes, listing.names).names(for: wanted))
  }

  func report(_ selection: MirroredMailboxes, _ runState: RunState) {
    for (mailbox, problem) in selection.problems {
      context.report(.problem(mailbox: mailbox, .mailbox(problem)))
      runState.markPartial()
    }
  }
}
