/// The guard that holds back deletions when so many at once look like an accident.
///
/// It trips at more than 20 and more than a quarter of the messages within 24 hours, or at all of at
/// least three, for a mailbox and for the account as a whole.
package struct Brake: Hashable, Sendable {
  /// Deletions in this mailbox in the last 24 hours.
  package var recentInMailbox: Int
  /// Deletions in the whole account in the last 24 hours, this run's other mailboxes included.
  package var recentInAccount: Int
  /// Messages in the whole account; 0 where the account is not to be judged.
  package var messagesInAccount: Int
  /// Whether the user let the deletions of this mailbox through.
  package var isReleased: Bool

  /// A brake from its counts.
  package init(
    recentInMailbox: Int = 0,
    recentInAccount: Int = 0,
    messagesInAccount: Int = 0,
    isReleased: Bool = false
  ) {
    self.recentInMailbox = recentInMailbox
    self.recentInAccount = recentInAccount
    self.messagesInAccount = messagesInAccount
    self.isReleased = isReleased
  }

  /// Takes deletions into account that are planned in other mailboxes.
  mutating func note(_ deletions: Int) {
    guard messagesInAccount > 0 else { return }
    recentInAccount += deletions
    messagesInAccount = max(1, messagesInAccount - deletions)
  }

  /// Whether `deletions` more in a mailbox that holds `messages` now are to be held back.
  package func holds(deletions: Int, of messages: Int) -> Bool {
    guard deletions > 0, !isReleased else { return false }
    if deletions == messages, messages >= 3 { return true }
    return Self.isMass(deletions, recent: recentInMailbox, of: messages)
      || messagesInAccount > 0
        && Self.isMass(deletions, recent: recentInAccount, of: messagesInAccount)
  }

  private static func isMass(_ deletions: Int, recent: Int, of messages: Int) -> Bool {
    deletions + recent > max(20, (messages + recent) / 4)
  }
}
