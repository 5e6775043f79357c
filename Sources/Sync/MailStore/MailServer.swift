package import SyncPlan

/// What is expected of a server before it was asked anything.
package struct ServerExpectation {
  /// What it said it can do when it was seen last; empty where nothing is known of that.
  package let capabilities: [[UInt8]]
  /// What its mailboxes are called here.
  package let naming: NamingRules
  /// Gives what is likely to be asked next; called as late as that is needed.
  package let questions: () -> [MailboxQuestion]

  package init(
    capabilities: [[UInt8]] = [],
    naming: NamingRules,
    questions: @escaping () -> [MailboxQuestion] = { [] }
  ) {
    self.capabilities = capabilities
    self.naming = naming
    self.questions = questions
  }
}

/// The way to an account's server.
package protocol MailServer: Sendable {
  /// A connection, with the server's mailboxes listed, in as few round trips as the server was seen to allow.
  ///
  /// `isWriting` says whether mailboxes are opened for changes. `expectation` is called once, while the connection is being made
  /// and the secret asked for, and before anything is sent; what it throws ends that. What is likely to be asked next is
  /// answered too, where that costs no round trip of its own.
  func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing)

  /// One more connection, or one in place of a broken one, with the same abilities.
  func openAnother(like store: StoreTraits, isWriting: Bool) throws(SyncFailure) -> any MailStore

  /// How many connections it allows at once; nil where no limit is known.
  var connectionLimit: Int? { get }

  /// Remembers a limit of the server that a connection met while so many others were open.
  func learn(from failure: SyncFailure, connections: Int)

  /// Has the password fetched anew for the next log-in: one is fetched once a run.
  func forgetPassword()

  /// Why nothing is changed there, whatever the configuration says; nil where it is.
  var reasonToPull: SyncFailure? { get }

  /// Looks whether the server is to be asked at all.
  ///
  /// - Throws: `secretRefusedBefore`, `pausing`.
  func checkStanding() throws(SyncFailure)

  /// Remembers a limit of the server; gives the failure with the time before which it is not to be asked again.
  func postponed(_ failure: SyncFailure) -> SyncFailure

  /// Remembers that the server served a run to its end; `isComplete` says that all mailboxes of the account were looked at, and
  /// all that was told of them is on record.
  func served(isComplete: Bool)
}

extension MailServer {
  /// Nothing speaks against changes.
  package var reasonToPull: SyncFailure? { nil }

  /// As above, where nothing is expected.
  package func open(
    isWriting: Bool,
    naming: NamingRules
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    try open(isWriting: isWriting) { () throws(SyncFailure) in ServerExpectation(naming: naming) }
  }
}

/// What happens on the way to a server.
package enum StoreEvent: Sendable {
  /// A connection is made.
  case connecting
  /// The user is logged in.
  case authenticating
  /// The token was refused, and another one is fetched.
  case refreshingToken
  /// The server's mailboxes are listed.
  case listing
  /// A step that is worth a line with -v.
  case step(String)
  /// A line of the protocol, secrets and bodies cut.
  case trace(String)
}

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
  /// Whether mailboxes are labels, so that one message is in several of them (Gmail).
  package var hasLabels: Bool
  /// Whether a mailbox holds a message once: what is put there again is named by the UID that it has (Gmail).
  package var holdsOnce: Bool
  /// Whether what is sent is kept without being put there (Gmail).
  package var keepsSent: Bool
  /// Whether questions are to tell which keywords the known messages have.
  package var comparesKeywords = false
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
    keepsSent: Bool,
    isEncrypted: Bool,
    words: [[UInt8]]
  ) {
    self.sizeLimit = sizeLimit
    self.movesAtOnce = movesAtOnce
    self.tellsVanished = tellsVanished
    self.batchesQuestions = batchesQuestions
    self.tellsMailboxIDs = tellsMailboxIDs
    self.hasLabels = hasLabels
    holdsOnce = hasLabels
    self.keepsSent = keepsSent
    self.isEncrypted = isEncrypted
    self.words = words
  }
}
