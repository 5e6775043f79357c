internal import MailModel
package import MailStore
internal import MessageContent
internal import Platform
internal import SyncPlan

/// A connection to a `MemoryServer`.
package final class MemoryStore: MailStore {
  let server: MemoryServer

  /// A connection.
  package init(_ server: MemoryServer) {
    self.server = server
  }

  package var traits: StoreTraits {
    let abilities = server.abilities
    return StoreTraits(
      sizeLimit: nil,
      movesAtOnce: abilities.movesAtOnce,
      tellsVanished: abilities.tellsVanished,
      batchesQuestions: abilities.tellsVanished,
      tellsMailboxIDs: abilities.tellsMailboxIDs,
      hasLabels: abilities.hasLabels,
      keepsSent: abilities.hasLabels,
      isEncrypted: true,
      words: []
    )
  }

  /// What mailboxes are called here.
  var naming = NamingRules.plain

  /// The mailbox that was opened last by itself, as it was then.
  var opened: (name: MailboxName, mailbox: MemoryMailbox)?

  /// Mailboxes as they were when they were asked about together with the list, and since when.
  var asked: [MailboxName: (token: MailboxQuestion.Token?, mailbox: MemoryMailbox)] = [:]

  package func resume(
    expecting expectation: ServerExpectation
  ) throws(SyncFailure) -> ServerListing {
    opened = nil
    asked = [:]
    naming = expectation.naming
    let listing = try list()
    try ask(expectation.questions())
    return listing
  }

  /// Looks again and again, as nothing tells it of changes.
  package func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd {
    var limit = order.limit(isChanged: order.isChanged)
    var isChanged = order.isChanged
    while true {
      if try hasChanged() { (isChanged, limit) = (true, order.limit(isChanged: true)) }
      if limit.isPast { return isChanged ? .changed : .timedOut }
      order.waker.wait(until: min(limit, .after(seconds: 0.005)), interruption: nil)
      if order.waker.clear() {
        order.waker.wake()
        return isChanged ? .changed : .woken
      }
    }
  }

  private func hasChanged() throws(SyncFailure) -> Bool {
    guard let before = opened else { return false }
    let now = try mailbox(named: before.name)
    opened = (before.name, now)
    return now != before.mailbox
  }

  package var tellsAll: Bool { false }

  package func checkAlive(within seconds: Double) throws(SyncFailure) {
    try server.request { () throws(SyncFailure) in }
  }

  package func drainAnswers() throws(SyncFailure) {}
  package func recover(from failure: SyncFailure) throws(SyncFailure) -> Bool { false }
  package func close() {}

  // MARK: Access

  static func text(_ name: MailboxName) -> String { String(decoding: name.wire, as: UTF8.self) }

  /// The mailbox that is meant.
  ///
  /// - Throws: where there is none of that name, or another one.
  func mailbox(_ reference: MailboxReference) throws(SyncFailure) -> MemoryMailbox {
    let found = try mailbox(named: reference.name)
    let identity = identity(found)
    guard identity.sharesUIDs(with: reference.identity) else {
      throw .mailbox(.identityChanged(from: reference.identity, to: identity))
    }
    return found
  }

  /// Asks something of the mailbox that is meant.
  func asking<Result>(
    _ reference: MailboxReference,
    _ body: (MemoryMailbox) throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    try server.request { () throws(SyncFailure) in try body(try mailbox(reference)) }
  }

  func mailbox(named name: MailboxName) throws(SyncFailure) -> MemoryMailbox {
    let text = Self.text(name)
    guard let found = server.read({ $0.mailboxes[text] }) else {
      throw .commandRefused(.select, ServerReply(.unspecified))
    }
    return found
  }

  func identity(_ mailbox: MemoryMailbox) -> MailboxIdentity {
    MailboxIdentity(
      validity: mailbox.validity,
      serverID: server.abilities.tellsMailboxIDs ? Array(mailbox.id.utf8) : []
    )
  }

  /// Changes the mailbox that is meant; in the round trip of something else where it is asked behind that.
  func change<Result: Sendable>(
    _ reference: MailboxReference,
    isBehind: Bool = false,
    _ body: @Sendable (inout MemoryMailbox) -> Result
  ) throws(SyncFailure) -> Result {
    try server.request(isBehind: isBehind) { () throws(SyncFailure) in
      var copy = try mailbox(reference)
      let name = Self.text(reference.name)
      let unchanged = body(&copy)
      let result = try attempt { () throws(SystemError) in
        try server.change { content in
          content.mailboxes[name].map { mailbox -> Result in
            var mailbox = mailbox
            let result = body(&mailbox)
            content.replace(name, with: mailbox)
            return result
          }
        }
      }
      return result ?? unchanged
    }
  }
}

extension MemoryMailbox.Message {
  /// The message as the server describes it.
  func described(_ uid: UInt32) -> RemoteMessage {
    RemoteMessage(
      uid: uid,
      flags: MessageFlags(imapNames: flags.sorted().map { Array($0.utf8) }),
      size: UInt64(octets.count),
      date: date
    )
  }

  /// What it holds.
  var facts: ContentReading.Facts {
    var reading = ContentReading()
    reading.readOctets(octets[...])
    return reading.finish()
  }
}
