package import Configuration
internal import Login
internal import MailModel
internal import Maildir
internal import Octets
package import Platform
package import SyncPlan
internal import SyncState
internal import Triage

/// How the sync of an account stands, as its files say; no server is asked and nothing is locked.
package struct AccountStanding: Sendable {
  /// When a sync last ended well, in seconds since 1970; nil when none did.
  package let synced: Int64?
  /// The mailboxes that are mirrored, by decoded name with slashes between the levels, in their order.
  package let names: [[UInt8]]
  /// How many they are.
  package var mailboxes: Int { names.count }
  /// How many messages they have.
  package let messages: Int
  /// The mailboxes in which the last sync left something undone, by decoded name.
  package let incomplete: [[UInt8]]
  /// Those of them that the next sync will not finish by itself: deletions are blocked, or several syncs failed to.
  package let stuck: [[UInt8]]
  /// The mailboxes of which the deletion guard holds losses back, and of which sides.
  package let guarded: [(name: [UInt8], losses: BlockedDeletions)]
  /// Files that were synced once and no longer are.
  package let detached: Int
  /// How many messages have tags that the server does not take, so that they are kept here alone.
  package let tagsKeptHere: Int
  /// Files that are tried a few times a day at most, by folder and base name, and when the next one is tried (seconds since
  /// 1970).
  ///
  /// Connections broke over them, or the server accepted them and does not have them.
  package let resting: (files: [[UInt8]], next: Int64)?
  /// When the server refused the secret, so that it is not offered again; nil when it did not.
  package let refused: Int64?
  /// Until when the server wants no request (seconds since 1970); nil when it does not.
  package let paused: Int64?

  /// What was fetched and what was left for another day, as the last sync counted it; nil where the account has no limit, or
  /// nothing was left.
  package let left: (messages: UInt64, octets: UInt64, end: Int64)?

  /// How the account stands now.
  ///
  /// - Throws: the error of reading what is there.
  package init(_ account: Account, stateHome: Path) throws(SystemError) {
    let memory = AccountPlaces.memory(of: account, in: stateHome)
    let places = AccountPlaces(of: account)
    let store = places.store
    synced = try FileSystem.status(LastSync(memory).file)?.fingerprint.modified
      .quotientAndRemainder(dividingBy: 1_000_000_000).quotient
    let entries = try store.loadSummary()?.entries ?? [:]
    let tree = places.tree
    names = Self.names(entries.values, tree)
    messages = entries.values.reduce(0) { $0 + $1.messages }
    incomplete = Self.names(entries.values.filter { !$0.isComplete }, tree)
    var detached = 0
    var guarded: [UInt64: BlockedDeletions] = [:]
    for entry in entries.values {
      guard let state = try store.state(of: entry.header.id) else { continue }
      detached += try Self.detached(state, entry.header, places)
      if state.blockedDeletions != .none { guarded[entry.header.id] = state.blockedDeletions }
    }
    self.guarded = entries.values.compactMap { entry in
      guarded[entry.header.id].map { (Self.name(entry.header, tree), $0) }
    }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    stuck = Self.names(
      entries.values.filter { entry in
        (entry.unfinishedRuns >= Summary.Entry.runLimit || entry.blocked > 0)
          && guarded[entry.header.id] == nil
      },
      tree
    )
    self.detached = try detached + Self.detachedElsewhere(entries.values, tree)
    tagsKeptHere = try Self.tagsKeptHere(tree)
    left = Self.left(account, memory)
    resting = Self.resting(BrokenUploads(store))
    refused = try RefusalMemory(account, directory: memory)
      .refusal(now: Clock.now())
    paused =
      ServerMemory(directory: memory, account: account, isRemembering: false)
      .traits.pause(now: Clock.now())?.end
  }

  private static func resting(_ broken: BrokenUploads) -> (files: [[UInt8]], next: Int64)? {
    guard let next = broken.files.values.map(\.next).min() else { return nil }
    let files = broken.files.keys.map { $0.directory + [ASCII.slash] + $0.name }
    return (files.sorted { $0.lexicographicallyPrecedes($1) }, next)
  }

  private static func left(
    _ account: Account,
    _ memory: Path
  ) -> (messages: UInt64, octets: UInt64, end: Int64)? {
    guard let limit = account.sync.dailyLimit, let count = FetchCount(memory),
      count.leftMessages > 0
    else { return nil }
    let now = TestTime.ofDays()
    let day = DailyLimit(octets: limit, count: count.fetched, now: now)
    return (count.leftMessages, count.leftOctets, day.isReached(at: now) ? day.dayEnd : now)
  }

  private static func tagsKeptHere(_ tree: FolderTree) throws(SystemError) -> Int {
    guard try FileSystem.status(tree.root) != nil else { return 0 }
    return try tree.maildirs().maildirs.reduce(0) { count, directory in
      let tags = (try? TagFile.of(tree.path(of: directory)))?.tags.values
      return count + (tags?.count { $0.own.contains { !RuleMark.isOne($0) } } ?? 0)
    }
  }

  /// The mailboxes' decoded names in their order.
  private static func names(
    _ entries: some Collection<Summary.Entry>,
    _ tree: FolderTree
  ) -> [[UInt8]] {
    entries.map { name($0.header, tree) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The name with slashes between its levels: the directory knows them where the server writes something else.
  private static func name(_ header: MailboxHeader, _ tree: FolderTree) -> [UInt8] {
    let decoded = ModifiedUTF7.decode(header.mailbox) ?? header.mailbox
    let ours = tree.naming.name(of: header.directory)
    let isSame =
      ours.count == decoded.count && zip(ours, decoded).allSatisfy { $0 == $1 || $0 == ASCII.slash }
    return isSame ? ours : decoded
  }

  /// Those of a mailbox on record that are still there.
  private static func detached(
    _ state: MailboxState,
    _ header: MailboxHeader,
    _ places: AccountPlaces
  ) throws(SystemError) -> Int {
    if state.detached.isEmpty { return 0 }
    return try files(of: places.tree.path(of: header.directory)).count {
      state.detached.contains($0) && !NoticeName.isOne($0)
    }
  }

  /// Those in folders whose mailboxes were removed.
  private static func detachedElsewhere(
    _ entries: some Collection<Summary.Entry>,
    _ tree: FolderTree
  ) throws(SystemError) -> Int {
    let mirrored = Set(entries.map(\.header.directory))
    guard try FileSystem.status(tree.root) != nil else { return 0 }
    var count = 0
    for directory in try tree.maildirs().maildirs where !mirrored.contains(directory) {
      count += try files(of: tree.path(of: directory)).count(where: DetachedName.isOne)
    }
    return count
  }

  /// The base names of the files of a folder; none where it is gone.
  private static func files(of directory: Path) throws(SystemError) -> [[UInt8]] {
    try MaildirScan.scanIfPresent(directory)?.files.map(\.name.base) ?? []
  }
}
