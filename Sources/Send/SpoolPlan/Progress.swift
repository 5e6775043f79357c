package import MailModel
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

  /// Each recipient's state; empty where the action has none.
  package private(set) var recipients: [RecipientState]

  /// The copy of what is sent, or what else is to be done on the IMAP server, in the order of the entry.
  package private(set) var steps: [StepProgress]

  /// How often each recipient was refused for now, since a person last retried it.
  private var attemptsOfRecipients: [Int]

  /// The moment before which nothing is sent to each recipient; `nil` for at once.
  private var momentsOfRecipients: [Int64?]

  /// The moment before which the message is not sent, even on request; `nil` for at once.
  package let scheduled: Int64?

  /// The agent that wrote it; `nil` for a person.
  private let agent: [UInt8]?

  /// Whether a person has approved what an agent wrote, and did not stop it since.
  private var isApproved = false

  /// For each step the one before it for the same message; `nil` for the first of each.
  private let predecessors: [Int?]

  /// The seconds since the first attempt in which the server could be reached.
  package private(set) var reachable: Int64 = 0

  /// Why the entry as a whole failed; `nil` while it did not.
  package private(set) var failure: [UInt8]?

  /// Why it waits for a person; `nil` while it does not.
  private var heldWords: [UInt8]?

  /// The last thing that was said against sending it to each recipient; `nil` for nothing.
  private var wordsOfRecipients: [[UInt8]?]

  /// How many entries were split off.
  package private(set) var splits = 0

  /// Whether a person took it back as a draft, so that it is not sent.
  package private(set) var isCancelled = false

  /// The name of the draft that was about to be kept when a person took it back; `nil` where nothing of that was begun.
  ///
  /// Unless the message is cancelled it is unknown whether the draft is there.
  package private(set) var begunDraft: [UInt8]?

  /// Whether the server did not answer for it once: recipients may have it since then, whatever was said of it later.
  package private(set) var mayHaveBeenTaken = false

  /// The numbers of the recipients whose message was sent, and of whom nothing was noted since.
  private var underWay: Set<Int> = []

  /// Whether its failure was reported, since a person last retried it.
  package private(set) var isReported = false

  /// Whether a person was shown it since it was last retried.
  package private(set) var isSeen = false

  /// How often a person wanted it tried again.
  package private(set) var retries = 0

  private var lastAttempt: Int64?

  /// The progress of an entry by the records of its log.
  package init(_ action: Action, _ records: [LogRecord], _ schedule: RetrySchedule = .standard) {
    switch action {
    case .send(let sending):
      recipients = sending.envelope.recipients.map { _ in .open(mayHaveIt: false) }
      scheduled = sending.notBefore
    case .append, .change: (recipients, scheduled) = ([], nil)
    }
    agent = action.agent
    steps = Array(repeating: StepProgress(), count: action.stepCount)
    predecessors = Self.predecessors(action.requests)
    attemptsOfRecipients = recipients.map { _ in 0 }
    momentsOfRecipients = recipients.map { _ in nil }
    wordsOfRecipients = recipients.map { _ in nil }
    for record in records { applyRecord(record, schedule) }
  }

  private static func predecessors(_ requests: [MessageRequest]) -> [Int?] {
    var last: [MessageReference: Int] = [:]
    return requests.indices.map { last.updateValue($0, forKey: requests[$0].message) }
  }

  /// Why it is where it is, in the last words that were said about it; `nil` for nothing.
  ///
  /// Words about recipients who have the message, or have an entry of their own, are no longer a reason.
  package var lastWords: [UInt8]? {
    if isHalfCancelled { return Self.halfCancelled }
    if let words = failure ?? heldWords { return words }
    let concerned = refused.isEmpty ? open : refused
    return concerned.lazy.compactMap { wordsOfRecipients[$0] }.first ?? wordsOfSteps
  }

  /// Whether an agent wrote it, and no person has approved it: nothing but that has it sent.
  package var awaitsApproval: Bool { agent != nil && !isApproved && !open.isEmpty }

  /// How often the server refused the recipient for now, since a person last retried it.
  package func attempts(of recipient: Int) -> Int { attemptsOfRecipients[recipient] }

  /// How often the server refused the message for now, for the recipient that was refused most often.
  package var attempts: Int { attemptsOfRecipients.max() ?? 0 }

  /// The moment before which nothing is sent to a recipient, in seconds since 1970; `nil` for at once.
  package func notBefore(of recipient: Int) -> Int64? { momentsOfRecipients[recipient] }

  /// Whether taking it back was cut short, so that it is neither sent nor gone.
  package var isHalfCancelled: Bool { begunDraft != nil && !isCancelled }

  private static let halfCancelled = [UInt8](
    "taking it back as a draft was cut short: cancel goes on with that, retry sends it".utf8
  )

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

  /// The numbers of those of which an attempt did not come to say what the server answered, as that of a process that was
  /// killed does not.
  package var cutShort: [Int] { underWay.intersection(uncertain).sorted() }

  /// The numbers of the recipients that do not have it, and have no other entry.
  package var left: [Int] { (open + refused).sorted() }

  /// The numbers of the recipients that will not get it, and have no other entry.
  package var refused: [Int] {
    recipients.indices.filter { if case .refused = recipients[$0] { true } else { false } }
  }

  /// The numbers of the recipients that have it.
  package var served: [Int] {
    recipients.indices.filter { if case .accepted = recipients[$0] { true } else { false } }
  }

  /// Whether at least one recipient has the message.
  package var isAccepted: Bool {
    recipients.contains { if case .accepted = $0 { true } else { false } }
  }

  /// Whether the message is sent, and the server refuses only the copy of it for good.
  ///
  /// The outcome of a message is that of its recipients: nothing failed, and there is something to know.
  package var isSentWithoutCopy: Bool { isAccepted && left.isEmpty && !rejectedSteps.isEmpty }

  /// Whether the copy of it is made, or is the business of the entry by which others got it.
  package var hasCopyElsewhere: Bool {
    isSending && (isAccepted || steps.first?.isSettled == true)
  }

  /// The numbers of the steps that are due on the IMAP server: the entry's own, or the copy of a message that a recipient
  /// has.
  package var openSteps: [Int] {
    isSending && !isAccepted ? [] : steps.indices.filter { steps[$0].isOpen }
  }

  /// The numbers of those among them that come behind no other open one for the same message.
  package var readySteps: [Int] {
    guard predecessors.contains(where: { $0 != nil }) else { return openSteps }
    var isBehind: [Bool] = []
    for earlier in predecessors {
      isBehind.append(earlier.map { isBehind[$0] || steps[$0].isOpen } ?? false)
    }
    return openSteps.filter { !isBehind[$0] }
  }

  /// The numbers of the steps that the IMAP server refuses for good, and that wait for a person.
  package var rejectedSteps: [Int] { steps.indices.filter { steps[$0].isRejected } }

  /// What was said against the steps: those that are refused for good come first.
  private var wordsOfSteps: [UInt8]? {
    let concerned = rejectedSteps.isEmpty ? Array(steps.indices) : rejectedSteps
    return concerned.lazy.compactMap { steps[$0].words }.first
  }

  private mutating func applyRecord(_ record: LogRecord, _ schedule: RetrySchedule) {
    switch record.fact {
    case .sending(let numbers):
      if !uncertain.isEmpty { mayHaveBeenTaken = true }
      set(numbers, .open(mayHaveIt: true))
      underWay.formUnion(numbers)
    case .accepted(let numbers, let words): set(numbers, .accepted(words))
    case .refused(let numbers, let words): set(numbers, .refused(words), words)
    case .unsent(let numbers, let words): set(numbers, .open(mayHaveIt: false), words)
    case .deferred(let numbers, let until, let words):
      set(numbers, .open(mayHaveIt: false), words)
      countAttempt(numbers, until, at: record.time, schedule)
    case .unanswered(let numbers, let until, let words):
      // It counts as an attempt: else a server that never answers would get it again for ever.
      set(numbers, .open(mayHaveIt: true), words)
      mayHaveBeenTaken = true
      countAttempt(numbers, until, at: record.time, schedule)
    case .split(let numbers, let id):
      set(numbers, .split(id))
      splits += 1
    case .begun(let number, let note): setSteps([number]) { $0.begin(note) }
    case .done(let numbers, _): setSteps(numbers) { $0.closeStep(.done) }
    case .postponed(let numbers, let until, let words):
      setSteps(numbers) { $0.postpone(until, words) }
    case .rejected(let numbers, let words): setSteps(numbers) { $0.closeStep(.rejected, words) }
    case .undone(let numbers, let words): setSteps(numbers) { $0.closeStep(.undone, words) }
    case .failed(let words): failure = words
    case .retried: retry()
    case .released, .approved:
      if record.fact == .approved { isApproved = true }
      if !uncertain.isEmpty { mayHaveBeenTaken = true }
      set(uncertain, .open(mayHaveIt: false))
      heldWords = nil
    case .reported: isReported = true
    case .seen: isSeen = true
    case .held(let words): (heldWords, isApproved) = (words, false)
    case .cancelling(let name): begunDraft = name
    case .uncancelled: begunDraft = nil
    case .cancelled: isCancelled = true
    case .replaced, .discarded, .undiscarded: break
    }
  }

  /// A log of another entry may count more recipients than there are.
  private mutating func set(
    _ numbers: [Int],
    _ state: RecipientState,
    _ words: [UInt8]? = nil
  ) {
    underWay.subtract(numbers)
    for number in numbers where recipients.indices.contains(number) {
      // What the server has taken is never sent again, whatever a later line says.
      if case .accepted = recipients[number] { continue }
      recipients[number] = state
      if let words { wordsOfRecipients[number] = words }
    }
  }

  private mutating func setSteps(_ numbers: [Int], _ body: (inout StepProgress) -> Void) {
    for number in numbers where steps.indices.contains(number) { body(&steps[number]) }
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
    if !uncertain.isEmpty { mayHaveBeenTaken = true }
    begunDraft = nil
    set(refused + uncertain, .open(mayHaveIt: false))
    for number in steps.indices { steps[number].retry() }
    attemptsOfRecipients = recipients.map { _ in 0 }
    momentsOfRecipients = recipients.map { _ in nil }
    (reachable, lastAttempt) = (0, nil)
    (failure, heldWords) = (nil, nil)
    (isReported, isSeen, retries) = (false, false, retries + 1)
  }
}

extension Entry {
  /// What it asks for messages of the server and is not done, by the records of its log; all where the log is `nil`,
  /// since it cannot be read.
  package func unsettledRequests(_ log: [LogRecord]?) -> [MessageRequest] {
    let requests = action.requests
    guard let log, !requests.isEmpty else { return requests }
    let steps = Progress(action, log).steps
    return zip(requests, steps).compactMap { $1.isSettled ? nil : $0 }
  }
}
