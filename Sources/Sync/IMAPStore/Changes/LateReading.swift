internal import IMAP
internal import MailStore
internal import SyncPlan

/// Asks behind changes, in the same round trip, what mailboxes are like after them: SELECT with QRESYNC tells what they and
/// others changed, and the HIGHESTMODSEQ that counts from then on (RFC 7162 §3.2.5).
struct LateReading {
  private let session: MailboxSession
  /// The questions with what was answered.
  private(set) var late: LateQuestions
  private var sent: [(mailbox: MailboxReference, question: PrefetchedQuestion)] = []
  private var isSent = false
  /// The commands that ask for arrivals; the mailbox is opened where it is not.
  private var arrivals: (opening: CommandTag?, fetch: CommandTag)?

  init(_ session: MailboxSession, _ late: LateQuestions) {
    self.session = session
    self.late = late
  }

  /// Sends the questions that the server can answer at once; does nothing the second time.
  ///
  /// All that was sent before is to be awaited before the answers.
  mutating func send() {
    guard !isSent else { return }
    isSent = true
    for item in late.questions {
      if let question = PrefetchedQuestion(session, item.question, octetsOfEach: nil) {
        sent.append((item.mailbox, question))
      }
    }
    // The answer to a question about the mailbox tells of them too.
    guard let place = late.arrivals?.mailbox, let first = late.arrivals?.first,
      !sent.contains(where: { $0.mailbox == place })
    else { return }
    let connection = session.connection
    let opening = session.isOpen(place) ? nil : connection.send(session.opening(place.name, nil))
    let fetch = connection.send(.uidFetch(.from(first), FetchItem.metadata, changedSince: nil))
    arrivals = (opening, fetch)
  }

  /// Waits for the answers.
  ///
  /// What fails here is no failure of the changes, which were answered before: where the connection is gone, the next command
  /// fails.
  mutating func finish() {
    while !sent.isEmpty {
      var (mailbox, question) = sent.removeFirst()
      do throws(SyncFailure) {
        try question.finish()
        guard let answer = try question.changes() else { continue }
        try mailbox.check(answer.identity)
        late.recordAnswer(answer, of: mailbox.name)
      } catch {
        session.forget()
        guard error.endsConnection else { continue }
        session.connection.fail(error)
        (sent, arrivals) = ([], nil)
      }
    }
    guard let (opening, fetch) = arrivals.take(), let place = late.arrivals?.mailbox else { return }
    do throws(SyncFailure) {
      late.recordArrivals(try arrived(in: place, opening, fetch))
    } catch {
      session.forget()
      if error.endsConnection { session.connection.fail(error) }
    }
  }

  /// What the server tells of the messages that were put into a mailbox.
  private func arrived(
    in place: MailboxReference,
    _ opening: CommandTag?,
    _ fetch: CommandTag
  ) throws(SyncFailure) -> [RemoteMessage] {
    var replies = MailboxReplies(session, place.name)
    do throws(SyncFailure) {
      if let opening {
        try replies.finishOpening(opening)
        try place.check(replies.listing.mailbox.identity)
      }
    } catch {
      if !error.endsConnection { _ = try session.connection.finish(fetch) }
      throw error
    }
    try replies.finishFetch(fetch)
    return Array(replies.listing.messages)
  }
}
