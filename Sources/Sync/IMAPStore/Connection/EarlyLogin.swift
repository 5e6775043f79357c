internal import Configuration
internal import IMAP
internal import Login
internal import MailStore
internal import SyncState
internal import Transport

/// A log-in that is sent before the server's greeting is read, with commands behind it, to save a round trip.
///
/// Only over TLS with an accepted certificate, or on this machine, and only to a server that took the same log-in before. Any
/// other outcome than a log-in, a refused password or BYE counts as nothing. Then the log-in is repeated step by step, over
/// another connection. Where no setting asks for it, BYE counts as nothing too, and every NO as a refused password.
struct EarlyLogin {
  private let dialer: Dialer
  private let prefetched: PrefetchedCommands

  /// A log-in of the dialer's account, with the commands that go behind it.
  init(_ dialer: Dialer, _ prefetched: PrefetchedCommands) {
    self.dialer = dialer
    self.prefetched = prefetched
  }

  /// Whether the log-in of the account may go out early: the server was seen to take it in one line, with commands behind it.
  static func isAllowed(_ account: Account, _ traits: ServerTraits) -> Bool {
    account.clientCertificate == nil
      && isAllowed(account.earlyLogin, isToken: account.secret.isToken, traits)
  }

  /// The same by the account's rule and the kind of its secret.
  static func isAllowed(_ rule: EarlyLoginRule, isToken: Bool, _ traits: ServerTraits) -> Bool {
    guard !isToken, traits.identity != nil, traits.pipelining == .works, traits.logsInByPlain,
      !traits.awaitsGreeting, !traits.needsIdentity
    else { return false }
    return switch rule {
    case .never: false
    case .afterCleanRuns: traits.cleanRuns.map { $0 >= ServerTraits.cleanRunLimit } ?? false
    case .asked: true
    }
  }

  /// Logs in over the connection that was begun; nil where it has to be done step by step.
  func connect(_ beginning: Dialer.Beginning) throws(SyncFailure) -> Connection? {
    let (connection, secret) = try open(beginning)
    do throws(SyncFailure) {
      if try logIn(connection, secret) { return connection }
    } catch {
      guard isUnclear(error) else {
        connection.close()
        throw error
      }
    }
    connection.close()
    return nil
  }

  /// The connection, and the secret, which a command or a person gives meanwhile; another connection where that took long.
  private func open(
    _ beginning: Dialer.Beginning
  ) throws(SyncFailure) -> (Connection, secret: [UInt8]) {
    let secrets = dialer.secrets
    let connection = try dialer.open(beginning)
    let secret: [UInt8]
    do throws(SyncFailure) {
      secret = try SyncFailure.ofSecret { () throws(SecretFailure) in try secrets.secret().octets }
    } catch {
      connection.close()
      throw error
    }
    guard beginning.isStale else { return (connection, secret) }
    connection.close()
    return (try dialer.open(dialer.begin()), secret)
  }

  /// Whether the server let us in.
  private func logIn(
    _ connection: Connection,
    _ secret: [UInt8]
  ) throws(SyncFailure) -> Bool {
    let (account, memory) = (dialer.account, dialer.memory)
    guard let identity = memory.traits.identity else { return false }
    let tag = Authentication.sendPlain(on: connection, account: account, secret: secret)
    prefetched.send(on: connection, memory.traits, identity)
    let greeting = try dialer.greeting(connection)
    // Another server behind the name may read what came before its greeting in another way. What it offers now may be known
    // from the reply to the log-in already.
    guard greeting.kind == .ok, case .capability(let offered) = greeting.code,
      Dialer.identity(of: offered) == identity
    else { return false }
    dialer.report(.authenticating)
    let response = try connection.finish(tag)
    // A refused password is offered no second time.
    if isRefusal(response) {
      dialer.secrets.forgetPassword()
      throw .secretRefused(ServerReply(response), OfferedSecret(account))
    }
    guard response.kind == .ok else { return false }
    prefetched.doubt(on: connection)
    return true
  }

  /// Whether the server refused the password.
  ///
  /// NO for whatever reason may count against the user. So a log-in that no setting asks for is not repeated then, and not sent
  /// early again.
  private func isRefusal(_ response: StatusResponse) -> Bool {
    guard response.kind == .no else { return false }
    if response.code == .authenticationFailed { return true }
    guard dialer.account.earlyLogin == .afterCleanRuns else { return false }
    dialer.memory.updateTraits { $0.awaitsGreeting = true }
    return true
  }

  /// Whether the failure may come of what was sent too early.
  private func isUnclear(_ failure: SyncFailure) -> Bool {
    switch failure {
    case .greetingRefused: dialer.account.earlyLogin == .afterCleanRuns
    case .protocolViolation, .hungUp, .transport(.closed), .transport(.system),
      .transport(.timedOut):
      true
    default: false
    }
  }
}
