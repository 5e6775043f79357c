package import MailModel
package import SyncPlan

/// Questions about mailboxes that are pipelined behind changes: what these are like after them.
///
/// A question stays unanswered where the answer would cost a round trip of its own. The same holds where the server refuses it,
/// or another mailbox has the name by then.
package struct LateQuestions {
  /// One of them.
  package struct Question {
    /// What is asked; it has a token.
    package let question: MailboxQuestion
    /// The mailbox that is meant.
    package let mailbox: MailboxReference

    package init(_ question: MailboxQuestion, about mailbox: MailboxReference) {
      self.question = question
      self.mailbox = mailbox
    }
  }

  /// The questions, in the order in which they are asked: the mailbox of the last one is open then.
  package let questions: [Question]
  /// What was answered: sizes and dates may be missing.
  package private(set) var answers: [MailboxName: RemoteMailbox] = [:]
  /// Where messages are put, and the lowest UID that they can have: what the server makes of them is asked; nil for nothing.
  package var arrivals: (mailbox: MailboxReference, first: UInt32)?
  /// What it told of them, by UID.
  package private(set) var arrived: [UInt32: RemoteMessage] = [:]

  package init(_ questions: [Question] = []) {
    self.questions = questions
  }

  /// Records the state of the mailbox.
  package mutating func recordAnswer(_ answer: RemoteMailbox, of mailbox: MailboxName) {
    answers[mailbox] = answer
    if arrivals?.mailbox.name == mailbox { recordArrivals(answer.view.listed) }
  }

  /// Records messages of the mailbox of the arrivals.
  package mutating func recordArrivals(_ messages: some Sequence<RemoteMessage>) {
    guard let first = arrivals?.first else { return }
    for message in messages where message.uid >= first { arrived[message.uid] = message }
  }
}
