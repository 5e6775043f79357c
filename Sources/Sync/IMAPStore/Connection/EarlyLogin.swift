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
/// another connection.
struct EarlyLogin {
  private let dialer: Dialer
  private let prefetched: PrefetchedCommands

  /// A log-in of the dialer's account, with the commands that go behind it.
  init(_ dialer: Dialer, _ prefetched: PrefetchedCommands) {
    self.dialer = dialer
    self.prefetched = prefetched
  }

  /// Logs in over the connection that was begun; nil where it has to be done step by step.
  func connect(_ beginning: Dialer.Beginning) throws(SyncFailure) -> Connection? {
    let secrets = dialer.secrets
    let secret = try SyncFailure.ofSecret { () throws(SecretFailure) in try secrets.secret() }
    let connection = try dialer.open(beginning)
    do throws(SyncFailure) {
      if try logIn(connection, secret.octets) { return connection }
    } catch {
      guard Self.isUnclear(error) else {
        connection.close()
        throw error
      }
    }
    connection.close()
    return nil
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
    if response.kind == .no, response.code == .authenticationFailed {
      dialer.secrets.forgetPassword()
      throw .secretRefused(ServerReply(response), OfferedSecret(account))
    }
    guard response.kind == .ok else { return false }
    prefetched.doubt(on: connection)
    return true
  }

  /// Whether the failure may come of what was sent too early.
  private static func isUnclear(_ failure: SyncFailure) -> Bool {
    switch failure {
    case .protocolViolation, .hungUp, .transport(.closed), .transport(.system),
      .transport(.timedOut):
      true
    default: false
    }
  }
}
