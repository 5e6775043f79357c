internal import MailModel
internal import MailStore

/// Questions about several mailboxes that were sent together, and their answers.
///
/// They may go out before anything is known of the mailboxes but what the last run saw.
///
/// While answers are under way, no other command may be sent: they would be taken for answers to it. Also, the mailbox that is
/// open here need not be the one that is open on the server. So the session is had only behind the last of them.
struct PipelinedQuestions {
  private let session: MailboxSession
  /// In the order in which they were sent.
  private var sent: [(question: MailboxQuestion, prefetched: PrefetchedQuestion)] = []
  /// Messages that came before they were asked for, by their mailbox.
  private var messages: [MailboxName: PrefetchedMessages] = [:]

  init(_ session: MailboxSession) {
    self.session = session
  }

  /// The connection over which they are asked.
  var connection: Connection { session.connection }

  /// Whether QRESYNC is on.
  var isQuickResync: Bool { session.isQuickResync }

  /// Sends those that the server can answer at once, where not all of them were sent already.
  ///
  /// The answers are all of the same moment, and the last mailbox is open in the end. Earlier questions about some of them are
  /// asked again with the others, except for octets of messages that are here. What was asked of other mailboxes is given up.
  mutating func send(_ questions: [MailboxQuestion]) throws(SyncFailure) {
    // An answer under way would be taken for one to what comes next.
    _ = try finish()
    messages = [:]
    let questions = questions.filter { PrefetchedQuestion.canAsk($0, session) }
    guard !questions.allSatisfy(isSent) else {
      return sent.removeAll { asked in !questions.contains { $0.name == asked.question.name } }
    }
    let here = sent
    sent = []
    let limit = PrefetchedMessages.limit(for: questions.reduce(0) { $0 + Int($1.newMessages) })
    for question in questions {
      let earlier = here.first { $0.question.name == question.name }?.prefetched.messages
      if let prefetched = PrefetchedQuestion(
        session,
        question,
        octetsOfEach: limit,
        holding: earlier
      ) {
        sent.append((question, prefetched))
      }
    }
  }

  private func isSent(_ question: MailboxQuestion) -> Bool {
    sent.contains { $0.question.name == question.name && $0.question.token == question.token }
  }

  /// The answer to a question about a mailbox that was sent; nil where it has to be asked (anew).
  ///
  /// - Throws: what the server refused; `SyncFailure` that ends the connection.
  mutating func answer(to question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox? {
    // Where the mailbox is read anew, that tells newer flags than the messages that came early have.
    messages[question.name] = nil
    guard let place = sent.firstIndex(where: { $0.question.name == question.name }) else {
      return nil
    }
    for earlier in sent.indices.prefix(place + 1) { try sent[earlier].prefetched.finish() }
    let prefetched = sent.remove(at: place).prefetched
    guard let answer = try prefetched.answer(to: question) else { return nil }
    messages[question.name] = prefetched.messages
    return answer
  }

  /// Waits for all answers that are under way; gives the session over which anything can be asked then.
  mutating func finish() throws(SyncFailure) -> MailboxSession {
    for place in sent.indices { try sent[place].prefetched.finish() }
    return session
  }

  /// Waits for the answers to questions that were sent before the mailboxes were listed; gives a limit that the server named for
  /// one of them.
  ///
  /// What it refused is sent once more where its answer is wanted.
  ///
  /// - Throws: `SyncFailure` that ends the connection, or the time for which the server wants to be left alone.
  mutating func finishEarly() throws(SyncFailure) -> SyncFailure? {
    _ = try finish()
    let limits = sent.compactMap(\.prefetched.limit)
    if let pause = limits.first(where: \.wantsPause) { throw pause }
    sent.removeAll(where: \.prefetched.isRefused)
    return limits.first
  }

  /// Discards the answers that were not taken, once none is under way.
  mutating func forgetAnswers() { sent = [] }

  /// Gives up all answers.
  mutating func forget() {
    sent = []
    messages = [:]
  }

  /// Gives what is here of an order to its sink; what is left of it is to be asked for.
  mutating func serve(_ order: FetchOrder) throws(SyncFailure) -> FetchOrder {
    try messages[order.mailbox.name]?.serve(order) ?? order
  }
}
