package import MailModel
internal import Maildir
internal import Octets
package import SyncPlan

/// What the last run left of each mailbox: enough to see that nothing happened without reading a map.
///
/// A cache: a bad or missing one costs a look into every mailbox, never mail.
package struct Summary: Hashable {
  /// One mailbox.
  package struct Entry: Hashable {
    /// What its map is about.
    package var header: MailboxHeader
    /// Messages in the map.
    package var messages: Int
    /// How many runs in a row, up to `runLimit`, left something undone that the server would not tell again.
    package var unfinishedRuns: Int
    /// How many differences the last run left as they are, until something is done about them.
    package var blocked = 0
    /// The messages that may have come from a mailbox that was not looked at since.
    package var recent = RecentMessages()
    /// The directories when their names equalled the map; nil when not known.
    package var fingerprints: MaildirFingerprints?
    /// The files marked as drafts, as of the same moment.
    package var drafts: [DraftFile] = []

    /// What so many runs left undone, the next one will not mend either.
    package static let runLimit = 5

    /// Whether the last run left nothing undone.
    package var isComplete: Bool { unfinishedRuns == 0 }

    /// A mailbox after a run that came to its end or not.
    package init(
      header: MailboxHeader,
      messages: Int,
      isComplete: Bool,
      fingerprints: MaildirFingerprints?
    ) {
      self.header = header
      self.messages = messages
      unfinishedRuns = isComplete ? 0 : 1
      self.fingerprints = fingerprints
    }
  }

  /// Names the account's root, see `RootIdentity`.
  package var root: UInt64
  /// The server's capabilities after authentication, empty when never seen.
  package var capabilities: [[UInt8]] = []
  /// What the mailboxes were called here; nil where they have their names on the server, and before the first run.
  package var names: MailboxNames?
  /// What divides the levels of names on the server; nil where the server did not say, or no run of this version asked.
  package var delimiter: UInt8?
  /// Folders that are left to a person, see `FolderPlan.left`; nil where that is lost.
  package var left: Set<[UInt8]>?
  /// Files removed in the whole account, by hour since 1970, for the deletion guard.
  package var deletions: [Int64: Int] = [:]
  /// The mailboxes by the server's name on the wire.
  package var entries: [[UInt8]: Entry] = [:]

  package init(
    root: UInt64,
    capabilities: [[UInt8]] = [],
    deletions: [Int64: Int] = [:],
    entries: [[UInt8]: Entry] = [:]
  ) {
    self.root = root
    self.capabilities = capabilities
    self.deletions = deletions
    self.entries = entries
  }

  /// What a server calls it that its mailboxes are labels of messages, as Gmail does.
  package static let labelCapability = [UInt8](ascii: "X-GM-EXT-1")

  /// Whether mailboxes of the server are labels of messages: a message that is moved to Trash or Junk is in no other one then.
  package var hasLabels: Bool { capabilities.contains(Self.labelCapability) }

  /// Notes that a mailbox waits for a person.
  package mutating func markStuck(_ mailbox: KnownMailbox) {
    guard entries[mailbox.name.wire]?.header.id == mailbox.id else { return }
    entries[mailbox.name.wire]?.unfinishedRuns = Entry.runLimit
  }

  /// Drops a mailbox; another one that bears its name by now stays.
  package mutating func drop(_ mailbox: KnownMailbox) {
    guard entries[mailbox.name.wire]?.header.id == mailbox.id else { return }
    entries[mailbox.name.wire] = nil
  }
}

extension Summary.Entry {
  /// The mailbox as plans see it.
  package var known: KnownMailbox {
    KnownMailbox(
      id: header.id,
      name: MailboxName(wire: header.mailbox),
      directory: header.directory,
      identity: header.identity,
      uidNext: header.uidNext,
      messages: messages,
      cur: fingerprints.map { FileIdentity($0.cur) }
    )
  }
}

extension Summary {
  /// The mailboxes on record.
  package var known: [KnownMailbox] { entries.values.map(\.known) }

  /// The names of mailboxes, by their ids, that have other ones in a later summary.
  package func names(changedIn later: Summary) -> [UInt64: MailboxName] {
    let names = Dictionary(later.known.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let changed = known.filter { names[$0.id] != nil && names[$0.id] != $0.name }
    return Dictionary(changed.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
  }
}
