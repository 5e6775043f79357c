internal import MailStore
internal import Platform
internal import Transport

/// A server of which no more log-ins are asked than a budget allows.
struct ThriftyServer: MailServer {
  /// Log-ins that further connections of a sync leave over, for connections in place of broken ones.
  private static let reserve = 4

  private let server: any MailServer
  private let ledger: LoginLedger

  init(_ server: any MailServer, _ ledger: LoginLedger) {
    self.server = server
    self.ledger = ledger
  }

  func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    try logIn { () throws(SyncFailure) in
      try server.open(isWriting: isWriting, expecting: expectation)
    }
  }

  func openAnother(
    like store: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> any MailStore {
    try logIn { () throws(SyncFailure) in
      try server.openAnother(like: store, isWriting: isWriting)
    }
  }

  private func logIn<Result>(
    _ connect: () throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    guard ledger.take() else { throw .loginsUsedUp(until: Clock.now() + Int64(ledger.delay)) }
    do throws(SyncFailure) {
      return try connect()
    } catch {
      if !error.hasReachedServer { ledger.giveBack() }
      throw error
    }
  }

  var connectionLimit: Int? {
    let more = max(0, ledger.left - Self.reserve)
    return min(server.connectionLimit ?? .max, 1 + more)
  }

  func learn(from failure: SyncFailure, connections: Int) {
    server.learn(from: failure, connections: connections)
  }

  func checkStanding() throws(SyncFailure) { try server.checkStanding() }
  func postponed(_ failure: SyncFailure) -> SyncFailure { server.postponed(failure) }
  func served() { server.served() }
}

extension SyncFailure {
  /// Whether a log-in may have been tried before it failed: records that cannot be read end a connection that is being made.
  fileprivate var hasReachedServer: Bool {
    switch self {
    case .transport(.nameNotFound), .transport(.connect), .transport(.timedOut(.connect)),
      .transport(.tunnel), .secret, .newerState, .system:
      false
    default: true
    }
  }
}
