internal import MailStore
internal import Maildir

/// What steps of a run came to, by mailbox: steps add to it, and it is merged into the mailboxes at one place.
struct StepOutcome {
  /// What they came to in one mailbox.
  struct Part {
    /// What is counted; of no mailbox by itself.
    var counts = MailboxReport(mailbox: "")
    /// Whether nothing is left undone that the server would not tell again.
    var isComplete = true
    /// What was changed in the Maildir and is recorded, in its order, without what was fetched.
    var changes: [MaildirChange] = []
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
      counts.failed += 1
      isComplete = false
      failures.append(failure)
    }

    /// Adds what was fetched.
    mutating func add(_ result: DeliveryCommitter.Result) {
      counts.fetched += result.messages
      counts.new += result.new
      counts.octets += result.octets
      counts.failed += result.failed
      if result.failed > 0 { isComplete = false }
    }

    /// Adds what a later step came to.
    mutating func merge(_ later: Part) {
      counts.add(later.counts)
      isComplete = isComplete && later.isComplete
      changes += later.changes
      mayGrow = mayGrow || later.mayGrow
      failures += later.failures
      refusals += later.refusals
      refusedTags.formUnion(later.refusedTags)
    }
  }

  /// What they came to in each mailbox that they touched.
  private(set) var parts: [(mailbox: OpenMailbox, part: Part)] = []

  /// What the steps came to in a mailbox.
  subscript(_ mailbox: OpenMailbox) -> Part {
    get { parts.first { $0.mailbox === mailbox }?.part ?? Part() }
    set {
      if let index = parts.firstIndex(where: { $0.mailbox === mailbox }) {
        parts[index].part = newValue
      } else {
        parts.append((mailbox, newValue))
      }
    }
  }

  /// Adds what a later step came to.
  mutating func merge(_ later: StepOutcome) {
    for (mailbox, part) in later.parts { self[mailbox].merge(part) }
  }
}
