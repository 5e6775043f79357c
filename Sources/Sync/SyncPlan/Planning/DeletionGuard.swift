/// The guard that holds back deletions when so many at once look like an accident.
///
/// It trips at more than 20 and more than a quarter of the messages within 24 hours, for a mailbox and for the account as a
/// whole. It also trips where a mailbox lost all of at least three messages.
package struct DeletionGuard: Hashable, Sendable {
  /// Deletions in this mailbox in the last 24 hours.
  package var recentInMailbox: Int
  /// Deletions in the whole account in the last 24 hours, this run's other mailboxes included.
  package var recentInAccount: Int
  /// Messages in the whole account; 0 where the account is not to be judged.
  package var messagesInAccount: Int
  /// Whether the user let the deletions of this mailbox through.
  package var isOverridden: Bool
  /// Whether the user said that what is missing here was removed by mistake, and is to be fetched again.
  package var fetchesAgain = false

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

  /// Adds deletions that are planned in other mailboxes.
  mutating func addDeletions(_ deletions: Int) {
    guard messagesInAccount > 0 else { return }
    recentInAccount += deletions
    messagesInAccount = max(1, messagesInAccount - deletions)
  }

  /// Whether what one side of a mailbox lost looks like an accident, `deletions` being what would follow.
  package func trips(deletions: Int, after losses: Losses) -> Bool {
    guard deletions > 0, !isOverridden else { return false }
    if losses.lost == losses.possible, losses.lost >= 3 { return true }
    return Self.isMass(deletions, recent: recentInMailbox, of: losses.possible)
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

/// Of which sides of a mailbox the deletion guard holds back what was lost there.
///
/// What comes to the mailbox meanwhile makes the losses look smaller than they were: they are held back until they are let
/// through, or nothing is lost after all.
package struct BlockedDeletions: Hashable, Sendable {
  /// Those here: messages whose files are gone stay on the server.
  package var here: Bool
  /// Those of the server: files whose messages are gone stay here.
  package var there: Bool

  /// Those of neither side.
  package static let none = BlockedDeletions(here: false, there: false)

  /// Those of either.
  func union(_ other: BlockedDeletions) -> BlockedDeletions {
    BlockedDeletions(here: here || other.here, there: there || other.there)
  }

  package init(here: Bool, there: Bool) {
    self.here = here
    self.there = there
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

  package init(lost: Int = 0, possible: Int = 0) {
    self.lost = lost
    self.possible = possible
  }

  /// Takes a message into account.
  mutating func count(isLost: Bool) {
    possible += 1
    if isLost { lost += 1 }
  }
}
