/// What people want to know of a message that a plan moves.
package struct MoveDetails: Hashable, Sendable {
  /// The mailbox at the other end: where it goes, or where its file comes from.
  package let mailbox: String
  /// The value of its field Subject; nil where it has none, or the plan is carried out.
  package let subject: [UInt8]?

  package init(mailbox: String, subject: [UInt8]?) {
    self.mailbox = mailbox
    self.subject = subject
  }
}
