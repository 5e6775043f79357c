internal import Configuration
internal import Hashing
internal import IMAP
internal import Login
internal import MailStore
internal import Platform
internal import SASL
internal import SyncState

/// One attempt to authenticate a connection, with one secret or by the certificate of the account.
struct Authentication {
  private let connection: Connection
  private let account: Account
  /// nil for the certificate.
  private let secret: [UInt8]?
  private let memory: ServerMemory

  init(_ connection: Connection, account: Account, secret: [UInt8]?, _ memory: ServerMemory) {
    self.connection = connection
    self.account = account
    self.secret = secret
    self.memory = memory
  }

  /// How an exchange ended.
  struct Result {
    /// The server's last word.
    let response: StatusResponse
    /// Whether the server took the log-in only step by step, though it offers SASL-IR.
    var isStepwise = false
    /// Whether it was AUTHENTICATE PLAIN in one line.
    var isPlain = false
  }

  /// Sends AUTHENTICATE PLAIN in one line and waits for nothing: for a server that was seen to log in like this.
  static func sendPlain(
    on connection: Connection,
    account: Account,
    secret: [UInt8]
  ) -> CommandTag {
    var mechanism = Plain(user: Array(account.user.utf8), password: secret)
    let response = mechanism.initialResponse()
    return connection.send(
      .authenticate(mechanism: mechanism.name, initialResponse: response, secret: secret)
    )
  }

  /// Runs the exchange.
  ///
  /// `sendEarly` is called before that word is heard where we have nothing more to say ourselves; it tells whether it sent
  /// anything.
  func logIn(_ sendEarly: () -> Bool) throws(SyncFailure) -> Result {
    if let plain = plainLogin {
      let tag = connection.send(plain)
      _ = sendEarly()
      return Result(response: try connection.finish(tag))
    }
    let isInline =
      connection.capabilities.contains("SASL-IR") && !memory.traits.refusesInitialResponse
    let (result, wasInline, wereSent) = try authenticate(isInline, sendEarly)
    guard wasInline, !wereSent, result.response.kind == .bad else { return result }
    // It offers SASL-IR and does not understand it.
    return Result(response: try authenticate(false, sendEarly).result.response, isStepwise: true)
  }

  /// Runs an exchange.
  ///
  /// Where the server refuses a channel binding, another one is tried, and in the end an exchange without a binding: there are
  /// servers that know none of these types.
  private func authenticate(
    _ isInline: Bool,
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (result: Result, wasInline: Bool, wereSent: Bool) {
    var bindings = connection.bindings.map { ChannelBinding($0) }[...]
    while true {
      let binding = bindings.popFirst()
      var mechanism = try choose(binding)
      let found = try authenticate(&mechanism, isLast: binding == nil, isInline, sendEarly)
      let isFinal = found.result.response.kind == .ok || !mechanism.mayHaveWrongBinding
      if isFinal || binding == nil { return found }
    }
  }

  private func authenticate(
    _ mechanism: inout any Mechanism,
    isLast: Bool,
    _ isInline: Bool,
    _ sendEarly: () -> Bool
  ) throws(SyncFailure) -> (result: Result, wasInline: Bool, wereSent: Bool) {
    let initial = mechanism.initialResponse()
    let isInline = isInline && initial != nil
    let inline = isInline ? initial : nil
    let tag = connection.send(
      .authenticate(mechanism: mechanism.name, initialResponse: inline, secret: secret ?? [])
    )
    if isInline, mechanism.name.elementsEqual("PLAIN".utf8) {
      let wereSent = sendEarly()
      return (Result(response: try connection.finish(tag), isPlain: true), true, wereSent)
    }
    let pending = isInline ? nil : initial
    let response = try exchange(tag, &mechanism, isLast: isLast, pending: pending)
    return (Result(response: response), isInline, false)
  }

  /// The LOGIN command, where the server offers no mechanism and does not forbid it (RFC 9051 §6.2.3).
  private var plainLogin: Command? {
    let capabilities = connection.capabilities
    guard let secret, !account.secret.isToken, capabilities.mechanisms.isEmpty,
      !capabilities.contains("LOGINDISABLED"), isPrivate
    else { return nil }
    return .login(user: Array(account.user.utf8), password: secret)
  }

  private func exchange(
    _ tag: CommandTag,
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
    guard let secret else { return External(authorization: account.certificateUser) }
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

  /// Whether the connection cannot be listened to: TLS, or a way that does not leave the machine.
  private var isPrivate: Bool {
    switch account.server {
    case .command, .plain: true
    case .imaps, .startTLS, nil: connection.isEncrypted
    }
  }
}

extension SyncFailure {
  /// Asks for what comes from files and commands of the user.
  static func ofSource<Value>(
    _ body: () throws(SecretError) -> Value
  ) throws(SyncFailure) -> Value {
    do {
      return try body()
    } catch {
      throw .secret(error)
    }
  }

  /// Does something with the secret; what goes wrong is a failure of the sync.
  static func ofSecret<Value>(
    _ body: () throws(SecretFailure) -> Value
  ) throws(SyncFailure) -> Value {
    do {
      return try body()
    } catch {
      switch error {
      case .source(let error): throw .secret(error)
      case .interrupted: throw .interrupted
      }
    }
  }
}

/// How the program names itself to servers that ask for it (RFC 2971).
enum ClientIdentity {
  /// The command that does so; nothing in it is about the user.
  static let command = Command.id(
    name: Array("magnum".utf8),
    version: Array(Version.number.utf8)
  )
}
