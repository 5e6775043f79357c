package import MailModel
package import Platform

/// What of an account is mirrored, and how: the keys of `[account.NAME.sync]`.
package struct SyncSettings: Hashable, Sendable {
  /// Whether names of folders begin with the prefix of the server's personal namespace; nil keeps what an account has, and hides
  /// it in a new one, the default.
  package var namespace: NamespaceStyle?

  /// Mailboxes whose folders have other names, with slashes between the levels; none by default.
  package var folders: [[UInt8]: [UInt8]]

  /// Which way changes travel; by default both.
  package var direction: SyncDirection

  /// What the labels of a server that has some are here, by default folders; the key stands in the account.
  package var labels: LabelStyle

  /// Mailboxes to mirror, the last pattern that fits deciding; by default `*`, all.
  package var include: OrderedPatterns

  /// Mailboxes not to mirror, whatever ``include`` says; none by default.
  package var exclude: [MailboxPattern]

  /// How far back messages are mirrored; by default all.
  package var window: SyncWindow

  /// The most connections to the server at once, 1…5; 3 by default.
  package var connections: Int

  /// The most octets of messages that are fetched in a day (UTC), 1 kB…1000 GB; nil is no limit, the default.
  package var dailyLimit: UInt64?

  /// Octets above which messages are mirrored without their attachments, 100 kB…1 GB; nil mirrors all whole, the default.
  package var sizeLimit: UInt64?

  /// Octets of fetched attachments that are kept of messages without them; 0 keeps none, 500 MB by default.
  package var cacheLimit: UInt64

  /// Whether mailboxes that only show others' mail again (\All, \Important) are mirrored too.
  package var allMail: Bool

  /// What becomes of the server's message when its file is removed; by default it goes to Trash.
  package var localDeletion: LocalDeletion

  /// What becomes of a file when the server has its message no more; by default it is removed.
  package var remoteDeletion: RemoteDeletion

  /// On which sides new mailboxes are made after the other's example; by default both.
  package var create: FolderSide

  /// On which sides mailboxes are removed after the other's example; by default none.
  package var remove: FolderSide

  /// Where the mark \Deleted is more than a mark; by default in Trash and Drafts.
  package var expunge: ExpungePolicy

  /// What to run after a sync that brought something; nil is nothing.
  package var postSync: ChildProcess.Command?

  /// Mailboxes besides INBOX of which a watch has the server tell changes at once; none by default.
  package var idleMailboxes: [MailboxPattern]

  /// What holds for some mailboxes alone; the first pattern that fits counts.
  package var mailboxes: [MailboxSettings]

  /// The settings of an account that says nothing.
  package static let standard = SyncSettings(
    namespace: nil,
    folders: [:],
    direction: .both,
    labels: .folders,
    include: .all,
    exclude: [],
    window: .all,
    connections: 3,
    dailyLimit: nil,
    sizeLimit: nil,
    cacheLimit: 500_000_000,
    allMail: false,
    localDeletion: .trash,
    remoteDeletion: .follow,
    create: .both,
    remove: .none,
    expunge: .trash,
    postSync: nil,
    idleMailboxes: [],
    mailboxes: []
  )

  /// Whether a mailbox of that decoded name (UTF-8, `/` between levels) is to be mirrored.
  ///
  /// `exclude` wins. What the server says about the mailbox (\All, \NoSelect) is not asked here.
  package func selects(_ name: [UInt8]) -> Bool { selects([name]) }

  /// Whether a mailbox is to be mirrored that has these names, the one in use first.
  package func selects(_ names: [[UInt8]]) -> Bool {
    include.admit(anyOf: names) && !exclude.contains { $0.matches(anyOf: names) }
  }

  /// The settings of a mailbox that has these names, the one in use first.
  package func settings(of names: [[UInt8]]) -> SyncSettings {
    let own = mailboxes.first { $0.pattern.matches(anyOf: names) }
    return own.map(settings(from:)) ?? self
  }

  /// The settings of the mailboxes that a section of their own is about.
  package func settings(from own: MailboxSettings) -> SyncSettings {
    var settings = self
    settings.direction = own.direction ?? direction
    settings.localDeletion = own.localDeletion ?? localDeletion
    settings.remoteDeletion = own.remoteDeletion ?? remoteDeletion
    settings.create = own.create ?? create
    settings.remove = own.remove ?? remove
    settings.expunge = own.expunge ?? expunge
    return settings
  }

  /// The setting that has no meaning where labels are tags, as it is written; nil where there is none.
  var conflictWithTags: String? {
    if include != .all { return "include" }
    if !exclude.isEmpty { return "exclude" }
    if allMail { return "all-mail" }
    if sizeLimit != nil { return "size-limit" }
    if window != .all { return "window" }
    return directions.contains(.push) ? "direction = \"push\"" : nil
  }

  /// The directions of all mailboxes.
  package var directions: Set<SyncDirection> {
    Set([direction] + mailboxes.compactMap(\.direction))
  }

  /// Whether changes of any mailbox travel to the server.
  package var pushes: Bool { directions != [.pull] }
}

/// How far back messages are mirrored.
package enum SyncWindow: Hashable, Sendable {
  /// Every message.
  case all

  /// Messages that arrived at the server within that many days; 1…36500.
  case days(Int)

  /// The number of days; nil where every message is mirrored.
  package var days: Int? {
    switch self {
    case .all: nil
    case .days(let days): days
    }
  }
}
