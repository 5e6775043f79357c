internal import MailStore

/// Asks behind changes, in the same round trip, what mailboxes are like after them: SELECT with QRESYNC tells what they and
/// others changed, and the HIGHESTMODSEQ that counts from then on (RFC 7162 §3.2.5).
struct LateReading {
  private let session: MailboxSession
  /// The questions with what was answered.
  private(set) var late: LateQuestions
  private var sent: [(mailbox: MailboxReference, question: EarlyQuestion)] = []
  private var isSent = false

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
      if let question = EarlyQuestion(session, item.question, octetsOfEach: nil) {
        sent.append((item.mailbox, question))
      }
    }
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
        late.take(answer, of: mailbox.name)
      } catch {
        session.forget()
        guard error.endsConnection else { continue }
        session.connection.fail(error)
        sent = []
      }
    }
  }
}
