internal import MailModel
internal import MailStore
internal import Maildir
import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files outside the mailboxes that are planned together whose names say that they are messages of these.
struct MisplacedFileSearch {
  private let context: MailboxContext
  private let records: any AccountRecords
  private let opened: [OpenMailbox]

  /// A search outside of `opened`; one of those that failed lies outside.
  init(_ context: MailboxContext, _ records: any AccountRecords, _ opened: [OpenMailbox]) {
    self.context = context
    self.records = records
    self.opened = opened
  }

  /// The files that bear keys of the mailbox, under the UIDVALIDITY that it has.
  ///
  /// They are looked for in all Maildirs where records may be lost, folders are left alone, or a mailbox of the group failed.
  /// Otherwise they are looked for in two kinds of Maildirs, once names changed there. The first are those that only this run
  /// leaves out. The second are all others, if the mailbox itself changed since the last run, which may have been killed.
  func files(of mailbox: OpenMailbox) throws(SyncFailure) -> [MisplacedFiles.File] {
    let header = mailbox.state.header
    let files = try candidates(for: mailbox).filter {
      $0.key.mailbox == header.id && $0.key.validity == header.validity
    }
    guard !files.isEmpty else { return [] }
    let own = Set(opened.filter { !$0.hasFailed }.map(\.directory))
    return files.filter { !own.contains($0.directory) }
  }

  private func candidates(for mailbox: OpenMailbox) throws(SyncFailure) -> [MisplacedFiles.File] {
    guard let entry = mailbox.mailbox.entry, !mailbox.isRematched, !context.facts.leavesFolders,
      !opened.contains(where: \.hasFailed)
    else { return try context.misplacedFiles.all() }
    var files: [MisplacedFiles.File] = []
    if context.reach.isLimited { files += try context.misplacedFiles.leftOut(by: changesLeftOut) }
    guard let since = changeTime(of: mailbox, since: entry) else { return files }
    let own = Set(opened.map(\.directory))
    let changed = try context.misplacedFiles.files { place in
      (place.fingerprints?.areChanged(since: since) ?? true) && !own.contains(place.directory)
    }
    return files + changed
  }

  /// Chooses the Maildirs of mailboxes that only this run leaves out, and in which a name changed since they were recorded.
  private func changesLeftOut() -> (MisplacedFiles.Place) -> Bool {
    let known = Dictionary(first: records.entries.map { ($0.header.directory, $0.fingerprints) })
    return { place in
      guard let relative = place.relative, isLeftOut(relative) else { return false }
      guard let recorded = known[relative] ?? nil else { return true }
      return recorded != place.fingerprints
    }
  }

  /// A moment after which a file may have gone from the mailbox that no record knows, in nanoseconds since 1970; nil where none
  /// can have.
  ///
  /// As long as something in the mailbox is blocked, which may be by one that was found, it is looked for again.
  private func changeTime(of mailbox: OpenMailbox, since entry: Summary.Entry) -> Int64? {
    let isAsBefore =
      entry.isComplete && entry.blocked == 0 && entry.fingerprints != nil
      && entry.fingerprints == mailbox.local.fingerprints
    return isAsBefore ? nil : mailbox.lastWhole ?? .min
  }

  /// Whether it is the Maildir, relative to the root, of a mailbox that only this run leaves out.
  private func isLeftOut(_ relative: [UInt8]) -> Bool {
    let name = context.tree.naming.name(of: relative)
    return context.isMirrored(name) && !context.isWanted(name)
  }
}
