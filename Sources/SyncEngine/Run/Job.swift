internal import MailModel

/// Mailboxes that are worked on together over one connection; as a rule just one.
struct Job: Sendable {
  /// In the order of work.
  let mailboxes: [MirroredMailbox]

  /// What tells it from other jobs of the run.
  var id: UInt64 { mailboxes.first?.id ?? 0 }

  /// What people call it; nil where it is several mailboxes.
  var display: String? { mailboxes.count == 1 ? mailboxes[0].path.display : nil }

  /// About how many messages are to be fetched.
  var expectedMessages: Int { mailboxes.reduce(0) { $0 + $1.expectedMessages } }
}
