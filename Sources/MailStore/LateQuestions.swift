package import MailModel

/// Questions that are sent behind changes, in their flight: what mailboxes are like after them.
///
/// A store that cannot tell what changed leaves them unanswered, as where it would cost a round trip.
package struct LateQuestions {
  /// The questions, in the order in which they are asked: the mailbox of the last one is open then.
  package let questions: [MailboxQuestion]
  /// What was answered: sizes and dates may be missing.
  package private(set) var answers: [MailboxName: RemoteMailbox] = [:]

  /// Questions that were not answered yet, or none.
  package init(_ questions: [MailboxQuestion] = []) {
    self.questions = questions
  }

  /// The mailbox is like that.
  package mutating func take(_ answer: RemoteMailbox, of mailbox: MailboxName) {
    answers[mailbox] = answer
  }
}
