internal import MailStore

/// Asks behind changes, in their flight, what mailboxes are like after them: SELECT with QRESYNC tells what they and others
/// changed, and the HIGHESTMODSEQ that counts from then on (RFC 7162 §3.2.5).
struct LateReading {
  private let session: MailboxSession
  private let questions: [MailboxQuestion]
  private var readers: [(question: MailboxQuestion, reader: RemoteReader)] = []
  private var isSent = false

  init(_ session: MailboxSession, _ questions: [MailboxQuestion]) {
    self.session = session
    self.questions = questions
  }

  /// Sends the questions that the server can answer at once; does nothing the second time.
  ///
  /// All that was sent before is to be awaited before the answers.
  mutating func send() {
    guard !isSent else { return }
    isSent = true
    for question in questions {
      guard let token = question.token else { continue }
      var reader = RemoteReader(session, question.name)
      if reader.ask(since: token, octetsOfNew: nil) { readers.append((question, reader)) }
    }
  }

  /// Waits for the answers; one that the server refuses is left out.
  ///
  /// - Throws: what ends the connection.
  mutating func finish(_ late: inout LateQuestions) throws(SyncFailure) {
    while !readers.isEmpty {
      var (question, reader) = readers.removeFirst()
      do throws(SyncFailure) {
        late.take(try reader.takeChanges(), of: question.name)
      } catch {
        guard !error.endsConnection else { throw error }
      }
    }
  }
}
