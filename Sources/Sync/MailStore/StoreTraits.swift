/// What a server can do, as far as its users need to know.
package struct StoreTraits: Hashable, Sendable {
  /// The largest message that it takes, in octets; nil where it names no limit.
  package var sizeLimit: UInt64?
  /// Whether what is moved to another mailbox leaves its own in the same step; if not, it is copied, and the original stays.
  package var movesAtOnce: Bool
  /// Whether it tells which messages went since the last run, so that no list of all is needed to know.
  package var tellsVanished: Bool
  /// Whether questions about several mailboxes take one round trip.
  package var batchesQuestions: Bool
  /// Whether it tells ids of mailboxes that stay when they are renamed.
  package var tellsMailboxIDs: Bool
  /// Whether mailboxes are labels, so that one message is in several of them, and what is sent is kept without being put
  /// there (Gmail).
  package var hasLabels: Bool
  /// Whether the connection to it is encrypted.
  package var isEncrypted: Bool
  /// What it says it can do, in its own words; a later run hands them to `MailServer.open`.
  package var words: [[UInt8]]

  package init(
    sizeLimit: UInt64?,
    movesAtOnce: Bool,
    tellsVanished: Bool,
    batchesQuestions: Bool,
    tellsMailboxIDs: Bool,
    hasLabels: Bool,
    isEncrypted: Bool,
    words: [[UInt8]]
  ) {
    self.sizeLimit = sizeLimit
    self.movesAtOnce = movesAtOnce
    self.tellsVanished = tellsVanished
    self.batchesQuestions = batchesQuestions
    self.tellsMailboxIDs = tellsMailboxIDs
    self.hasLabels = hasLabels
    self.isEncrypted = isEncrypted
    self.words = words
  }
}
