internal import MailModel
package import MailStore
package import Platform
internal import Transport

/// A mail server in memory, with switches for what servers lack; its mail can be kept outside, so that it outlives a process.
package final class MemoryServer: MailServer, Sendable {
  /// What happens to a run that asks the server.
  ///
  /// Requests are numbered from 1; each message that is fetched or put into a mailbox is one of its own.
  package struct Interference: Sendable {
    /// Called before each request, with its number: changes the mail as another client would.
    package var before: @Sendable (Int, inout MemoryContent) -> Void = { _, _ in }
    /// The request before which the connection breaks.
    package var cutBefore: Int?
    /// The request after which the connection breaks: it is done, and nobody hears of it.
    package var cutAfter: Int?
    /// What each connection fails with.
    package var failure: SyncFailure?
    /// The messages over which the connection breaks whenever they are sent.
    package var breaksOver: @Sendable ([UInt8]) -> Bool = { _ in false }
    /// The messages over which the connection breaks whenever they are fetched.
    package var breaksOverFetched: @Sendable ([UInt8]) -> Bool = { _ in false }
    /// Called with the octets of each message that is put into a mailbox, before it is there.
    package var appending: @Sendable ([UInt8], MemoryContent) -> Void = { _, _ in }
    /// How it breaks over them.
    package var breakage: SyncFailure = .transport(.closed)
    /// Called when the connection breaks.
    package var broken: @Sendable () -> Void = {}

    /// None.
    package init() {}
  }

  private let content: Monitor<MemoryContent>
  private let keep: @Sendable (MemoryContent) throws(SystemError) -> Void
  private let interference: Interference
  private let trips = Monitor(0)
  private let requests = Monitor(0)

  /// A server with this mail; `keep` is given all of it after each change.
  package init(
    _ content: MemoryContent,
    _ interference: Interference = Interference(),
    keep: @escaping @Sendable (MemoryContent) throws(SystemError) -> Void = { _ in }
  ) {
    self.content = Monitor(content)
    self.interference = interference
    self.keep = keep
  }

  /// A server whose mail is kept in a file; one that is not there yet has an INBOX and a mailbox for what is removed.
  package convenience init(
    _ abilities: MemoryAbilities = MemoryAbilities(),
    file: Path
  ) throws {
    if let octets = try FileSystem.readFile(file, limit: 1 << 30) {
      let content = MemoryContent(octets: octets) ?? MemoryContent()
      self.init(content) { content throws(SystemError) in
        try AtomicFile.replace(file, with: content.octets)
      }
      return
    }
    var content = MemoryContent()
    content.abilities = abilities
    content.make("INBOX")
    content.make("Trash", use: .trash)
    try AtomicFile.replace(file, with: content.octets)
    try self.init(file: file)
  }

  /// What the server can do.
  package var abilities: MemoryAbilities { content.withLock { $0.abilities } }

  /// How many round trips were made to it, from the first connection on.
  package var roundTrips: Int { trips.withLock { $0 } }

  /// How many requests were made.
  package var requestCount: Int { requests.withLock { $0 } }

  /// Looks at the mail.
  package func read<Result: Sendable>(_ body: @Sendable (MemoryContent) -> Result) -> Result {
    content.withLock { body($0) }
  }

  /// Changes the mail; it is kept when it returns.
  package func change<Result: Sendable>(
    _ body: @Sendable (inout MemoryContent) -> Result
  ) throws(SystemError) -> Result {
    FaultPoint.pass("server before")
    let result = try content.withLock { (content) throws(SystemError) in
      let result = body(&content)
      try keep(content)
      return result
    }
    FaultPoint.pass("server after")
    return result
  }

  /// Something is asked and answered over a connection.
  func request<Result>(
    isBehind: Bool = false,
    _ body: () throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    if !isBehind { trips.withLock { $0 += 1 } }
    return try step(body)
  }

  /// One of several things that are asked at once.
  func step<Result>(_ body: () throws(SyncFailure) -> Result) throws(SyncFailure) -> Result {
    let number = requests.withLock { count in
      count += 1
      return count
    }
    content.withLock { interference.before(number, &$0) }
    if number == interference.cutBefore { throw lost() }
    let result = try body()
    if number == interference.cutAfter { throw lost() }
    return result
  }

  /// A message of these octets is about to be put into a mailbox.
  func note(appended octets: [UInt8]) {
    content.withLock { interference.appending(octets, $0) }
  }

  /// The connection breaks where it does so over a message of these octets.
  func check(_ octets: [UInt8]) throws(SyncFailure) {
    guard interference.breaksOver(octets) else { return }
    interference.broken()
    throw interference.breakage
  }

  /// The connection breaks where it does so over a message of these octets that is fetched.
  func check(fetched octets: [UInt8]) throws(SyncFailure) {
    guard interference.breaksOverFetched(octets) else { return }
    interference.broken()
    throw interference.breakage
  }

  private func lost() -> SyncFailure {
    interference.broken()
    return .transport(.closed)
  }

  // MARK: MailServer

  package func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let expectation = try expectation()
    if let failure = interference.failure { throw failure }
    let store = MemoryStore(self)
    store.naming = expectation.naming
    let listing = try store.list()
    try store.ask(expectation.questions())
    return (store, listing)
  }

  package func openAnother(
    like traits: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> any MailStore {
    MemoryStore(self)
  }

  package var connectionLimit: Int? { nil }
  package func learn(from failure: SyncFailure, connections: Int) {}
  package func forgetPassword() {}
  package func checkStanding() throws(SyncFailure) {}
  package func postponed(_ failure: SyncFailure) -> SyncFailure { failure }
  package func served(isComplete: Bool) {}
}
