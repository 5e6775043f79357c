/// The way to an account's server.
package protocol MailServer: Sendable {
  /// A connection, with the server's mailboxes listed, in as few round trips as the server was seen to allow.
  ///
  /// `words` are what it said it can do when it was seen last, `isWriting` whether mailboxes are opened for changes, and
  /// `questions` gives what is likely to be asked next, as late as that is needed; where it costs no round trip of its own, it is
  /// answered too.
  func open(
    remembering words: [[UInt8]],
    isWriting: Bool,
    expecting questions: @escaping () -> [MailboxQuestion]
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing)

  /// One more connection, or one in place of a broken one, with the same abilities.
  func openAnother(like store: StoreTraits, isWriting: Bool) throws(SyncFailure) -> any MailStore

  /// How many connections it allows at once; nil where no limit is known.
  var connectionLimit: Int? { get }

  /// Remembers a limit of the server that a connection met while so many others were open.
  func learn(from failure: SyncFailure, connections: Int)

  /// Looks whether the server is to be asked at all.
  ///
  /// - Throws: `secretRefusedBefore`, `pausing`.
  func checkStanding() throws(SyncFailure)

  /// Remembers a limit of the server; gives the failure with the time before which it is not to be asked again.
  func postponed(_ failure: SyncFailure) -> SyncFailure

  /// Remembers that the server served a run to its end.
  func served()
}

extension MailServer {
  /// As above, where nothing is known of what will be asked.
  package func open(
    remembering words: [[UInt8]],
    isWriting: Bool
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    try open(remembering: words, isWriting: isWriting, expecting: { [] })
  }
}
