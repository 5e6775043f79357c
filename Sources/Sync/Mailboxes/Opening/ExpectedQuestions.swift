package import MailModel
package import MailStore
package import SyncState

/// What a server will most likely be asked in a run, as far as it is known before its mailboxes are listed.
package struct ExpectedQuestions {
  /// Messages of a mailbox that is asked about though it may not be opened otherwise: servers need longer for that than a round
  /// trip takes where there are very many.
  private static let largest = 20_000
  /// How many mailboxes whose files changed are asked about at most.
  private static let limit = 4
  /// So many UIDs above UIDNEXT are taken for those of new messages: few come between two runs.
  private static let newMessages: UInt32 = 16

  private let context: MailboxContext
  private let summary: Summary
  /// The mailboxes whose files changed, as far as it is known, by their ids.
  private let found: () -> [UInt64: BaseCache.Content]

  /// The questions of a run of an account, of which the last one left `summary`.
  ///
  /// `prefetched` reads the mailboxes whose files changed.
  package init(_ context: MailboxContext, _ summary: Summary, _ prefetched: PrefetchedReading) {
    self.init(context, summary) { prefetched.found() }
  }

  init(
    _ context: MailboxContext,
    _ summary: Summary,
    found: @escaping () -> [UInt64: BaseCache.Content]
  ) {
    self.context = context
    self.summary = summary
    self.found = found
  }

  /// What changed in those mailboxes of which all was seen before: the one where mail arrives, unless it is very large, and those
  /// whose files changed, as far as they were read by now.
  ///
  /// The last one is open then: most likely messages are moved from it or removed. `takesNew` says that the octets of new messages
  /// will be wanted.
  package func questions(about inbox: MailboxName, takesNew: Bool) -> [MailboxQuestion] {
    guard !context.rules.isScanning else { return [] }
    let found = found()
    let changed = summary.entries.values.filter { found[$0.header.id] != nil && isKnown($0) }
      .sorted { $0.header.directory.lexicographicallyPrecedes($1.header.directory) }
      .prefix(Self.limit)
    var entries = Array(changed)
    if let entry = summary.entries[inbox.wire], isKnown(entry), entry.messages <= Self.largest,
      !changed.contains(entry)
    {
      entries.insert(entry, at: 0)
    }
    let leaving = entries.filter { found[$0.header.id]?.hasFileless == true }
    return (entries.filter { !leaving.contains($0) } + leaving).map { entry in
      question(about: entry, takesNew: takesNew && entry.header.mailbox == inbox.wire)
    }
  }

  private func isKnown(_ entry: Summary.Entry) -> Bool {
    entry.isComplete && entry.header.window == context.window(of: entry) && context.includes(entry)
  }

  private func question(about entry: Summary.Entry, takesNew: Bool) -> MailboxQuestion {
    let name = MailboxName(wire: entry.header.mailbox)
    var question = MailboxQuestion(name, since: entry.header.token)
    if takesNew { question.newMessages = Self.newMessages }
    return question
  }
}
