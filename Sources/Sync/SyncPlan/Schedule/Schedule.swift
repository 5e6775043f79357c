/// Decides which mailboxes of a run need a connection, and which of them have to be seen together.
///
/// Messages may have moved between mailboxes wherever some are without their files here, or may be gone from a mailbox of
/// the server. Elsewhere each mailbox is worked on by itself, so that several connections can share them.
package enum Schedule {
  /// What is known of a mailbox before it is opened.
  package struct Candidate: Hashable, Sendable {
    /// The mailbox's own id.
    package let mailbox: UInt64
    /// Whether something may have to be done in it.
    package let needsWork: Bool
    /// Whether messages are without their files, or files are other mailboxes'.
    package let hasAbsences: Bool
    /// Whether messages may be gone from the server.
    package let mayHaveVanished: Bool
    /// The mailboxes from which messages were on their way to it.
    package let sources: Set<UInt64>
    /// Messages on the server of a mailbox that is mirrored for the first time; nil of any other.
    package let newMessages: UInt32?
    /// About how many messages are to be fetched; the greatest number where nothing is known of that.
    package let expected: Int
    /// How many messages are on record.
    package let recorded: Int

    package init(
      mailbox: UInt64,
      needsWork: Bool,
      hasAbsences: Bool,
      mayHaveVanished: Bool,
      sources: Set<UInt64>,
      newMessages: UInt32?,
      expected: Int,
      recorded: Int
    ) {
      self.mailbox = mailbox
      self.needsWork = needsWork
      self.hasAbsences = hasAbsences
      self.mayHaveVanished = mayHaveVanished
      self.sources = sources
      self.newMessages = newMessages
      self.expected = expected
      self.recorded = recorded
    }

    private static let largestSearched: UInt32 = 5000

    /// Whether it is new and holds so much that it is not searched for messages that came from others.
    var isAlone: Bool { newMessages.map { $0 > Self.largestSearched } ?? false }

    /// Messages that are fetched at most where round trips are what takes the time; all messages of a mailbox that is mirrored
    /// for the first time, of which more has to be learned and made durable.
    private static let fewMessages = 10
    private static let fewNewMessages = 100

    /// Whether it is mirrored for the first time.
    var isNew: Bool { newMessages != nil }

    /// Whether round trips are what takes the time in it.
    var isLight: Bool { expected <= (isNew ? Self.fewNewMessages : Self.fewMessages) }

    var mayHaveMoved: Bool {
      needsWork && (hasAbsences || mayHaveVanished || !sources.isEmpty)
    }
  }

  /// Mailboxes that are worked on together.
  package enum Group: Hashable, Sendable {
    /// They have to be seen together.
    case inseparable([UInt64])
    /// They could be worked on one by one, but there is so little to do in each that round trips are what counts.
    case batch([UInt64])

    /// The mailboxes in the order of work.
    package var mailboxes: [UInt64] {
      switch self {
      case .inseparable(let mailboxes), .batch(let mailboxes): mailboxes
      }
    }
  }

  /// How large a batch may be.
  private struct BatchLimit {
    var mailboxes: Int
    let messages: Int

    static let known = BatchLimit(mailboxes: 100, messages: 500)
    /// Each batch of new mailboxes takes about ten flushes, however many there are in it.
    static let new = BatchLimit(mailboxes: 170, messages: 2000)
  }

  /// What is on record of all mailboxes of a batch is in memory at once.
  private static let batchRecords = 20_000
  /// So few new mailboxes are no batch: several connections share them.
  private static let fewNew = 32

  /// The mailboxes that need a connection, in the order of work, those together that have to be seen together.
  ///
  /// `batches` says that the server answers questions about several mailboxes in one round trip.
  package static func groups(_ candidates: [Candidate], batches: Bool) -> [Group] {
    // A move that was begun is settled in both mailboxes together.
    let sources = candidates.filter(\.needsWork).reduce(into: Set<UInt64>()) {
      $0.formUnion($1.sources)
    }
    let work = candidates.filter { $0.needsWork || sources.contains($0.mailbox) }
    guard candidates.contains(where: \.mayHaveMoved), work.count > 1 else {
      return batches ? batched(work) : work.map { .inseparable([$0.mailbox]) }
    }
    let together = work.filter { !$0.isAlone }.map(\.mailbox)
    return (together.isEmpty ? [] : [.inseparable(together)])
      + work.filter(\.isAlone).map { .inseparable([$0.mailbox]) }
  }

  /// Known mailboxes in which there is little to do together, as they are soon done; then the others, the small ones of many new
  /// ones together.
  private static func batched(_ work: [Candidate]) -> [Group] {
    let small = work.filter { $0.isNew && $0.isLight }
    let new = small.count > fewNew ? evenBatches(of: small, upTo: .new) : []
    let byFirst = Dictionary(new.map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
    let known = batches(of: work.filter { !$0.isNew && $0.isLight }, upTo: .known)
    let inBatches = Set((known + new).joined())
    return known.map { .batch($0) }
      + work.compactMap { candidate in
        if let batch = byFirst[candidate.mailbox] { return .batch(batch) }
        return inBatches.contains(candidate.mailbox) ? nil : .inseparable([candidate.mailbox])
      }
  }

  /// The mailboxes in as many batches as the limit takes, of about as many mailboxes each: a rest would take as many flushes.
  private static func evenBatches(
    of candidates: [Candidate],
    upTo limit: BatchLimit
  ) -> [[UInt64]] {
    let count = batches(of: candidates, upTo: limit).count
    guard count > 1 else { return batches(of: candidates, upTo: limit) }
    var even = limit
    even.mailboxes = (candidates.count + count - 1) / count
    return batches(of: candidates, upTo: even)
  }

  private static func batches(of candidates: [Candidate], upTo limit: BatchLimit) -> [[UInt64]] {
    var batches: [[UInt64]] = []
    var batch: [UInt64] = []
    var (messages, records) = (0, 0)
    for candidate in candidates {
      let isFull =
        batch.count == limit.mailboxes || messages + candidate.expected > limit.messages
        || records + candidate.recorded > batchRecords
      if isFull, !batch.isEmpty {
        batches.append(batch)
        (batch, messages, records) = ([], 0, 0)
      }
      batch.append(candidate.mailbox)
      messages += candidate.expected
      records += candidate.recorded
    }
    return batch.isEmpty ? batches : batches + [batch]
  }
}
