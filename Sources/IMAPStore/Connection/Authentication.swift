internal import MailStore
internal import Configuration
internal import IMAP
internal import Login
internal import SASL
internal import SyncState
internal import Transport

/// One attempt to authenticate a connection with one secret.
struct Authentication {
  private let connection: Connection
  private let account: Account
  private let secret: [UInt8]
  private let memory: ServerMemory

  init(_ connection: Connection, account: Account, secret: [UInt8], _ memory: ServerMemory) {
    self.connection = connection
    self.account = account
    self.secret = secret
    self.memory = memory
  }

  /// Runs the exchange and gives the server's last word, and whether it took the log-in only step by step.
  ///
  /// `sendEarly` is called before that word is heard where we have nothing more to say ourselves; it tells whether it sent
  /// anything.
  func run(
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (response: StatusResponse, isStepwise: Bool) {
    if let plain = plainLogin {
      let tag = connection.send(plain)
      _ = sendEarly()
      return (try connection.finish(tag), false)
    }
    let isInline =
      connection.capabilities.contains("SASL-IR") && !memory.traits.refusesInitialResponse
    let (response, wasInline, wereSent) = try authenticate(isInline, sendEarly)
    guard wasInline, !wereSent, response.kind == .bad else { return (response, false) }
    // It offers SASL-IR and does not understand it.
    return (try authenticate(false, sendEarly).response, true)
  }

  private func authenticate(
    _ isInline: Bool,
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (response: StatusResponse, wasInline: Bool, wereSent: Bool) {
    var mechanism = try choose()
    let initial = mechanism.initialResponse()
    let isInline = isInline && initial != nil
    let tag = connection.send(
      .authenticate(mechanism: mechanism.name, initialResponse: isInline ? initial : nil)
    )
    if isInline, mechanism.name.elementsEqual("PLAIN".utf8) {
      let wereSent = sendEarly()
      return (try connection.finish(tag), true, wereSent)
    }
    return (try exchange(tag, &mechanism, pending: isInline ? nil : initial), isInline, false)
  }

  /// The LOGIN command, where the server offers no mechanism and does not forbid it (RFC 9051 §6.2.3).
  private var plainLogin: Command? {
    let capabilities = connection.capabilities
    guard !account.secret.isToken, capabilities.mechanisms.isEmpty,
      !capabilities.contains("LOGINDISABLED"), isPrivate
    else { return nil }
    return .login(user: Array(account.user.utf8), password: secret)
  }

  private func exchange(
    _ tag: Tag,
    _ mechanism: inout any Mechanism,
    pending initial: [UInt8]?
  ) throws(SyncFailure) -> StatusResponse {
    var pending = initial
    while true {
      switch try connection.nextEvent() {
      case .tagged(tag, let response):
        guard response.kind != .ok || mechanism.isServerVerified else {
          throw .authenticationExchange(.wrongServerSignature)
        }
        return response
      case .continuation(let challenge):
        if let response = pending {
          connection.respond(response)
          pending = nil
        } else {
          try answer(challenge, &mechanism)
        }
      default: break
      }
    }
  }

  private func answer(
    _ challenge: [UInt8],
    _ mechanism: inout any Mechanism
  ) throws(SyncFailure) {
    do {
      connection.respond(try mechanism.respond(to: challenge))
    } catch {
      connection.respond(nil)
      throw .authenticationExchange(error)
    }
  }

  private func choose() throws(SyncFailure) -> any Mechanism {
    let user = Array(account.user.utf8)
    let (host, port) = endpoint
    do {
      return try MechanismChoice.choose(
        offered: connection.capabilities.mechanisms,
        credentials: account.secret.isToken
          ? .token(user: user, secret) : .password(user: user, secret),
        isEncrypted: isPrivate,
        host: host,
        port: port,
        nonce: Hashes.random(18),
        cryptography: .openSSL
      )
    } catch {
      throw .authenticationExchange(error)
    }
  }

  private var endpoint: (host: String, port: UInt16) {
    switch account.server {
    case .imaps(let host, let port), .startTLS(let host, let port), .plain(let host, let port):
      (host, port)
    case .command, nil: ("localhost", 143)
    }
  }

  /// Whether nobody can listen: TLS, or a way that does not leave the machine.
  private var isPrivate: Bool {
    switch account.server {
    case .command, .plain: true
    case .imaps, .startTLS, nil: connection.isEncrypted
    }
  }
}
