internal import Foundation
internal import MailModel
package import MailStore
package import Platform

/// A mail server in memory, with switches for what servers lack; its mail can lie in a file, so that it outlives a process.
package final class MemoryServer: MailServer, Sendable {
  /// What the server can do.
  package struct Abilities: Codable, Sendable {
    /// Whether it moves messages in one step.
    package var movesAtOnce = true
    /// Whether it expunges single messages, and names the UIDs that messages get.
    package var hasUIDPlus = true
    /// Whether it keeps modification sequences.
    package var hasModSequences = true
    /// Whether it tells which messages went.
    package var tellsVanished = true
    /// Whether it tells ids of mailboxes.
    package var tellsMailboxIDs = true
    /// Whether its list tells the status of all mailboxes.
    package var listsStatus = true

    /// A server that lacks nothing.
    package init() {}

    /// A server that lacks everything.
    package static var bare: Abilities {
      var abilities = Abilities()
      abilities.movesAtOnce = false
      abilities.hasUIDPlus = false
      abilities.hasModSequences = false
      abilities.tellsVanished = false
      abilities.tellsMailboxIDs = false
      abilities.listsStatus = false
      return abilities
    }
  }

  /// All mail of one user.
  package struct Content: Codable, Sendable {
    /// The mailboxes by their names on the wire.
    package var mailboxes: [String: MemoryMailbox] = [:]
    /// The next UIDVALIDITY.
    package var nextValidity: UInt32 = 1_000
    /// What the server can do.
    package var abilities = Abilities()

    /// Makes a mailbox; whatever has the name goes.
    package mutating func make(_ name: String, use: String = "") {
      nextValidity += 1
      var mailbox = MemoryMailbox(validity: nextValidity, id: "F\(nextValidity)")
      mailbox.use = use
      mailboxes[name] = mailbox
    }
  }

  private let content: Monitor<Content>
  private let file: Path?
  private let trips = Monitor(0)

  /// A server with an INBOX and a mailbox for what is removed; its mail is kept in `file` where there is one.
  package init(_ abilities: Abilities = Abilities(), file: Path? = nil) throws {
    self.file = file
    if let file, let octets = try FileSystem.readFile(file, limit: 1 << 30) {
      content = Monitor(try JSONDecoder().decode(Content.self, from: Data(octets)))
      return
    }
    var content = Content()
    content.abilities = abilities
    content.make("INBOX")
    content.make("Trash", use: "\\Trash")
    self.content = Monitor(content)
    try change { _ in }
  }

  /// What the server can do.
  package var abilities: Abilities { content.withLock { $0.abilities } }

  /// How many round trips were made to it, from the first connection on.
  package var roundTrips: Int { trips.withLock { $0 } }

  /// Looks at the mail.
  package func read<Result: Sendable>(_ body: @Sendable (Content) -> Result) -> Result {
    content.withLock { body($0) }
  }

  /// Changes the mail; it is in its file when it returns.
  package func change<Result: Sendable>(
    _ body: @Sendable (inout Content) -> Result
  ) throws(SystemError) -> Result {
    FaultPoint.pass("server before")
    let (result, after) = content.withLock { content in
      let result = body(&content)
      return (result, content)
    }
    if let file, let octets = try? JSONEncoder().encode(after) {
      try AtomicFile.replace(file, with: Array(octets))
    }
    FaultPoint.pass("server after")
    return result
  }

  /// Something was asked and answered.
  func noteRoundTrip() {
    trips.withLock { $0 += 1 }
  }

  // MARK: MailServer

  package func open(
    remembering words: [[UInt8]],
    isWriting: Bool
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let store = MemoryStore(self)
    return (store, try store.list())
  }

  package func openAnother(
    like traits: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> any MailStore {
    MemoryStore(self)
  }

  package var connectionLimit: Int? { nil }
  package func learn(from failure: SyncFailure, connections: Int) {}
  package func checkStanding() throws(SyncFailure) {}
  package func postponed(_ failure: SyncFailure) -> SyncFailure { failure }
  package func served() {}
}
