/// The guard that holds back deletions when so many at once look like an accident.
///
/// It trips at more than 20 and more than a quarter of the messages within 24 hours, for a mailbox and for the account
/// as a whole, or where a mailbox lost all of at least three messages.
package struct DeletionGuard: Hashable, Sendable {
  /// Deletions in this mailbox in the last 24 hours.
  package var recentInMailbox: Int
  /// Deletions in the whole account in the last 24 hours, this run's other mailboxes included.
  package var recentInAccount: Int
  /// Messages in the whole account; 0 where the account is not to be judged.
  package var messagesInAccount: Int
  /// Whether the user let the deletions of this mailbox through.
  package var isOverridden: Bool

  /// A deletion guard from its counts.
  package init(
    recentInMailbox: Int,
    recentInAccount: Int,
    messagesInAccount: Int,
    isOverridden: Bool
  ) {
    self.recentInMailbox = recentInMailbox
    self.recentInAccount = recentInAccount
    self.messagesInAccount = messagesInAccount
    self.isOverridden = isOverridden
  }

  /// Takes deletions into account that are planned in other mailboxes.
  mutating func note(_ deletions: Int) {
    guard messagesInAccount > 0 else { return }
    recentInAccount += deletions
    messagesInAccount = max(1, messagesInAccount - deletions)
  }

  /// Whether `deletions` more are to be blocked in a mailbox of which one side suffered the losses.
  package func holds(deletions: Int, after losses: Losses) -> Bool {
    guard deletions > 0, !isOverridden else { return false }
    if losses.lost == losses.possible, losses.lost >= 3 { return true }
    return Self.isMass(deletions, recent: recentInMailbox, of: losses.possible)
      || holdsInAccount(deletions)
  }

  /// Whether `deletions` more are to be blocked because of the account as a whole.
  package func holdsInAccount(_ deletions: Int) -> Bool {
    guard deletions > 0, !isOverridden, messagesInAccount > 0 else { return false }
    return Self.isMass(deletions, recent: recentInAccount, of: messagesInAccount)
  }

  private static func isMass(_ deletions: Int, recent: Int, of messages: Int) -> Bool {
    deletions + recent > max(20, (messages + recent) / 4)
  }
}

/// What one side of a mailbox lost of the messages that both sides agreed on.
///
/// Only what could have been lost there is compared: what was moved, on either side, counts neither as lost nor as
/// kept, and no more does what is gone on both sides or came since.
package struct Losses: Hashable, Sendable {
  /// Messages that are gone from that side.
  package var lost = 0
  /// Messages that could be.
  package var possible = 0

  /// Takes a message into account.
  mutating func count(isLost: Bool) {
    possible += 1
    if isLost { lost += 1 }
  }
}
