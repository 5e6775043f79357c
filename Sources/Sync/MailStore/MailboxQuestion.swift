package import MailModel

/// What is to be learned of a mailbox: what changed since a run, or everything.
package struct MailboxQuestion: Hashable, Sendable {
  /// What a run before knew of a mailbox when it had seen all of it.
  package struct Token: Hashable, Sendable {
    /// Its UIDVALIDITY.
    package let validity: UInt32
    /// Its UIDNEXT; nil where it is not known.
    package let uidNext: UInt32?
    /// Its HIGHESTMODSEQ; nil where its word counts no more, so that everything is told anew.
    package let modSequence: UInt64?

    package init(validity: UInt32, uidNext: UInt32?, modSequence: UInt64?) {
      self.validity = validity
      self.uidNext = uidNext
      self.modSequence = modSequence
    }

    /// The same where everything is to be told anew.
    package var anew: Self { Self(validity: validity, uidNext: uidNext, modSequence: nil) }
  }

  package let name: MailboxName
  /// Since when; nil is from the beginning.
  package private(set) var token: Token?
  /// The UIDs of the messages that are known, ascending.
  package let known: [UInt32]
  /// The first day of which unknown messages are wanted, in seconds since 1970; nil is all.
  package let since: Int64?
  /// Days before that of which they are wanted too, in seconds since 1970.
  package var earlier: [Range<Int64>] = []
  /// The UIDs of messages with a pending expunge, which are no longer known: listed whatever their date is, and gone where the
  /// server has them no more.
  package var leaving: [UInt32] = []
  /// How many UIDs from UIDNEXT on are likely to be of new messages whose octets will be wanted: where they are few, they may come
  /// with the answer.
  package var newMessages: UInt32 = 0

  /// The known messages by their keywords, their UIDs ascending; nil where that is not told (see `StoreTraits.comparesKeywords`).
  package var keywords: [[UInt8]: [UInt32]]?
  /// The UIDs of the known messages that are drafts, ascending; empty where that is not told.
  package var drafts: [UInt32] = []

  /// The same question where everything is to be told anew.
  package var anew: MailboxQuestion {
    var question = self
    question.token = token?.anew
    return question
  }

  /// Whether everything is wanted of a mailbox of which nothing is known.
  package var isAboutAll: Bool {
    token == nil && known.isEmpty && since == nil && earlier.isEmpty && leaving.isEmpty
  }

  package init(
    _ name: MailboxName,
    since token: Token? = nil,
    known: [UInt32] = [],
    firstDay since: Int64? = nil
  ) {
    self.name = name
    self.token = token
    self.known = known
    self.since = since
  }
}
