package import Configuration
package import SpoolPlan

/// How a queue is worked on.
package struct QueueOptions: Sendable {
  /// When what was refused is tried again.
  package var schedule = RetrySchedule.standard

  /// The only entries to work on, of those that are there; `nil` for all.
  package var only: Set<EntryID>?

  /// Whether it was asked for, whatever is in the way of the account, and whatever waits.
  package var isForced = false

  /// Whether mail is sent and nothing else done: the queue is another user's, who has no mailboxes of the account.
  package var sendsOnly = false

  /// A message that was handed in just now, and earns an attempt whatever keeps the others waiting; `nil` for none.
  package var fresh: EntryID?

  /// The most recipients in one transaction where the server does not say.
  package var recipientLimit = 100

  /// The usual ways.
  package init() {}
}

extension RetrySchedule {
  /// Takes over what an account says.
  mutating func apply(_ rules: RetryRules) {
    if let delays = rules.delays { self.delays = delays }
    if let lifetime = rules.lifetime { self.lifetime = lifetime }
    if let uncertain = rules.uncertain { self.uncertain = uncertain }
  }
}

/// An account that hands in messages, and how it comes to its server.
package struct Submitter: Sendable {
  let sender: Sender
  let dialer: SubmissionDialer
  /// The user in whose name programs run that take messages over; nil for that of this process.
  let user: UInt32?

  /// An account with what makes connections for it, and the user who sends with it where all users share it.
  package init(_ sender: Sender, _ dialer: SubmissionDialer, user: UInt32? = nil) {
    self.sender = sender
    self.dialer = dialer
    self.user = user
  }

  /// Whether root's own mail would be given to a program by an account that all users share: no such program runs as root.
  var isRootsOwn: Bool { user == 0 }

  /// The server for the log of deliveries: host and port, or the program.
  var server: String {
    switch sender.server {
    case .implicitTLS(let host, let port), .startTLS(let host, let port),
      .plain(let host, let port):
      "\(host):\(port)"
    case .command(let words): words.first ?? ""
    case .program(let program): program.words.first ?? ""
    }
  }
}
