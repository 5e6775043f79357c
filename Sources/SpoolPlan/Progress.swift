internal import SMTP

/// How far an entry has come: what its log says, put together.
package struct Progress: Hashable, Sendable {
  /// Where a recipient stands.
  package enum RecipientState: Hashable, Sendable {
    /// The message is still to be sent to it; `mayHaveIt` when the server did not answer the end of
    /// the message.
    case open(mayHaveIt: Bool)
    /// The server has the message for it; with the server's words.
    case accepted([UInt8])
    /// It will not get the message, and why.
    case refused([UInt8])
    /// It was refused, and has an entry of its own.
    case split(EntryID)
  }

  /// Where the work on the IMAP server stands: the copy, or the action itself.
  package enum StepState: Hashable, Sendable {
    /// There is none.
    case none
    /// It is to be made; with the note of an attempt that did not end.
    case open(begun: [UInt8]?)
    case done
    /// The server refuses it for good, and why.
    case rejected([UInt8])
  }

  /// Each recipient's state; empty where the action has none.
  package private(set) var recipients: [RecipientState]

  /// The state of the work on the IMAP server.
  package private(set) var step: StepState

  /// How often each recipient was refused for now, since a person last retried it.
  private var attemptsOfRecipients: [Int]

  /// The moment before which nothing is sent to each recipient; `nil` for at once.
  private var momentsOfRecipients: [Int64?]

  /// How often the IMAP server refused for now.
  package private(set) var stepAttempts = 0

  /// The moment before which nothing is done on the IMAP server, in seconds since 1970; `nil` for
  /// at once.
  package private(set) var stepNotBefore: Int64?

  /// The seconds since the first attempt in which the server could be reached.
  package private(set) var reachable: Int64 = 0

  /// Why the entry as a whole failed; `nil` while it did not.
  package private(set) var failure: [UInt8]?

  /// Why it waits for a person; `nil` while it does not.
  private var heldWords: [UInt8]?

  /// The last thing that was said against sending it to each recipient; `nil` for nothing.
  private var wordsOfRecipients: [[UInt8]?]

  /// The last thing that was said against the work on the IMAP server; `nil` for nothing.
  private var stepWords: [UInt8]?

  /// How many entries were split off.
  package private(set) var splits = 0

  /// Whether its failure was reported, since a person last retried it.
  package private(set) var isReported = false

  /// How often a person wanted it tried again.
  package private(set) var retries = 0

  private var lastAttempt: Int64?

  /// The note of the last attempt at the work on the IMAP server: also after a refusal part of it may have been done.
  private var note: [UInt8]?

  /// The progress of an entry by the records of its log.
  package init(_ action: Action, _ records: [LogRecord], _ schedule: RetrySchedule = .standard) {
    switch action {
    case .send(let sending):
      recipients = sending.envelope.recipients.map { _ in .open(mayHaveIt: false) }
      step = sending.copy == nil ? .none : .open(begun: nil)
    case .append, .setFlags, .move, .delete:
      recipients = []
      step = .open(begun: nil)
    }
    attemptsOfRecipients = recipients.map { _ in 0 }
    momentsOfRecipients = recipients.map { _ in nil }
    wordsOfRecipients = recipients.map { _ in nil }
    for record in records { take(record, schedule) }
  }

  /// Why it is where it is, in the last words that were said about it; `nil` for nothing.
  ///
  /// What was said of recipients who have the message, or have an entry of their own, is no reason any more.
  package var lastWords: [UInt8]? {
    if let words = failure ?? heldWords { return words }
    let concerned = refused.isEmpty ? open : refused
    return concerned.lazy.compactMap { wordsOfRecipients[$0] }.first ?? stepWords
  }

  /// How often the server refused the recipient for now, since a person last retried it.
  package func attempts(of recipient: Int) -> Int { attemptsOfRecipients[recipient] }

  /// How often the server refused the message for now, for the recipient that was refused most often.
  package var attempts: Int { attemptsOfRecipients.max() ?? 0 }

  /// The moment before which nothing is sent to a recipient, in seconds since 1970; `nil` for at once.
  package func notBefore(of recipient: Int) -> Int64? { momentsOfRecipients[recipient] }

  /// Whether the message is to be sent by SMTP at all.
  private var isSending: Bool { !recipients.isEmpty }

  /// The numbers of the recipients who still are to get the message.
  package var open: [Int] {
    recipients.indices.filter { if case .open = recipients[$0] { true } else { false } }
  }

  /// The numbers of those among them of which the server may have it already.
  package var uncertain: [Int] {
    recipients.indices.filter { recipients[$0] == .open(mayHaveIt: true) }
  }

  /// The numbers of the recipients that will not get it, and have no other entry.
  package var refused: [Int] {
    recipients.indices.filter { if case .refused = recipients[$0] { true } else { false } }
  }

  /// Whether at least one recipient has the message.
  package var isAccepted: Bool {
    recipients.contains { if case .accepted = $0 { true } else { false } }
  }

  /// Whether work on the IMAP server is due: the message's own, or the copy of a message that
  /// a recipient has.
  package var isStepDue: Bool {
    guard case .open = step else { return false }
    return !isSending || isAccepted
  }

  private mutating func take(_ record: LogRecord, _ schedule: RetrySchedule) {
    switch record.fact {
    case .sending(let numbers): set(numbers, .open(mayHaveIt: true))
    case .accepted(let numbers, let words): set(numbers, .accepted(words))
    case .refused(let numbers, let words): set(numbers, .refused(words), words)
    case .unsent(let numbers, let words): set(numbers, .open(mayHaveIt: false), words)
    case .deferred(let numbers, let until, let words):
      set(numbers, .open(mayHaveIt: false), words)
      countAttempt(numbers, until, at: record.time, schedule)
    case .unanswered(let numbers, let until, let words):
      // It counts as an attempt: else a server that never answers would get it again for ever.
      set(numbers, .open(mayHaveIt: true), words)
      countAttempt(numbers, until, at: record.time, schedule)
    case .split(let numbers, let id):
      set(numbers, .split(id))
      splits += 1
    case .copying(let note):
      self.note = note
      step = .open(begun: note)
    case .done: step = .done
    case .postponed(let until, let words):
      stepAttempts += 1
      (stepNotBefore, stepWords) = (until, words)
    case .rejected(let words):
      step = .rejected(words)
      stepWords = words
    case .failed(let words): failure = words
    case .retried: retry()
    case .released:
      set(uncertain, .open(mayHaveIt: false))
      heldWords = nil
    case .reported: isReported = true
    case .held(let words): heldWords = words
    case .replaced, .discarded, .undiscarded: break
    }
  }

  /// A log of another entry may count more recipients than there are.
  private mutating func set(
    _ numbers: [Int],
    _ state: RecipientState,
    _ words: [UInt8]? = nil
  ) {
    for number in numbers where recipients.indices.contains(number) {
      // What the server has taken is never sent again, whatever a later line says.
      if case .accepted = recipients[number] { continue }
      recipients[number] = state
      if let words { wordsOfRecipients[number] = words }
    }
  }

  private mutating func countAttempt(
    _ numbers: [Int],
    _ until: Int64,
    at time: Int64,
    _ schedule: RetrySchedule
  ) {
    for number in numbers where recipients.indices.contains(number) {
      attemptsOfRecipients[number] += 1
      momentsOfRecipients[number] = until
    }
    if let lastAttempt { reachable += min(max(0, time - lastAttempt), schedule.longestGap) }
    lastAttempt = time
  }

  private mutating func retry() {
    set(refused + uncertain, .open(mayHaveIt: false))
    if case .rejected = step { step = .open(begun: note) }
    attemptsOfRecipients = recipients.map { _ in 0 }
    momentsOfRecipients = recipients.map { _ in nil }
    (stepAttempts, reachable, lastAttempt) = (0, 0, nil)
    (stepNotBefore, failure, heldWords) = (nil, nil, nil)
    (isReported, retries) = (false, retries + 1)
  }
}
