internal import MailStore
internal import Configuration
internal import IMAP
internal import Login
internal import Platform
internal import SyncState
internal import Transport

/// Makes connections of an account, and remembers when the server refused its secret.
struct RememberingDialer: Sendable {
  /// The dialer that it makes them with.
  let dialer: Dialer

  /// What the server was seen to do.
  var memory: ServerMemory { dialer.memory }

  private let refusals: RefusalMemory
  private let isRemembering: Bool

  /// A dialer for an account.
  init(_ access: IMAPAccess, report: @escaping @Sendable (StoreEvent) -> Void) {
    let account = access.account
    refusals = RefusalMemory(account, directory: access.memory)
    isRemembering = access.isRemembering
    dialer = Dialer(
      account: account,
      secrets: SecretKeeper(account.secret, interruption: access.interruption),
      identities: IdentityKeeper(account.clientCertificate, interruption: access.interruption),
      proxies: ProxyKeeper(account.proxy, interruption: access.interruption),
      memory: ServerMemory(
        directory: access.memory,
        account: account,
        isRemembering: isRemembering
      ),
      interruption: access.interruption,
      report: report,
      isTracing: access.isTracing,
      limit: access.connectLimit
    )
  }

  /// Has the password fetched anew for the next log-in.
  func forgetPassword() { dialer.secrets.forgetPassword() }

  /// Looks whether the same secret was refused before.
  ///
  /// - Throws: `secretRefusedBefore`.
  func checkRefusal() throws(SyncFailure) {
    let refusal = try attempt(refusals.refusal(now: Clock.now()))
    if let refusal { throw .secretRefusedBefore(at: refusal, OfferedSecret(dialer.account)) }
  }

  /// As `Dialer.connect`.
  func connect(
    _ prefetched: PrefetchedCommands = PrefetchedCommands(),
    _ beginning: Dialer.Beginning? = nil
  ) throws(SyncFailure) -> Connection {
    do throws(SyncFailure) {
      let result = try dialer.connect(prefetched, beginning)
      if isRemembering { try attempt(refusals.forget()) }
      return result
    } catch {
      if error.isRefusal, isRemembering { remember() }
      throw postponed(error)
    }
  }

  /// Remembers that the secret was refused; that this cannot be done is less than that it was.
  private func remember() {
    do throws(SystemError) {
      try refusals.remember(now: Clock.now())
    } catch {
      dialer.report(.step("the refusal cannot be recorded: \(error.description)"))
    }
  }

  /// Looks whether the server asked for a pause that is not over.
  ///
  /// - Throws: `pausing`.
  func checkPause() throws(SyncFailure) {
    guard let pause = memory.traits.pause(now: Clock.now()) else { return }
    throw .pausing(until: pause.end, reason: pause.reason)
  }

  /// Remembers a limit of the server; gives the failure with the time before which it is not to be asked again.
  func postponed(_ failure: SyncFailure) -> SyncFailure {
    guard case .notNow(let reply, let limit, nil) = failure else { return failure }
    // The second that has begun does not count: no pause is shorter than the server wants it.
    let now = Clock.now() + 1
    memory.updateTraits { traits in
      switch limit {
      case .connections:
        traits.limitConnections(to: 1, now: now)
        traits.postpone(now: now, seconds: nil, reason: reply.text)
      case .pause(let seconds):
        traits.postpone(now: now, seconds: seconds, reason: reply.text)
      }
    }
    return .notNow(reply, limit, until: isRemembering ? memory.traits.pause?.end : nil)
  }

  /// Remembers that the server served a run to its end.
  func served() {
    memory.updateTraits { $0.served() }
  }
}

extension SyncFailure {
  /// Whether the server refused what the account has to log in with.
  fileprivate var isRefusal: Bool {
    switch self {
    case .secretRefused, .transport(.tls(.clientCertificate(_))): true
    default: false
    }
  }
}
