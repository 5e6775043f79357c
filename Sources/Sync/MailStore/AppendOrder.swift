package import MailModel

/// Messages that are to be put into a mailbox, and what is asked behind that.
package struct AppendOrder {
  package let target: MailboxName
  package let messages: [any MessageSource]
  package let late: LateQuestions

  package init(
    _ messages: [any MessageSource],
    to target: MailboxName,
    asking late: LateQuestions = LateQuestions()
  ) {
    self.messages = messages
    self.target = target
    self.late = late
  }
}

/// What came of an `AppendOrder`.
package struct AppendAnswer {
  /// What came of each message.
  package let results: [AppendResult]
  /// The questions with what was answered.
  package let late: LateQuestions

  package init(_ results: [AppendResult], _ late: LateQuestions) {
    (self.results, self.late) = (results, late)
  }
}
