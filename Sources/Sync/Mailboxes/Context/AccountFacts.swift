package import MailModel
package import MailStore
internal import Platform
package import SyncPlan
internal import SyncState

/// What a run has found out about the account's server, for all who work on it.
package final class AccountFacts: Sendable {
  private struct Knowledge: Sendable {
    var names = MailboxNames.plain
    var hasLabels = false
    var holdsOnce = false
    var movesAtOnce = true
    var otherThanLabels: Set<MailboxName> = []
    var listed: [MailboxName: UInt32?] = [:]
    var firstListed: [MailboxName: MailboxPlace]?
    var moved: [MailboxName: [MovedMessage]] = [:]
    var hasUnseen = false
    var leavesFolders = false
    var withheld: Set<UInt64> = []
    var formerNames: [UInt64: MailboxName] = [:]
    var putOff: [UInt64: MailboxName] = [:]
    var canPutOff = true
    var partTroubles: [UInt64: Int] = [:]
  }

  /// A message that the run moved to another mailbox.
  package struct MovedMessage: Sendable {
    /// The mailbox that it was in, by id.
    package let source: UInt64
    /// The UIDVALIDITY of that.
    package let validity: UInt32
    package let uid: UInt32
    /// Its UID where it is now.
    package let newUID: UInt32

    package init(source: UInt64, validity: UInt32, uid: UInt32, newUID: UInt32) {
      self.source = source
      self.validity = validity
      self.uid = uid
      self.newUID = newUID
    }
  }

  private let knowledge = Monitor(Knowledge())

  /// Nothing is found out yet.
  package init() {}

  /// What mailboxes are called here.
  package var names: MailboxNames { knowledge.withLock { $0.names } }

  /// Mailboxes are called so here, by what the last run recorded or what the server says.
  package func learn(_ names: MailboxNames) { knowledge.withLock { $0.names = names } }

  /// Whether mailboxes are labels, so that one message is in several of them (Gmail).
  var hasLabels: Bool { knowledge.withLock { $0.hasLabels } }

  /// Whether a mailbox holds a message once.
  var holdsOnce: Bool { knowledge.withLock { $0.holdsOnce } }

  /// Where mailboxes are labels: those that are none, such as Trash and views of all messages.
  var otherThanLabels: Set<MailboxName> { knowledge.withLock { $0.otherThanLabels } }

  /// These mailboxes are no labels, where others are.
  package func noteOtherThanLabels(_ names: Set<MailboxName>) {
    knowledge.withLock { $0.otherThanLabels = names }
  }

  /// Whether what is moved to another mailbox leaves its own in the same step.
  var movesAtOnce: Bool { knowledge.withLock { $0.movesAtOnce } }

  /// The mailboxes that the server listed when the run began, with the UIDNEXT that it told; nil where it told none.
  package var listed: [MailboxName: UInt32?] { knowledge.withLock { $0.listed } }

  /// UIDNEXT and UIDVALIDITY of mailboxes as the server told them before any was opened; none where it told nothing.
  package var firstListed: [MailboxName: MailboxPlace] {
    knowledge.withLock { $0.firstListed ?? [:] }
  }

  /// What the run moved, by the mailbox that it went to, as far as the server told the UIDs.
  package var moved: [MailboxName: [MovedMessage]] { knowledge.withLock { $0.moved } }

  /// Whether some of them came while the run renamed and made others: what they hold is seen by the next run alone.
  package var hasUnseen: Bool { knowledge.withLock { $0.hasUnseen } }

  /// Whether folders are left alone in this run of which no mailbox was made, whatever they hold.
  var leavesFolders: Bool { knowledge.withLock { $0.leavesFolders } }

  /// Mailboxes, by id, whose folders could not be brought into their places: the server may have them under other names.
  package var withheld: Set<UInt64> { knowledge.withLock { $0.withheld } }

  /// These mailboxes take no part in the run.
  package func withhold(_ mailboxes: Set<UInt64>) {
    knowledge.withLock { $0.withheld = mailboxes }
  }

  /// The server has these mailboxes, some of which the run does not see, and folders are left that are none of them.
  package func found(_ listing: ServerListing, hasUnseen: Bool, leavesFolders: Bool) {
    var listed: [MailboxName: UInt32?] = [:]
    var places: [MailboxName: MailboxPlace] = [:]
    for mailbox in listing.mailboxes where mailbox.isSelectable {
      listed[mailbox.name] = .some(mailbox.status?.uidNext)
      places[mailbox.name] = mailbox.status.flatMap { MailboxPlace($0) }
    }
    knowledge.withLock { [listed, places] in
      $0.listed = listed
      if $0.firstListed == nil { $0.firstListed = places }
      $0.hasUnseen = hasUnseen
      $0.leavesFolders = leavesFolders
    }
  }

  /// The names that mailboxes had before this run, by their ids, where they have other ones now.
  package func renamed(from names: [UInt64: MailboxName]) {
    knowledge.withLock { $0.formerNames.merge(names) { first, _ in first } }
  }

  /// The name that a mailbox had before this run; nil where it has that still.
  package func formerName(of mailbox: MirroredMailbox) -> MailboxName? {
    knowledge.withLock { $0.formerNames[mailbox.id] }
  }

  /// What the server said it can do.
  package func learn(_ traits: StoreTraits) {
    knowledge.withLock {
      $0.hasLabels = traits.hasLabels
      $0.holdsOnce = traits.holdsOnce
      $0.movesAtOnce = traits.movesAtOnce
    }
  }

  /// The run moved these messages to a mailbox.
  package func moved(_ messages: [MovedMessage], to target: MailboxName) {
    knowledge.withLock { $0.moved[target, default: []] += messages }
  }

  /// The run moved messages of a mailbox to another one: the pairs have their UIDs here and there.
  package func moved(_ pairs: [UInt32: UInt32], of mailbox: OpenMailbox, to target: MailboxName) {
    let header = mailbox.state.header
    let messages = pairs.map {
      MovedMessage(source: header.id, validity: header.validity, uid: $0.key, newUID: $0.value)
    }
    moved(messages, to: target)
  }

  // MARK: Mailboxes that may be others

  /// Puts a mailbox off until renames were looked for: its UIDVALIDITY is not the one that was listed.
  ///
  /// False where that was done before.
  func putOff(_ mailbox: MirroredMailbox) -> Bool {
    knowledge.withLock {
      guard $0.canPutOff else { return false }
      $0.putOff[mailbox.id] = mailbox.name
      return true
    }
  }

  /// Whether a mailbox waits for that.
  package func isPutOff(_ mailbox: MirroredMailbox) -> Bool {
    knowledge.withLock { $0.canPutOff && $0.putOff[mailbox.id] != nil }
  }

  /// Whether any mailbox was put off.
  package var hasPutOff: Bool { knowledge.withLock { !$0.putOff.isEmpty } }

  /// The names of those that were put off.
  package var namesPutOff: Set<MailboxName> { knowledge.withLock { Set($0.putOff.values) } }

  /// From now on mailboxes are what they seem.
  package func endPuttingOff() {
    knowledge.withLock { $0.canPutOff = false }
  }

  // MARK: Parts of messages

  /// How often a connection may break over questions about parts of messages before no more of them are asked.
  private static let partTroubleLimit = 2

  /// Whether the server is asked about parts of messages of a mailbox, by its id: not where that led to nothing.
  package func asksAboutParts(in mailbox: UInt64) -> Bool {
    knowledge.withLock { $0.partTroubles[mailbox, default: 0] < Self.partTroubleLimit }
  }

  /// Notes that the connection broke while the server was asked about parts, before any of them had come.
  ///
  /// - Parameters:
  ///   - failure: how it broke. An answer that breaks the protocol is given again; a connection may break by chance once.
  ///   - mailbox: the id of the mailbox.
  package func notePartTrouble(_ failure: SyncFailure, in mailbox: UInt64) {
    let weight = failure.isProtocolViolation ? Self.partTroubleLimit : 1
    knowledge.withLock { $0.partTroubles[mailbox, default: 0] += weight }
  }
}
