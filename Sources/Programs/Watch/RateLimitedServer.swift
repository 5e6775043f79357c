internal import MailStore
internal import Platform
internal import Transport

/// A server of which no more log-ins are asked than a budget allows.
struct RateLimitedServer: MailServer {
  /// Log-ins that further connections of a sync leave over, for connections in place of broken ones.
  private static let reserve = 4

  private let server: any MailServer
  private let loginState: LoginState

  init(_ server: any MailServer, _ loginState: LoginState) {
    self.server = server
    self.loginState = loginState
  }

  func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    var isExpecting = false
    return try logIn(isGivenUp: { isExpecting }) { () throws(SyncFailure) in
      try server.open(isWriting: isWriting) { () throws(SyncFailure) in
        isExpecting = true
        let expected = try expectation()
        isExpecting = false
        return expected
      }
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

  /// Makes a connection within the budget.
  ///
  /// A log-in that was not tried is given back: `isGivenUp` tells of a failure whether it came before anything was sent.
  private func logIn<Result>(
    isGivenUp: () -> Bool = { false },
    _ connect: () throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    guard loginState.takeLogin() else {
      throw .loginsUsedUp(until: Clock.now() + Int64(loginState.delay))
    }
    do throws(SyncFailure) {
      return try connect()
    } catch {
      if isGivenUp() || !error.hasReachedServer { loginState.giveBack() }
      throw error
    }
  }

  var connectionLimit: Int? {
    let more = max(0, loginState.left - Self.reserve)
    return min(server.connectionLimit ?? .max, 1 + more)
  }

  var reasonToPull: SyncFailure? { server.reasonToPull }
  func learn(from failure: SyncFailure, connections: Int) {
    server.learn(from: failure, connections: connections)
  }

  func forgetPassword() { server.forgetPassword() }
  func checkStanding() throws(SyncFailure) { try server.checkStanding() }
  func postponed(_ failure: SyncFailure) -> SyncFailure { server.postponed(failure) }
  func served(isComplete: Bool) { server.served(isComplete: isComplete) }
}

extension SyncFailure {
  /// Whether a log-in may have been tried before it failed.
  fileprivate var hasReachedServer: Bool {
    switch self {
    case .transport(.nameNotFound), .transport(.connect), .transport(.timedOut(.connect)),
      .transport(.tunnel), .secret:
      false
    default: true
    }
  }
}
