internal import MailStore

/// Asks behind changes, in their flight, what mailboxes are like after them: SELECT with QRESYNC tells what they and others
/// changed, and the HIGHESTMODSEQ that counts from then on (RFC 7162 §3.2.5).
struct LateReading {
  private let session: MailboxSession
  /// The questions with what was answered.
  private(set) var late: LateQuestions
  private var readers: [(mailbox: MailboxReference, reader: RemoteReader)] = []
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
      guard let token = item.question.token else { continue }
      var reader = RemoteReader(session, item.mailbox.name)
      if reader.ask(since: token, octetsOfNew: nil) { readers.append((item.mailbox, reader)) }
    }
  }

  /// Waits for the answers.
  ///
  /// What fails here is no failure of the changes, which were answered before: where the connection is gone, the next command
  /// fails.
  mutating func finish() {
    while !readers.isEmpty {
      var (mailbox, reader) = readers.removeFirst()
      do throws(SyncFailure) {
        let answer = try reader.takeChanges()
        try mailbox.check(answer.identity)
        late.take(answer, of: mailbox.name)
      } catch {
        session.forget()
        guard error.endsConnection else { continue }
        session.connection.fail(error)
        readers = []
      }
    }
  }
}
