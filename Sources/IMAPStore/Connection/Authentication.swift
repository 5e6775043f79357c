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

  /// Runs an exchange; where the server refuses what it is bound to, another one, and in the end one that is not bound:
  /// there are servers that know none of these types.
  private func authenticate(
    _ isInline: Bool,
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (response: StatusResponse, wasInline: Bool, wereSent: Bool) {
    var bindings = connection.bindings.map { ChannelBinding($0) }[...]
    while true {
      let binding = bindings.popFirst()
      var mechanism = try choose(binding)
      let result = try authenticate(&mechanism, isLast: binding == nil, isInline, sendEarly)
      let isFinal = result.response.kind == .ok || !mechanism.mayHaveWrongBinding
      if isFinal || binding == nil { return result }
    }
  }

  private func authenticate(
    _ mechanism: inout any Mechanism,
    isLast: Bool,
    _ isInline: Bool,
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (response: StatusResponse, wasInline: Bool, wereSent: Bool) {
    let initial = mechanism.initialResponse()
    let isInline = isInline && initial != nil
    let tag = connection.send(
      .authenticate(mechanism: mechanism.name, initialResponse: isInline ? initial : nil)
    )
    if isInline, mechanism.name.elementsEqual("PLAIN".utf8) {
      let wereSent = sendEarly()
      return (try connection.finish(tag), true, wereSent)
    }
    let pending = isInline ? nil : initial
    return (try exchange(tag, &mechanism, isLast: isLast, pending: pending), isInline, false)
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
    isLast: Bool,
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
          try answer(challenge, &mechanism, isLast: isLast)
        }
      default: break
      }
    }
  }

  /// Answers a challenge, or cancels the exchange; without an error where another may go better.
  private func answer(
    _ challenge: [UInt8],
    _ mechanism: inout any Mechanism,
    isLast: Bool
  ) throws(SyncFailure) {
    do {
      connection.respond(try mechanism.respond(to: challenge))
    } catch {
      connection.respond(nil)
      if mechanism.mayHaveWrongBinding, !isLast { return }
      throw .authenticationExchange(error)
    }
  }

  private func choose(_ binding: ChannelBinding?) throws(SyncFailure) -> any Mechanism {
    let user = Array(account.user.utf8)
    let (host, port) = endpoint
    do {
      return try MechanismChoice.choose(
        offered: connection.capabilities.mechanisms,
        credentials: account.secret.isToken
          ? .token(user: user, secret) : .password(user: user, secret),
        isEncrypted: isPrivate,
        binding: binding,
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
