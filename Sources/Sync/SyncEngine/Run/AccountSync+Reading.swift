internal import Configuration
package import Mailboxes
internal import MailModel
package import MailStore
internal import Octets
internal import Platform
internal import SyncPlan
package import SyncState

// Looks at what the server has, and changes nothing here or there.
extension AccountSync {
  /// The server and its mailboxes; changes nothing here or there.
  func probe() throws(SyncFailure) -> ServerFacts {
    try checkRefusal()
    let ((store, listing), summary) = try open { () throws(SyncFailure) in
      (try recorded(), nil)
    }
    defer { store.close() }
    let mirrored = Set(MirroredMailboxes(context.mailboxes, listing, summary).mailboxes.map(\.name))
    let finder = RoleFinder(listing.mailboxes, configured: context.roles)
    let mailboxes = listing.mailboxes.map { mailbox in
      ListedMailbox(
        name: mailbox.path.joined,
        role: finder.role(of: mailbox),
        isSelectable: mailbox.isSelectable,
        isMirrored: mirrored.contains(mailbox.name),
        messages: mailbox.status?.messages
      )
    }
    return ServerFacts(
      capabilities: store.traits.words,
      isEncrypted: store.traits.isEncrypted,
      mailboxes: mailboxes,
      unknownNames: NameCheck(listing.mailboxes).unknown(
        include: context.account.sync.include.entries.map(\.pattern),
        exclude: context.account.sync.exclude,
        roles: context.roles
      )
    )
  }

  /// The mailboxes of a server with labels, with what their messages have where labels are tags; changes nothing here or there.
  ///
  /// - Throws: `labels` where the server has none.
  func labelPlaces() throws(SyncFailure) -> [LabelPlace] {
    try checkRefusal()
    let ((store, listing), summary) = try open { () throws(SyncFailure) in
      (try recorded(), nil)
    }
    defer { store.close() }
    let areTags = context.account.sync.labels == .tags
    guard areTags || store.traits.hasLabels else { throw .labels(.notOffered) }
    let chosen = try MirroredMailboxes.choose(context.mailboxes, listing, summary)
    let directories = Dictionary(first: chosen.mailboxes.map { ($0.name, $0.directory) })
    let all =
      areTags
      ? listing.arrivals : listing.mailboxes.first { $0.attributedRole == .all }.map(\.name)
    return listing.mailboxes.filter(\.isSelectable).map {
      LabelPlace($0, all: all, directory: directories[$0.name])
    }
  }

  private func recorded() throws(SyncFailure) -> Summary {
    try attempt(context.store.complete(try context.store.loadSummary() ?? Summary(root: 0)))
  }

  /// The mailboxes, to be looked at over the connection that is returned with them.
  func read() throws(SyncFailure) -> AccountReading {
    try checkRefusal()
    let ((store, listing), summary) = try open { () throws(SyncFailure) in
      (try recorded(), nil)
    }
    do throws(SyncFailure) {
      try checkNames(listing, summary)
    } catch {
      store.close()
      throw error
    }
    context.facts.learn(store.traits)
    let selection = MirroredMailboxes(context.mailboxes, listing, summary)
    let mailboxes = selection.mailboxes.filter(hasFolder)
    if let reason = nothingToMirror(listing, selection, mailboxes) {
      store.close()
      throw .nothingToMirror(reason)
    }
    let known = Set(listing.mailboxes.map(\.name.wire))
    return AccountReading(
      context: context.mailboxes,
      store: store,
      mailboxes: mailboxes,
      others: listing.selectable.count - mailboxes.count,
      gone: summary.entries.values.map(\.header).filter { !known.contains($0.mailbox) }
    )
  }
}

/// The mailboxes of an account as a command finds them that only looks at them.
package struct AccountReading {
  /// What is needed to read them.
  package let context: MailboxContext
  /// The connection, on which mailboxes are opened for reading (EXAMINE).
  package let store: any MailStore
  /// Those that are mirrored, or would be, in the order of work.
  package let mailboxes: [MirroredMailbox]
  /// How many mailboxes of the server the configuration or the caller leaves out.
  package let others: Int
  /// What is recorded of mailboxes that the server has no more.
  package let gone: [MailboxHeader]
}

extension StateStore {
  /// The summary of the last run; nil when there is none or it is damaged, or of an older version.
  ///
  /// - Throws: `newerState` where a newer version wrote it.
  func loadSummaryForUpdate() throws(SyncFailure) -> Summary? {
    let octets = try attempt(FileSystem.readFile(summary, limit: Self.sizeLimit))
    guard let octets else { return nil }
    do {
      return try SummaryFile.decode(octets)
    } catch {
      if error.problem == .newerVersion { throw .newerState(summary) }
      return nil
    }
  }
}
