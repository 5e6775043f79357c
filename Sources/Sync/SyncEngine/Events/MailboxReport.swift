internal import MailModel
package import SyncPlan

/// What a run did in one mailbox.
package struct MailboxReport: Hashable, Sendable {
  /// The name for people: decoded, safe to print.
  package var mailbox: String
  /// Messages fetched.
  package var fetched = 0
  /// Those of them that are new to the user: unseen, where mail arrives.
  package var new = 0
  /// Those of them that people and programs are told of one by one.
  package var arrivals = Arrivals()
  /// Those of them whose attachments stay on the server.
  package var partial = 0
  /// Messages that were here without attachments and are whole now.
  package var completed = 0
  /// Octets fetched.
  package var octets: UInt64 = 0
  /// Files whose flags changed.
  package var flags = 0
  /// Files removed.
  package var removed = 0
  /// Files that followed their messages from another mailbox of the server.
  package var relocated = 0
  /// Messages whose flags were changed on the server.
  package var stored = 0
  /// Files uploaded.
  package var uploaded = 0
  /// Messages moved on the server to where their files went.
  package var moved = 0
  /// Messages copied on the server for files that hold the same.
  package var copied = 0
  /// Messages moved to Trash.
  package var trashed = 0
  /// Messages removed from the server for good.
  package var deleted = 0
  /// Files recognised as messages of the server without fetching them.
  package var rematched = 0
  /// Files that were synced once and are detached now.
  package var detached = 0
  /// Messages that wait for another day, since the account limits what is fetched in one.
  package var left = LeftMessages()
  /// Messages that failed and are tried again next time.
  package var failed = 0
  /// Differences that were left alone, by cause.
  package var blocked: [BlockedChange.Cause: Int] = [:]

  package init(mailbox: String) {
    self.mailbox = mailbox
  }

  /// Whether there is anything to say.
  package var isQuiet: Bool {
    changes == 0 && failed == 0 && blocked.isEmpty && left.messages == 0
  }

  /// Whether the server was told of changes that other programs made here.
  package var hasPushed: Bool {
    rematched + detached + stored + uploaded + moved + copied + trashed + deleted > 0
  }

  /// How many things changed, here and on the server.
  package var changes: Int {
    fetched + completed + flags + removed + relocated + rematched + detached
      + stored + uploaded + moved + copied + trashed + deleted
  }
}

extension MailboxReport {
  /// Adds the counts of another report.
  package mutating func add(_ other: MailboxReport) {
    fetched += other.fetched
    new += other.new
    partial += other.partial
    completed += other.completed
    arrivals.add(other.arrivals)
    octets += other.octets
    flags += other.flags
    removed += other.removed
    relocated += other.relocated
    stored += other.stored
    uploaded += other.uploaded
    moved += other.moved
    copied += other.copied
    trashed += other.trashed
    deleted += other.deleted
    rematched += other.rematched
    detached += other.detached
    left.add(other.left)
    failed += other.failed
    blocked.merge(other.blocked, uniquingKeysWith: +)
  }

  /// Adds differences that were left alone.
  package mutating func add(_ differences: [BlockedChange]) {
    for difference in differences { blocked[difference.cause, default: 0] += 1 }
  }

  /// Adds what a plan would do, for a run that only says so.
  ///
  /// `isForArrivals` says whether unseen messages are new to the user there, with a keyword those that have it.
  package mutating func add(planned plan: MailboxPlan, isForArrivals: Bool, keyword: [UInt8]?) {
    for step in plan.steps.map(\.step) { count(step) }
    guard isForArrivals else { return }
    new += plan.downloads.count { download in
      let flags = download.step.flags
      return !flags.system.contains(.seen) && (keyword.map(flags.keywords.contains) ?? true)
    }
  }

  private mutating func count(_ step: PlanStep) {
    switch step {
    case .record(.match), .record(.matchEdited): rematched += 1
    case .record(.detach): detached += 1
    case .record(.renumber), .record(.agree), .record(.wait), .forget: break
    case .rename(.setFlags): flags += 1
    case .rename(.relocate): relocated += 1
    case .store: stored += 1
    case .move: moved += 1
    case .copy: copied += 1
    case .upload: uploaded += 1
    case .download(let message):
      fetched += 1
      octets += message.size ?? 0
    case .complete(let completion):
      completed += 1
      octets += completion.size ?? 0
    case .remove(.fileless(_, let toTrash)), .remove(.copied(_, let toTrash)),
      .remove(.replaced(_, let toTrash, _, _)):
      if toTrash { trashed += 1 } else { deleted += 1 }
    case .remove(.marked): deleted += 1
    case .delete: removed += 1
    }
  }
}

/// Messages that were not fetched since the limit of the day was reached.
package struct LeftMessages: Hashable, Sendable {
  /// How many they are.
  package private(set) var messages: UInt64 = 0
  /// Their octets, as far as the server told their sizes.
  package private(set) var octets: UInt64 = 0

  /// None.
  package init() {}

  /// Adds one of them.
  package mutating func add(_ message: RemoteMessage) {
    messages += 1
    octets += min(message.size ?? 0, 1 << 40)
  }

  /// Adds others.
  package mutating func add(_ others: LeftMessages) {
    messages += others.messages
    octets += others.octets
  }
}
