internal import MailModel
internal import MailStore
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files outside the mailboxes that are planned together whose names say that they are messages of these.
struct StraySearch {
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
  /// They are looked for anywhere where records may be lost; else in folders that a run of some mailboxes leaves to later ones,
  /// and in which names changed since they were recorded.
  func files(of mailbox: OpenMailbox) throws(SyncFailure) -> [StrayFiles.File] {
    let header = mailbox.state.header
    let own = Set(opened.filter { !$0.hasFailed }.map(\.directory))
    return try candidates(for: mailbox).filter { file in
      file.key.mailbox == header.id && file.key.validity == header.validity
        && !own.contains(file.directory)
    }
  }

  private func candidates(for mailbox: OpenMailbox) throws(SyncFailure) -> [StrayFiles.File] {
    if mailbox.mailbox.entry == nil || mailbox.isRematched || context.facts.leavesFolders
      || opened.contains(where: \.hasFailed)
    {
      return try context.strays.files(in: context.tree, context.trees)
    }
    return try context.strays.filesLeftOut(in: changedOutside)
  }

  /// The Maildirs that only this run leaves out, and in which a name changed since they were recorded.
  private func changedOutside() throws(SyncFailure) -> [Path] {
    let known = Dictionary(
      records.entries.map { ($0.header.directory, $0.fingerprints) },
      uniquingKeysWith: { first, _ in first }
    )
    return try leftOut().compactMap { relative in
      let directory = context.tree.path(of: relative)
      guard let fingerprints = known[relative] ?? nil else { return directory }
      return MaildirFingerprints(of: directory) == fingerprints ? nil : directory
    }
  }

  /// The Maildirs of mailboxes that only this run leaves out, relative to the root.
  private func leftOut() throws(SyncFailure) -> [[UInt8]] {
    guard context.policy.isLimited else { return [] }
    let maildirs = try attempt { () throws(SystemError) in try context.tree.maildirs().maildirs }
    return maildirs.filter { directory in
      let name = context.tree.naming.name(of: directory)
      return context.isMirrored(name) && !context.isWanted(name)
    }
  }
}
