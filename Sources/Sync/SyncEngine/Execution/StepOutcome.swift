internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import SyncPlan

/// What steps of a run came to, by mailbox: each adds to one of its own, and these are merged at one place.
struct StepOutcome {
  /// What they came to in one mailbox.
  struct Part {
    /// What is counted; of no mailbox by itself.
    var counts = MailboxReport(mailbox: "")
    /// Whether nothing is left undone that the server would not tell again.
    var isComplete = true
    /// What was changed in the Maildir and is recorded, in its order, without what was fetched.
    var changes: [MaildirChange] = []
    /// Files that were moved here from where the server has them no more, and recorded, by base name; also files that were removed
    /// because their message has another file where the server moved it.
    var followed: OctetSet = []
    /// Files that go, since the mailbox turned out to have another file of their message: a label holds a message once.
    var joined: [FileDeletion] = []
    /// Messages whose records go, since they turned out to be on record elsewhere.
    var forgotten: [UInt32] = []
    /// How many of the messages that were removed from the server have copies elsewhere.
    var copiedBefore = 0
    /// Messages that were expunged and whose files are still here.
    var expunged: Set<UInt32> = []
    /// Whether a file was sent that may not be whole yet, so that the next run looks at it.
    var mayGrow = false
    /// Messages and files that did not work out; the next run tries again.
    var failures: [SyncFailure] = []
    /// Files whose place or flags the server did not take over.
    var refusals: [PushRefusal] = []
    /// The messages whose keywords the server did not want to change.
    var refusedTags: Set<UInt32> = []

    /// Adds one message or file that did not work out.
    mutating func fail(_ failure: SyncFailure) {
      isComplete = false
      addFailure(failure)
    }

    /// Adds one that keeps nothing else from being done, so that no later run has to be told anything again.
    mutating func addFailure(_ failure: SyncFailure) {
      counts.failed += 1
      failures.append(failure)
    }

    /// Adds what waits for another day: the next run plans it anew.
    mutating func leave(_ left: LeftMessages) {
      counts.left.add(left)
      if left.messages > 0 { isComplete = false }
    }

    /// Adds what was fetched.
    mutating func add(_ result: DownloadResult) {
      counts.fetched += result.messages
      counts.partial += result.partial
      counts.new += result.new
      counts.arrivals.add(result.arrivals)
      counts.octets += result.octets
      counts.failed += result.failed
      if result.failed > 0 { isComplete = false }
    }

    /// Adds what a later step came to.
    mutating func merge(_ later: Part) {
      counts.add(later.counts)
      isComplete = isComplete && later.isComplete
      changes += later.changes
      followed = followed.union(later.followed)
      joined += later.joined
      forgotten += later.forgotten
      copiedBefore += later.copiedBefore
      expunged.formUnion(later.expunged)
      mayGrow = mayGrow || later.mayGrow
      failures += later.failures
      refusals += later.refusals
      refusedTags.formUnion(later.refusedTags)
    }
  }

  /// What they came to in each mailbox that they touched.
  private(set) var parts: [(mailbox: OpenMailbox, part: Part)] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  /// What the steps came to in a mailbox.
  subscript(_ mailbox: OpenMailbox) -> Part {
    get { indices[ObjectIdentifier(mailbox)].map { parts[$0].part } ?? Part() }
    set {
      if let index = indices[ObjectIdentifier(mailbox)] {
        parts[index].part = newValue
      } else {
        indices[ObjectIdentifier(mailbox)] = parts.count
        parts.append((mailbox, newValue))
      }
    }
  }

  /// Adds what a later step came to.
  mutating func merge(_ later: StepOutcome) {
    for (mailbox, part) in later.parts { self[mailbox].merge(part) }
  }
}

extension PushRefusal {
  /// A refusal of a file of a mailbox.
  init(_ mailbox: OpenMailbox, _ name: [UInt8], _ cause: Cause) {
    self.init(folder: mailbox.mailbox.directory, name: name, cause)
  }
}
